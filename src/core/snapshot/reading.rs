//! What the metrics APIs answered for one metric of the spec.

use super::{PodUsage, Read};
use crate::model::Milli;

/// The answer for one entry of `spec.metrics`, joined to the pods once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Resource and ContainerResource metrics: the samples are in the pods (and [`Usages`]).
    Usage,
    /// A custom metric of the pods.
    Pods(Read<PodSamples>),
    /// A custom metric of an object: the values of all items that came back.
    Object(Read<Vec<Milli>>),
    /// An external metric: the values in list order.
    External(Read<Vec<Milli>>),
    /// The case holds no answer to this query.
    Absent,
}

/// The resource metrics API's list, less what is joined to the pods.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usages {
    /// How many items came back in all.
    pub items: usize,
    /// Items of pods that are not among the snapshot's pods.
    pub foreign: Vec<(Box<str>, PodUsage)>,
}

/// A custom metric's samples, one per pod name; of several items for one pod the last counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodSamples {
    /// How many items came back in all.
    pub items: usize,
    /// By the pod's place in the snapshot.
    pub own: Vec<Option<Milli>>,
    /// Samples of pods that are not among the snapshot's pods.
    pub foreign: Vec<(Box<str>, Milli)>,
}

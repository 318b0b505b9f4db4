//! The load that a play starts from.

use crate::model::Milli;

/// What is measured of one metric's load at the first sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartLoad {
    /// The metric's place in the spec.
    pub metric: usize,
    /// What the ready pods use together beyond their base usage, or the value of an Object or External metric.
    pub demand: Milli,
    /// The pods that it is measured on; none if it is one value.
    pub pods: Option<MeasuredPods>,
}

/// The pods that a load is measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredPods {
    /// The ready pods, which share the load.
    pub ready: usize,
    /// Those of them with a sample that counts; the others are taken to use as much.
    pub measured: usize,
    /// Pods with a sample that the controller does not count, mostly because they are starting.
    pub refused: usize,
    /// The pods that are neither ready nor being deleted.
    pub unready: usize,
    /// What each of these uses: the mean of their samples that count.
    pub starting: Milli,
}

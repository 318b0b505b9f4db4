//! The parts of a projection: changes of the replicas, and where they rest.

use crate::model::{Instant, Replicas};

/// A change of the replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The sync that makes it: a sync period after the one before or, where the replicas rested, the first instant at which a
    /// window or a policy's period lets them change.
    pub at: Instant,
    /// The replicas from then on.
    pub replicas: Replicas,
}

/// Where the replicas rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The replicas.
    pub replicas: Replicas,
    /// From then on at the latest.
    pub by: Instant,
}

/// The changes of the replicas that follow on a decision, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Projection {
    /// Empty where nothing follows, or where what does is not known.
    pub steps: Vec<Step>,
    /// Whether it is known what follows, up to where the replicas rest; if so, no step means that they stay.
    pub is_known: bool,
    /// Whether the replicas were still changing where looking ahead ended.
    pub goes_on: bool,
    /// Where they rest, if no more than that is known: when they change hangs on a memory that is not.
    pub rest: Option<Rest>,
}

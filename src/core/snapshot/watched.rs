//! What somebody who watched saw of the controller's syncs.

use crate::model::{Instant, Replicas};

/// The controller's syncs, as far as the status that each leaves, and silence, tell of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// Since when every sync was seen: none of those after this is missing below.
    pub since: Instant,
    /// What was recommended, oldest first: syncs that leave one status together recommend one thing.
    pub recommended: Vec<Recommended>,
    /// Each change of the replicas, oldest first.
    pub rescaled: Vec<Rescaled>,
}

/// The last of several syncs that left one status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recommended {
    /// No fewer replicas than these were recommended.
    pub lowest: Replicas,
    /// No more than these.
    pub highest: Replicas,
    /// The last of them was no earlier.
    pub earliest: Instant,
    /// The last of them was no later.
    pub latest: Instant,
    /// Whether there was one at all.
    pub is_certain: bool,
}

/// A change of the replicas by the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rescaled {
    /// From this count.
    pub from: Replicas,
    /// To this one.
    pub to: Replicas,
    /// No earlier than this.
    pub earliest: Instant,
    /// No later than this.
    pub latest: Instant,
}

//! What somebody who watched saw of the controller's syncs.

use crate::model::{Instant, Replicas};

/// The controller's syncs, as far as the status that each leaves, and silence, tell of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// Since when every sync was seen: none of those after this is missing below.
    pub since: Instant,
    /// Since when nothing has kept anybody from looking: what did may have kept the controller from syncing.
    pub steady_since: Instant,
    /// All that may have been recommended, oldest first, at the latest that it can have been.
    pub possible: Vec<Recommended>,
    /// What surely was, oldest first, at the earliest that it can have been.
    pub certain: Vec<Recommended>,
    /// Each change of the replicas, oldest first.
    pub rescaled: Vec<Rescaled>,
}

/// What one sync recommended, between two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recommended {
    /// No fewer replicas than these.
    pub lowest: Replicas,
    /// No more than these.
    pub highest: Replicas,
    /// When.
    pub at: Instant,
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

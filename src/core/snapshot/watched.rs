//! What a watch saw of the controller's syncs.

use crate::model::{Instant, Replicas};

/// The controller's syncs, as far as their statuses, and unchanged statuses, show them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// Since when every sync was seen: none after this is missing below.
    pub since: Instant,
    /// Since when no look has failed: what makes a look fail may have kept the controller from syncing.
    pub steady_since: Instant,
    /// All possible recommendations, oldest first, each at its latest time.
    pub possible: Vec<Recommended>,
    /// The certain recommendations, oldest first, each at its earliest time.
    pub certain: Vec<Recommended>,
    /// Each change of the replicas, oldest first.
    pub rescaled: Vec<Rescaled>,
}

/// The recommendation of one sync, as a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recommended {
    /// At least these replicas.
    pub lowest: Replicas,
    /// At most these.
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

//! Facts that the objects show: rescales by the controller, and sizes of the target.

use crate::model::{Instant, Replicas};
use crate::snapshot::RescaleEventReason;

/// A known rescale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rescaled {
    /// The second in which it was.
    pub second: Instant,
    /// From a size in this range.
    pub from: Sizes,
    /// To this size.
    pub to: Replicas,
    /// The reason in the controller's event.
    pub reason: RescaleEventReason,
}

impl Rescaled {
    /// By how many replicas, or not fewer than that.
    pub fn known_change(&self) -> i32 {
        let (Sizes { lowest, highest, .. }, to) = (self.from, self.to);
        to.0.abs_diff(to.clamp(lowest, highest.max(lowest)).0).cast_signed()
    }

    /// Whether it raised the count; `None` if that is not known.
    pub fn is_up(&self) -> Option<bool> {
        match (self.from.highest < self.to, self.from.lowest > self.to) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }
}

/// Equal rescales of which one event shows the first and the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Merged {
    /// The first of them.
    pub first: Rescaled,
    /// The second of the last one.
    pub last: Instant,
    /// How many there were between the two.
    pub between: i32,
    /// From a size in this range each of those.
    pub from: Sizes,
}

/// A change of the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Resized {
    /// The second in which it was.
    pub second: Instant,
    /// Whether it grew.
    pub is_up: bool,
    /// From this size; older deployment controllers do not report it.
    pub from: Option<Replicas>,
    /// To this one.
    pub to: Replicas,
}

/// A size in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub lowest: Replicas,
    pub highest: Replicas,
    /// What shows it.
    pub by: SizeSource,
}

/// Evidence of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SizeSource {
    /// The user stated it.
    Given,
    /// `status.currentReplicas`, as the sync that rescaled wrote it.
    Status,
    /// The Deployment's own event about it.
    TargetEvent,
    /// The size that the rescale before it set: the target's generation shows that nobody else changed anything.
    Chain,
    /// Only the direction is known, from the reason of the controller's event.
    Direction,
    /// Nothing.
    Nothing,
}

//! The bounds of a memory, and what they come from.

use super::last_sync::LastSync;
use crate::model::{Instant, Memory, Recommendation, Replicas};

/// Two memories between which the controller's unknown one lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryBounds {
    /// The memory that limits the replicas the least.
    pub loosest: Memory,
    /// The memory that limits or drives the replicas the most, among those that agree with the evidence.
    pub tightest: Memory,
    /// Whether a rate of `spec.behavior` surely keeps the count for now, as in the last reconcile, though the loosest memory
    /// may not show it.
    pub is_kept_by_rate: bool,
    /// The last reconcile, if its status shows it.
    pub last_sync: Option<LastSync>,
    /// What the two memories were derived from.
    pub sources: Vec<MemorySource>,
}

/// Evidence that the bounds were derived from, or a gap in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemorySource {
    /// The status has no conditions: the controller has not reconciled this HPA yet.
    NeverReconciled,
    /// The last status: its conditions and `desiredReplicas`.
    LastStatus,
    /// Neither `lastScaleTime` nor an event shows a rescale within any policy's period, so there are no scale events to
    /// count.
    QuietPeriods,
    /// SuccessfulRescale events name each change.
    RescaleEvents,
    /// The Deployment's events show from which size each change was.
    TargetEvents,
    /// The target's generation shows that nobody but the controller has changed it, so each change was from the size before.
    TargetGeneration,
    /// The status still shows from which size the last change was.
    StatusOfRescale,
    /// The user stated from which size a change was.
    GivenRescale,
    /// From which size the rescale of this second was is not known, only its direction.
    SizeBeforeUnknown(Instant),
    /// One event shows several equal rescales, and the times of two of them.
    MergedRescales,
    /// An event that should be there is missing, so somebody may have deleted others as well.
    MissingEvents,
    /// Somebody changed the replicas in this second: most likely not the controller, since it emitted no event.
    ResizedByWhom(Instant),
    /// A rescale in the window: the recommendation was then at least, or at most, the size that it led to.
    Rescales,
    /// The HPA or the controller is younger than the window, and the count is still the one that the first sync
    /// recorded.
    FirstSync,
    /// A watch saw every sync of the window.
    Watched,
    /// The last sync saw the current inputs and kept the replicas, which no memory that agrees with the other evidence
    /// explains.
    Contradiction,
    /// Nothing bounds the recommendations.
    NothingAboutRecommendations,
    /// Nothing bounds the scale events.
    NothingAboutScaleEvents,
}

impl MemorySource {
    /// Whether the events do not show every rescale.
    #[must_use]
    pub const fn hides_rescales(self) -> bool {
        matches!(self, Self::NothingAboutScaleEvents | Self::MergedRescales)
    }
}

/// A memory with a known recommendation and one that is too old to count. Without any, the reconcile would be treated
/// as the first one, which records the current replicas.
pub(super) fn not_the_first(known: Option<Recommendation>) -> Memory {
    let forgotten = Recommendation { replicas: Replicas(0), at: Instant::ZERO };
    let recommendations = std::iter::once(forgotten).chain(known).collect();
    Memory { recommendations, ..Memory::default() }
}

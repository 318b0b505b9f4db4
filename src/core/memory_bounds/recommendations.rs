//! The two memories that bound the decision.

use super::ceiling::{ANY, RecommendationSource, Steps, certain, steps};
use super::last_sync::{LastSync, Limits, Seen};
use super::past::{Past, SYNC, may_have_a_past, tardiness};
use super::status_fingerprint::ReplicaRange;
use super::{scale_events, watched};
use crate::model::{Duration, Instant, Memory, Recommendation, Replicas};
use crate::snapshot::Snapshot;
use crate::trace::Direction;

/// What can be known of the controller's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryBounds {
    /// With this memory nothing that is not known holds the replicas back.
    pub loosest: Memory,
    /// With this one they are held, or driven, as far as the signs allow.
    pub tightest: Memory,
    /// The last reconcile, where its status tells of it.
    pub last_sync: Option<LastSync>,
    /// What the two memories rest on.
    pub sources: Vec<MemorySource>,
}

/// A sign that the bounds rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemorySource {
    /// The status has no condition: the controller has not reconciled this autoscaler yet.
    NeverReconciled,
    /// The last status: its conditions and `desiredReplicas`.
    LastStatus,
    /// Neither `lastScaleTime` nor an event tells of a rescale within any policy's period, so there are no scale events to
    /// count.
    QuietPeriods,
    /// SuccessfulRescale events name each change.
    RescaleEvents,
    /// The Deployment's events tell from which size each change was.
    TargetEvents,
    /// The status still tells from which size the last change was.
    StatusOfRescale,
    /// Somebody who knows tells from which size a change was.
    GivenRescale,
    /// From which size the rescale of this second was is not known, only its direction.
    SizeBeforeUnknown(Instant),
    /// Somebody changed the replicas in this second: most likely not the controller, whose event is not there.
    ResizedByWhom(Instant),
    /// A rescale in the window: what the metrics wanted then was at least, or at most, where it led.
    Rescales,
    /// The HPA or the controller is younger than the window, and the count is still the one that its first sync found.
    FirstSync,
    /// Every sync of the window was seen.
    Watched,
    /// The last sync saw what is seen now and left the replicas as they are, which no memory that agrees with the other
    /// signs would do.
    Contradiction,
    /// Nothing bounds the recommendations.
    NothingAboutRecommendations,
    /// Nothing bounds the scale events.
    NothingAboutScaleEvents,
}

/// Bounds the controller's memory by what the API shows, for a decision in which the metrics want to go in a direction.
#[must_use]
pub fn bound_memory(snapshot: &Snapshot, direction: Option<Direction>) -> MemoryBounds {
    let status = &snapshot.hpa.status;
    let is_new = status.conditions.is_empty() && status.last_scale_time.is_none();
    if is_new && snapshot.history.error.is_none() && !may_have_a_past(snapshot) {
        let sources = vec![MemorySource::NeverReconciled];
        return MemoryBounds {
            loosest: Memory::default(),
            tightest: Memory::default(),
            last_sync: None,
            sources,
        };
    }
    let current = snapshot.scale.as_ref().map_or(Replicas(status.current_replicas), |scale| scale.replicas);
    let past = Past::of(snapshot);
    let mut bounds = recommendations(&past, current, direction);
    if snapshot.hpa.behavior.is_some() {
        scale_events::add(&past, current, direction, &mut bounds);
    }
    watched::narrow(snapshot, direction, &mut bounds);
    bounds
}

/// The recommendations. Without `spec.behavior` the highest of the window wins, so the bounds are the lowest and the
/// highest that it can be; with it, unknown ones can only hold the replicas where they are.
fn recommendations(past: &Past<'_>, current: Replicas, direction: Option<Direction>) -> MemoryBounds {
    let last_sync = LastSync::of(past.snapshot);
    let mut sources = Vec::new();
    let of_sync =
        last_sync.and_then(own_recommendation).filter(|own| past.remembers_since(own.1, sync_is_last(past)));
    let mut sure: Vec<(ReplicaRange, Instant)> = of_sync.into_iter().collect();
    if !sure.is_empty() {
        sources.push(MemorySource::LastStatus);
    }
    for certain in certain(past) {
        sure.push((certain.range, certain.earliest));
        sources.push(match certain.by {
            RecommendationSource::Rescale => MemorySource::Rescales,
            RecommendationSource::First => MemorySource::FirstSync,
        });
    }
    let mut range = steps(past);
    if let Some(highest) = last_sync.and_then(|sync| highest(past, sync)) {
        sources.push(MemorySource::LastStatus);
        range = range.and(&highest);
    }
    let is_up = direction == Some(Direction::Up) && past.snapshot.hpa.behavior.is_some();
    // The least that a sure one can do: the highest one holds a rise least, the lowest one a fall.
    let least = |((lowest, highest), at): &(ReplicaRange, Instant)| Recommendation {
        replicas: if is_up { *highest } else { *lowest },
        at: *at,
    };
    let mut loosest = not_the_first(None);
    loosest.recommendations.extend(sure.iter().map(least));
    let mut tightest = loosest.clone();
    tightest.recommendations.extend(range.extremes());
    if past.may_be_empty() {
        // Then the next sync is the first one, and remembers the count that it finds.
        loosest.recommendations.retain(|it| it.at.is_zero());
        let at = past.now + tardiness(past.snapshot);
        tightest.recommendations.push(Recommendation { replicas: current, at });
    }
    sources.dedup();
    if sources.is_empty() {
        sources.push(MemorySource::NothingAboutRecommendations);
    }
    MemoryBounds { loosest, tightest, last_sync, sources }
}

/// Whether no sync can have come after the last one that is known.
fn sync_is_last(past: &Past<'_>) -> bool {
    past.unrecorded.is_none_or(|at| at < past.synced_since)
}

/// The last reconcile's own recommendation, where it stood: exactly what was asked for, or just beyond the limit that
/// cut it. And when it was made at the earliest.
fn own_recommendation(sync: LastSync) -> Option<(ReplicaRange, Instant)> {
    let Replicas(desired) = sync.desired;
    let range = match (sync.stabilization, sync.limits) {
        (Seen::OwnStood, Limits::Within) => (sync.desired, sync.desired),
        (Seen::OwnStood, Limits::CutDown) => (Replicas(desired.saturating_add(1)), ANY.1),
        (Seen::OwnStood, Limits::Raised) => (ANY.0, Replicas(desired.saturating_sub(1))),
        (Seen::EarlierHeld | Seen::Overwritten, _) => return None,
    };
    Some((range, sync.earliest - SYNC))
}

/// Without `spec.behavior` nothing that the last sync remembered was higher than what it asked for, unless a limit cut
/// that; what held the count is older than its status.
fn highest(past: &Past<'_>, sync: LastSync) -> Option<Steps> {
    if past.behavior.is_some() || !past.status_is_of_this_spec() {
        return None;
    }
    let highest = match sync.limits {
        Limits::Within => sync.desired,
        Limits::Raised => Replicas(sync.desired.0.saturating_sub(1)),
        Limits::CutDown => return None,
    };
    let range = (ANY.0, highest);
    // A sync that left no status may have wanted more, if none has come since; and what had left the window by then is not
    // told of.
    let unrecorded = past.unrecorded.filter(|at| *at >= past.synced_since);
    let left = past.now - past.keeps() - Duration::from_nanoseconds(1);
    Some(Steps::since(unrecorded.map_or(left, |at| at.max(left)), past.now, range))
}

/// A memory with a known recommendation, and one so old that it counts for nothing: without any, the reconcile would
/// be taken for the first one, which remembers the current replicas.
pub(super) fn not_the_first(known: Option<Recommendation>) -> Memory {
    let forgotten = Recommendation { replicas: Replicas(0), at: Instant::ZERO };
    let recommendations = std::iter::once(forgotten).chain(known).collect();
    Memory { recommendations, ..Memory::default() }
}

//! The two memories that bound the decision.

use super::last_sync::{LastSync, Limits, Seen};
use super::{scale_events, watched};
use crate::model::{Duration, Instant, Memory, Recommendation, Replicas};
use crate::snapshot::Snapshot;
use crate::trace::Direction;

/// What can be known of the controller's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recall {
    /// With this memory nothing that is not known holds the replicas back.
    pub free: Memory,
    /// With this one they are held, or driven, as far as the signs allow.
    pub held: Memory,
    /// The last reconcile, where its status tells of it.
    pub last_sync: Option<LastSync>,
    /// What the two memories rest on.
    pub reliance: Vec<Reliance>,
}

impl Recall {
    /// When all that can hold a scale-down now has left a window at the latest, if the load stays.
    ///
    /// A status that says that an earlier recommendation held stands unchanged since it was written: every sync since
    /// then recommended less than what held, so what held is older than that.
    #[must_use]
    pub fn hold_ends(&self, now: Instant, window: Duration) -> Instant {
        let held = self.last_sync.filter(|sync| sync.stabilization == Seen::EarlierHeld);
        let written = held.and_then(|sync| sync.written).map(|written| written + Duration::from_seconds(1));
        written.map_or(now, |written| written.min(now)) + window
    }
}

/// A sign that the bounds rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reliance {
    /// The status has no condition: the controller has not reconciled this autoscaler yet.
    NeverReconciled,
    /// The last status: its conditions and `desiredReplicas`.
    LastStatus,
    /// `lastScaleTime` is older than the window (or missing), so no recommendation of the window was above the
    /// current replicas; nor do events tell of a later rescale.
    QuietWindow,
    /// `lastScaleTime` is older than every policy's period (or missing), so there are no scale events to count; nor do
    /// events tell of a later rescale.
    QuietPeriods,
    /// SuccessfulRescale events name each change.
    RescaleEvents,
    /// Every sync of the window was seen.
    Watched,
    /// Nothing bounds the recommendations.
    NothingAboutRecommendations,
    /// Nothing bounds the scale events.
    NothingAboutScaleEvents,
}

/// Bounds the controller's memory by what the API shows, for a decision in which the metrics want to go in a direction.
#[must_use]
pub fn recall(snapshot: &Snapshot, direction: Option<Direction>) -> Recall {
    let status = &snapshot.hpa.status;
    let is_new = status.conditions.is_empty() && status.last_scale_time.is_none();
    if is_new && !has_a_past(snapshot) {
        let reliance = vec![Reliance::NeverReconciled];
        return Recall { free: Memory::default(), held: Memory::default(), last_sync: None, reliance };
    }
    let current = snapshot.scale.as_ref().map_or(Replicas(status.current_replicas), |scale| scale.replicas);
    let last_sync = LastSync::of(snapshot);
    let mut recall = match &snapshot.hpa.behavior {
        None => legacy(snapshot, current, last_sync),
        Some(_) => with_behavior(last_sync, snapshot.taken_at),
    };
    if snapshot.hpa.behavior.is_some() {
        scale_events::recall(snapshot, current, direction, &mut recall);
    }
    watched::narrow(snapshot, direction, &mut recall);
    recall
}

/// Without `spec.behavior` the highest recommendation of the window wins, so the bounds are the lowest and the
/// highest that it can be.
fn legacy(snapshot: &Snapshot, current: Replicas, last_sync: Option<LastSync>) -> Recall {
    let at = snapshot.taken_at;
    let (known, highest, reliance) = match last_sync {
        Some(sync) => {
            let known = own_recommendation(sync);
            let highest = match sync.limits {
                Limits::Within => Some(sync.desired),
                Limits::Raised => Some(Replicas(sync.desired.0.saturating_sub(1))),
                Limits::CutDown => None,
            };
            (known, highest, Reliance::LastStatus)
        }
        None if is_quiet(snapshot, snapshot.controller.downscale_stabilization.value) => {
            (None, Some(current), Reliance::QuietWindow)
        }
        None => (None, None, Reliance::NothingAboutRecommendations),
    };
    let free = not_the_first(known);
    let mut held = free.clone();
    held.recommendations.push(Recommendation { replicas: highest.unwrap_or(Replicas(i32::MAX)), at });
    Recall { free, held, last_sync, reliance: vec![reliance] }
}

/// The last reconcile's own recommendation, where it stood: exactly what was asked for, or just beyond the limit that
/// cut it.
fn own_recommendation(sync: LastSync) -> Option<Recommendation> {
    let replicas = match (sync.stabilization, sync.limits) {
        (Seen::OwnStood, Limits::Within) => sync.desired,
        (Seen::OwnStood, Limits::CutDown) => Replicas(sync.desired.0.saturating_add(1)),
        (Seen::OwnStood, Limits::Raised) | (Seen::EarlierHeld | Seen::Overwritten, _) => return None,
    };
    Some(Recommendation { replicas, at: sync.earliest })
}

/// With `spec.behavior` unknown recommendations can only hold the replicas where they are.
fn with_behavior(last_sync: Option<LastSync>, at: Instant) -> Recall {
    let known = last_sync.filter(|sync| sync.limits == Limits::Within).and_then(own_recommendation);
    let free = not_the_first(known);
    let mut held = free.clone();
    let lowest = Recommendation { replicas: Replicas(0), at };
    held.recommendations.extend([lowest, Recommendation { replicas: Replicas(i32::MAX), at }]);
    let reliance = if known.is_some() { Reliance::LastStatus } else { Reliance::NothingAboutRecommendations };
    Recall { free, held, last_sync, reliance: vec![reliance] }
}

/// A memory with a known recommendation, and one so old that it counts for nothing: without any, the reconcile would
/// be taken for the first one, which remembers the current replicas.
pub(super) fn not_the_first(known: Option<Recommendation>) -> Memory {
    let forgotten = Recommendation { replicas: Replicas(0), at: Instant::ZERO };
    let recommendations = std::iter::once(forgotten).chain(known).collect();
    Memory { recommendations, ..Memory::default() }
}

/// Whether events tell of another autoscaler of the same name, before this one was created: one that is deleted and
/// created anew within a sync period inherits the controller's memory, as that is kept by name.
fn has_a_past(snapshot: &Snapshot) -> bool {
    let rescales = &snapshot.signs.rescales;
    snapshot.hpa.created.is_some_and(|created| rescales.iter().any(|rescale| rescale.first <= created))
}

/// Whether the controller has not changed the replicas for longer than a duration. The events are asked as well: those
/// of an autoscaler of the same name, deleted since, are in no status, but maybe in the controller's memory.
pub(super) fn is_quiet(snapshot: &Snapshot, duration: Duration) -> bool {
    let cutoff = snapshot.taken_at - duration;
    let is_before = |last: Instant| last + Duration::from_seconds(1) < cutoff;
    snapshot.hpa.status.last_scale_time.is_none_or(is_before)
        && snapshot.signs.rescales.iter().all(|rescale| is_before(rescale.last))
}

//! The two memories that bound the decision.

use super::bounds::{MemoryBounds, MemorySource, not_the_first};
use super::ceiling::{certain, steps};
use super::last_sync::{LastSync, Limits, Seen};
use super::limited::last_recommended;
use super::past::{Past, may_have_a_past, tardiness};
use super::range::{ANY, RecommendationSource, ReplicaRange, Steps};
use super::recorder::deleted;
use super::window::{longest, window};
use super::{began, scale_events, watched};
use crate::api::HpaStatus;
use crate::model::{Duration, Instant, Memory, Recommendation, Replicas};
use crate::snapshot::{HistoryEvidence, Snapshot};
use crate::trace::Direction;

/// Bounds the controller's memory by what the API shows, for a decision in which the metrics want to scale in a
/// direction.
#[must_use]
pub fn bound_memory(snapshot: &Snapshot, direction: Option<Direction>) -> MemoryBounds {
    let status = &snapshot.hpa.status;
    if !status.is_written()
        && snapshot.history.error.is_none()
        && !may_have_a_past(snapshot)
        && !snapshot.controller.is_shared()
    {
        let sources = vec![MemorySource::NeverReconciled];
        return MemoryBounds {
            loosest: Memory::default(),
            tightest: Memory::default(),
            is_kept_by_rate: false,
            last_sync: None,
            sources,
        };
    }
    let current = snapshot.scale.as_ref().map_or(Replicas(status.current_replicas), |scale| scale.replicas);
    let is_shared = snapshot.controller.is_shared();
    let unwritten = (is_shared || snapshot.history.is_status_edited).then(|| {
        let mut unwritten = snapshot.without_pods();
        unwritten.hpa.status = HpaStatus::default();
        if is_shared {
            // What the objects show, another controller may have done.
            unwritten.history = HistoryEvidence { is_status_edited: true, ..HistoryEvidence::default() };
        }
        unwritten
    });
    let snapshot = unwritten.as_ref().unwrap_or(snapshot);
    let past = Past::of(snapshot);
    let mut bounds = recommendations(&past, current, direction);
    if snapshot.hpa.behavior.is_some() {
        scale_events::add(&past, current, direction, &mut bounds);
    }
    let is_missing = |at: &Instant| *at >= past.now - longest(snapshot);
    let missing = deleted(snapshot).filter(|at| snapshot.history.error.is_none() && is_missing(at));
    bounds.sources.extend(missing.map(|_| MemorySource::MissingEvents));
    watched::narrow(snapshot, direction, &mut bounds);
    each_once(&mut bounds.sources);
    bounds
}

fn each_once(sources: &mut Vec<MemorySource>) {
    let mut named = Vec::new();
    sources.retain(|source| {
        let is_new = !named.contains(source);
        named.push(*source);
        is_new
    });
}

/// The recommendations. Without `spec.behavior` the highest of the window wins, so the bounds are the lowest and the
/// highest that it can be. With it, unknown recommendations can only keep the replicas where they are.
fn recommendations(past: &Past<'_>, current: Replicas, direction: Option<Direction>) -> MemoryBounds {
    let last_sync = LastSync::of(past.snapshot);
    let mut sources = Vec::new();
    let of_sync = last_sync
        .and_then(|sync| own_recommendation(past, sync))
        .filter(|own| past.remembers_since(own.1, sync_is_last(past)));
    let mut sure: Vec<(ReplicaRange, Instant)> = of_sync.into_iter().collect();
    if !sure.is_empty() {
        sources.push(MemorySource::LastStatus);
    }
    let certain = certain(past);
    for certain in &certain {
        sure.push((certain.range, certain.earliest));
        sources.push(match certain.by {
            RecommendationSource::Status => MemorySource::LastStatus,
            RecommendationSource::Rescale => MemorySource::Rescales,
            RecommendationSource::First => MemorySource::FirstSync,
        });
    }
    let mut range = steps(past);
    if let Some(highest) = last_sync.and_then(|sync| highest(past, sync)) {
        sources.push(MemorySource::LastStatus);
        range = range.and(&highest);
    }
    range = range.until(last_recommended(past));
    let is_up = direction == Some(Direction::Up) && past.snapshot.hpa.behavior.is_some();
    // The end with the least effect: the highest one limits a scale-up least, the lowest one a scale-down.
    let least = |((lowest, highest), at): &(ReplicaRange, Instant)| Recommendation {
        replicas: if is_up { *highest } else { *lowest },
        at: *at,
    };
    let mut loosest = not_the_first(None);
    loosest.recommendations.extend(sure.iter().map(least));
    let mut tightest = loosest.clone();
    tightest.recommendations.extend(range.extremes());
    if past.may_be_empty() {
        // The next sync may be the first, which records the current replicas.
        let recorded = certain.iter().filter(|it| it.by == RecommendationSource::First);
        loosest.recommendations.retain(|it| it.at.is_zero());
        loosest.recommendations.extend(recorded.map(|it| least(&(it.range, it.earliest))));
        let at = past.now + tardiness(past.snapshot);
        // What the same sync has recorded just before is older than a window of no length.
        let snapshot = past.snapshot;
        let counts = snapshot.hpa.behavior.is_none() || window(snapshot, direction) > Duration::ZERO;
        tightest.recommendations.extend(counts.then_some(Recommendation { replicas: current, at }));
    }
    if sources.is_empty() {
        sources.push(MemorySource::NothingAboutRecommendations);
    }
    MemoryBounds { loosest, tightest, is_kept_by_rate: false, last_sync, sources }
}

/// Whether no sync can have come after the last known one.
fn sync_is_last(past: &Past<'_>) -> bool {
    past.unrecorded.is_none_or(|at| at < past.synced_since)
}

/// The last reconcile's own recommendation, if it was used: exactly the desired replicas, or beyond the limit that cut
/// it; with the earliest time at which it was made. With `spec.behavior` a window only brings a recommendation nearer to
/// the count, so what a limit cut was recommended even if a window held it.
fn own_recommendation(past: &Past<'_>, sync: LastSync) -> Option<(ReplicaRange, Instant)> {
    // From zero the count may be raised to minReplicas after the limits.
    let shows_all = past.snapshot.hpa.status.current_replicas > 0
        && past.behavior.is_some()
        && past.status_is_of_this_spec();
    let is_own = sync.stabilization == Seen::OwnStood || sync.limits != Limits::Within && shows_all;
    is_own.then(|| (sync.stabilized(), began::of_status(past, sync)))
}

/// Without `spec.behavior` no recommendation that the last sync remembered was higher than the desired replicas, unless
/// a limit cut it.
fn highest(past: &Past<'_>, sync: LastSync) -> Option<Steps> {
    if past.behavior.is_some() || !past.status_is_of_this_spec() || sync.limits == Limits::CutDown {
        return None;
    }
    let range = (ANY.0, sync.stabilized().1);
    // A sync that failed to write its status may have recommended more, if none has come since. And the status does not
    // show what had left the window by then.
    let unrecorded = past.unrecorded.filter(|at| *at >= past.synced_since);
    let left = past.now - past.keeps() - Duration::from_nanoseconds(1);
    Some(Steps::since(unrecorded.map_or(left, |at| at.max(left)), past.now, range))
}

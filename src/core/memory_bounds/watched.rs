//! From the syncs that a watch has seen to the two memories that bound a decision.

use super::bounds::{MemoryBounds, MemorySource, not_the_first};
use super::window::{longest, window};
use crate::model::{Instant, Memory, Recommendation, Replicas, ScaleEvent};
use crate::snapshot::{Recommended, Snapshot, Watched};
use crate::trace::Direction;

/// Replaces guessed recommendations by observed ones; certain ones enter both bounds. If the watch covers the whole
/// window, nothing else enters the tightest.
pub(super) fn narrow(snapshot: &Snapshot, direction: Option<Direction>, bounds: &mut MemoryBounds) {
    // If no sync has recommended anything, the next one may be the first.
    let Some(watched) = snapshot.history.watched.as_ref().filter(|it| !it.possible.is_empty()) else {
        return;
    };
    let since = snapshot.taken_at - window(snapshot, direction);
    let is_up = direction == Some(Direction::Up) && snapshot.hpa.behavior.is_some();
    let certain = watched.certain.iter().map(|it| Recommendation {
        // The end with the least effect: the highest one limits a scale-up least, the lowest one a scale-down.
        replicas: if is_up { it.highest } else { it.lowest },
        at: it.at,
    });
    bounds.loosest.recommendations.extend(certain);
    if watched.since > since {
        bounds.tightest.recommendations.extend_from_slice(&bounds.loosest.recommendations);
        return;
    }
    let both = watched.possible.iter().flat_map(ends);
    bounds.tightest.recommendations = not_the_first(None).recommendations;
    bounds.tightest.recommendations.extend(both);
    let is_of_recommendations = |it: &MemorySource| {
        matches!(
            it,
            MemorySource::LastStatus
                | MemorySource::NothingAboutRecommendations
                | MemorySource::Rescales
                | MemorySource::FirstSync
        )
    };
    bounds.sources.retain(|it| !is_of_recommendations(it));
    bounds.sources.insert(0, MemorySource::Watched);
}

/// The memory as observed, if the watch covers the longest window and period and each recommendation is exact. Times
/// are the latest possible ones.
pub(super) fn observed(snapshot: &Snapshot) -> Option<Memory> {
    let watched = snapshot.history.watched.as_ref().filter(|watched| is_whole(snapshot, watched))?;
    let since = snapshot.taken_at - longest(snapshot);
    let recent = watched.possible.iter().filter(|it| it.at >= since);
    let was_certain = |it: &Recommended| {
        watched.certain.iter().any(|other| (other.lowest, other.highest) == (it.lowest, it.lowest))
    };
    if !recent.clone().all(|it| it.lowest == it.highest && was_certain(it)) {
        return None;
    }
    if watched.possible.is_empty() {
        return None;
    }
    let mut memory = Memory { recommendations: recent.flat_map(ends).collect(), ..Memory::default() };
    if memory.recommendations.is_empty() {
        memory = not_the_first(None);
    }
    if snapshot.hpa.behavior.is_some() {
        for rescaled in watched.rescaled.iter().filter(|it| it.latest >= since) {
            let change = rescaled.to.0.abs_diff(rescaled.from.0).cast_signed();
            let event = ScaleEvent { change, at: rescaled.latest, outdated: false };
            let events =
                if rescaled.to > rescaled.from { &mut memory.scale_ups } else { &mut memory.scale_downs };
            events.push(event);
        }
    }
    Some(memory)
}

/// Whether nothing from before the watch can matter any more.
fn is_whole(snapshot: &Snapshot, watched: &Watched) -> bool {
    observed_from(snapshot, watched) <= snapshot.taken_at
}

/// Both ends of a recommendation's range, or one if they are the same.
fn ends(it: &Recommended) -> impl Iterator<Item = Recommendation> {
    let highest = Some(it.highest).filter(|highest| *highest != it.lowest);
    let at = it.at;
    std::iter::once(it.lowest).chain(highest).map(move |replicas: Replicas| Recommendation { replicas, at })
}

/// From when on nothing from before the watch can matter.
#[must_use]
pub fn observed_from(snapshot: &Snapshot, watched: &Watched) -> Instant {
    watched.since + longest(snapshot)
}

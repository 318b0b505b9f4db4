//! The scale events that the rates of `spec.behavior` count.

use super::recommendations::{Recall, Reliance, is_quiet};
use crate::model::{Duration, Instant, Memory, Replicas, ScaleEvent};
use crate::snapshot::{Rescale, Snapshot};
use crate::trace::Direction;

/// Adds what can be known of the scale events to both memories.
pub(super) fn recall(
    snapshot: &Snapshot,
    current: Replicas,
    direction: Option<Direction>,
    recall: &mut Recall,
) {
    let longest = snapshot
        .hpa
        .behavior
        .as_ref()
        .map_or(0, |behavior| behavior.up.longest_period().max(behavior.down.longest_period()));
    let period = Duration::from_seconds(i64::from(longest));
    if is_quiet(snapshot, period) {
        recall.reliance.push(Reliance::QuietPeriods);
    } else if let Some(events) = named_changes(snapshot, snapshot.taken_at - period) {
        add(&mut recall.free, &events);
        add(&mut recall.held, &events);
        recall.reliance.push(Reliance::RescaleEvents);
    } else {
        let (at, most) = (snapshot.taken_at, snapshot.hpa.max.0.max(current.0).max(1));
        let change = ScaleEvent { change: most, at, outdated: false };
        // Removals in the period leave room above, additions leave room below: each direction is freed by the
        // other's events and held by its own.
        match direction {
            Some(Direction::Up) => {
                recall.free.scale_downs.push(change);
                recall.held.scale_ups.push(change);
            }
            Some(Direction::Down) => {
                recall.free.scale_ups.push(change);
                recall.held.scale_downs.push(change);
            }
            None => {}
        }
        recall.reliance.push(Reliance::NothingAboutScaleEvents);
    }
}

/// Each change since an instant, if the events name them all: no event is folded, and the size before each is known.
fn named_changes(snapshot: &Snapshot, since: Instant) -> Option<Vec<(Replicas, Replicas, Instant)>> {
    let rescales = &snapshot.signs.rescales;
    let first = rescales.iter().position(|rescale| rescale.last >= since)?;
    let before = rescales.get(first.checked_sub(1)?)?;
    let recent = rescales.get(first..)?;
    let is_plain = |rescale: &Rescale| rescale.count == 1;
    let last_scale = snapshot.hpa.status.last_scale_time?;
    let is_complete =
        recent.last().is_some_and(|rescale| rescale.last + Duration::from_seconds(2) > last_scale);
    if !is_complete || !recent.iter().all(is_plain) {
        return None;
    }
    let sizes = std::iter::once(before.to).chain(recent.iter().map(|rescale| rescale.to));
    Some(sizes.zip(recent).map(|(from, rescale)| (from, rescale.to, rescale.last)).collect())
}

fn add(memory: &mut Memory, changes: &[(Replicas, Replicas, Instant)]) {
    for (from, to, at) in changes {
        let event = ScaleEvent { change: to.0.abs_diff(from.0).cast_signed(), at: *at, outdated: false };
        if to > from { memory.scale_ups.push(event) } else { memory.scale_downs.push(event) }
    }
}

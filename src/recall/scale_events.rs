//! The scale events that the rates of `spec.behavior` count.

use super::recommendations::{Recall, Reliance, is_quiet};
use crate::model::{Duration, Instant, Memory, Replicas, ScaleEvent};
use crate::snapshot::{Rescale, Rescaled, Snapshot};
use crate::trace::Direction;

/// Adds what can be known of the scale events to both memories.
pub(super) fn recall(
    snapshot: &Snapshot,
    current: Replicas,
    direction: Option<Direction>,
    recall: &mut Recall,
) {
    // A policy counts the changes of both directions, but only those of its own direction are asked.
    let longest = snapshot.hpa.behavior.as_ref().map_or(0, |behavior| match direction {
        Some(Direction::Up) => behavior.up.longest_period(),
        Some(Direction::Down) => behavior.down.longest_period(),
        None => behavior.up.longest_period().max(behavior.down.longest_period()),
    });
    let period = Duration::from_seconds(i64::from(longest));
    if let Some([free, held]) = watched_changes(snapshot, period, direction) {
        add(&mut recall.free, &free);
        add(&mut recall.held, &held);
        recall.reliance.push(Reliance::Watched);
    } else if is_quiet(snapshot, period) {
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

/// Each change of a period, if all of it was watched: for the memory that is free, and for the one that is held. When a
/// change was is known to lie between two looks. One that holds the replicas back counts for as short as it can in the
/// first, for as long as it can in the second; one that leaves room the other way round.
fn watched_changes(
    snapshot: &Snapshot,
    period: Duration,
    direction: Option<Direction>,
) -> Option<[Vec<Change>; 2]> {
    let since = snapshot.taken_at - period;
    let watched = snapshot.signs.watched.as_ref().filter(|watched| watched.since <= since)?;
    let holds = |it: &Rescaled| (it.to > it.from) == (direction == Some(Direction::Up));
    let changes = |is_free: bool| -> Option<Vec<Change>> {
        let recent = watched.rescaled.iter().filter(|it| it.latest >= since);
        let change = |it: &Rescaled| {
            let at = if holds(it) == is_free { it.earliest } else { it.latest };
            Change { from: it.from, to: it.to, at }
        };
        let changes: Vec<Change> = recent.map(change).collect();
        are_kept(snapshot, &changes).then_some(changes)
    };
    Some([changes(true)?, changes(false)?])
}

/// Each change since an instant, if the events name them all: no event is folded, the size before each is known, and
/// the controller cannot have overwritten one that still counts. All must be this autoscaler's own: those of one of the
/// same name, deleted since, the controller has forgotten, unless this one came within a sync period.
fn named_changes(snapshot: &Snapshot, since: Instant) -> Option<Vec<Change>> {
    let rescales = &snapshot.signs.rescales;
    let first = rescales.iter().position(|rescale| rescale.last >= since)?;
    let before = rescales.get(first.checked_sub(1)?)?;
    if snapshot.hpa.created.is_some_and(|created| before.first <= created) {
        return None;
    }
    if rescales.iter().any(|rescale| is_at_an_edge(snapshot, rescale)) {
        return None;
    }
    let recent = rescales.get(first..)?;
    let is_plain = |rescale: &Rescale| rescale.count == 1;
    let last_scale = snapshot.hpa.status.last_scale_time?;
    let is_complete =
        recent.last().is_some_and(|rescale| rescale.last + Duration::from_seconds(2) > last_scale);
    if !is_complete || !recent.iter().all(is_plain) {
        return None;
    }
    let sizes = std::iter::once(before.to).chain(recent.iter().map(|rescale| rescale.to));
    let changes: Vec<Change> =
        sizes.zip(recent).map(|(from, rescale)| Change { from, to: rescale.to, at: rescale.last }).collect();
    are_kept(snapshot, &changes).then_some(changes)
}

/// Whether the controller cannot have overwritten any of these with a later one.
fn are_kept(snapshot: &Snapshot, changes: &[Change]) -> bool {
    let is_kept = |(index, change): (usize, &Change)| {
        let period = Duration::from_seconds(i64::from(change.longest_period(snapshot)));
        let later = changes.get(index + 1..).unwrap_or_default();
        later.iter().all(|later| later.is_up() != change.is_up() || change.at >= later.at - period)
    };
    changes.iter().enumerate().all(is_kept)
}

/// Whether a policy's period begins in the very second in which an event was written: events have no finer times, so
/// the controller may count the change or not.
fn is_at_an_edge(snapshot: &Snapshot, rescale: &Rescale) -> bool {
    let behavior = snapshot.hpa.behavior.iter();
    let mut policies =
        behavior.flat_map(|behavior| behavior.up.policies.iter().chain(&behavior.down.policies));
    policies.any(|policy| {
        let since = snapshot.taken_at - Duration::from_seconds(i64::from(policy.period_seconds));
        rescale.last < since && since < rescale.last + Duration::from_seconds(1)
    })
}

/// A change of the replicas that an event names.
#[derive(Clone, Copy)]
struct Change {
    from: Replicas,
    to: Replicas,
    at: Instant,
}

impl Change {
    fn is_up(self) -> bool {
        self.to > self.from
    }

    /// The longest policy period of its direction: once older than that its slot may be overwritten, though a longer
    /// policy of the other direction would still count it.
    fn longest_period(self, snapshot: &Snapshot) -> i32 {
        snapshot.hpa.behavior.as_ref().map_or(0, |behavior| {
            let rules = if self.is_up() { &behavior.up } else { &behavior.down };
            rules.longest_period()
        })
    }
}

fn add(memory: &mut Memory, changes: &[Change]) {
    for change in changes {
        let size = change.to.0.abs_diff(change.from.0).cast_signed();
        let event = ScaleEvent { change: size, at: change.at, outdated: false };
        if change.is_up() { memory.scale_ups.push(event) } else { memory.scale_downs.push(event) }
    }
}

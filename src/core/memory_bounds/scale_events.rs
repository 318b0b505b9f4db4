//! The scale events that the rates of `spec.behavior` count.

use super::bounds::{MemoryBounds, MemorySource};
use super::facts::{Merged, Rescaled, Resized, SizeSource};
use super::past::Past;
use super::rate;
use super::rescales;
use super::resizes;
use super::second::SECOND;
use crate::model::{Duration, Instant, Memory, Policy, PolicyType, Replicas, ScaleEvent};
use crate::snapshot;
use crate::trace::Direction;

/// Adds what can be known of the scale events to both memories.
pub(super) fn add(
    past: &Past<'_>,
    current: Replicas,
    direction: Option<Direction>,
    bounds: &mut MemoryBounds,
) {
    // A policy counts the changes of both directions, but only the policies of its own direction apply.
    let longest = past.snapshot.hpa.behavior.as_ref().map_or(0, |behavior| match direction {
        Some(Direction::Up) => behavior.up.longest_period(),
        Some(Direction::Down) => behavior.down.longest_period(),
        None => behavior.up.longest_period().max(behavior.down.longest_period()),
    });
    let since = past.now - Duration::from_seconds(i64::from(longest));
    if let Some([loosest, tightest]) = watched_changes(past, since, direction) {
        push_all(&mut bounds.loosest, &loosest);
        push_all(&mut bounds.tightest, &tightest);
        bounds.sources.push(MemorySource::Watched);
        return;
    }
    let since = past.begins.map_or(since, |begins| begins.max(since));
    let Some(rescales) = rescales::beside_merged(past, since) else {
        unknown(past, current, direction, bounds);
        bounds.sources.push(MemorySource::NothingAboutScaleEvents);
        return;
    };
    let counted: Vec<&Rescaled> = rescales.iter().filter(|it| past.may_be_remembered(it.second)).collect();
    // What an unknown change has to outweigh, whatever maxReplicas is now.
    let moved = rescales.iter().fold(0, |sum: i32, it| sum.saturating_add(it.known_change()));
    for rescaled in &counted {
        for change in Change::possible(past, rescaled, &rescales, moved, direction) {
            change.add(direction, bounds);
        }
        bounds.sources.push(match rescaled.from.by {
            SizeSource::Given => MemorySource::GivenRescale,
            SizeSource::Status => MemorySource::StatusOfRescale,
            SizeSource::TargetEvent => MemorySource::TargetEvents,
            SizeSource::Chain => MemorySource::TargetGeneration,
            SizeSource::Direction | SizeSource::Nothing => MemorySource::SizeBeforeUnknown(rescaled.second),
        });
    }
    for merged in rescales::merged(past, since) {
        for change in Change::hidden(past, &merged, since, moved, direction) {
            (0..merged.between).for_each(|_| change.add(direction, bounds));
        }
        bounds.sources.push(MemorySource::MergedRescales);
    }
    for resized in resizes::unexplained(past, since, &rescales) {
        Change::lost(past, resized, moved, direction).add(direction, bounds);
        bounds.sources.push(MemorySource::ResizedByWhom(resized.second));
    }
    if rate::keeps(past, direction) {
        bounds.is_kept_by_rate = true;
        bounds.sources.push(MemorySource::LastStatus);
    }
    bounds.sources.push(if counted.is_empty() {
        MemorySource::QuietPeriods
    } else {
        MemorySource::RescaleEvents
    });
}

/// Nothing is known: removals within the period leave room to scale up, additions leave room to scale down. So each
/// direction is loosened by the events of the other and limited by its own.
fn unknown(past: &Past<'_>, current: Replicas, direction: Option<Direction>, bounds: &mut MemoryBounds) {
    let Some(direction) = direction else { return };
    let is_up = direction == Direction::Up;
    // After as large a change as the bounds allow no policy limits the other direction.
    let limits = Some(direction);
    let frees = fitting(past, limits, current, !is_up, size(past, current));
    let holds = most(past, limits, current, is_up);
    for (memory, is_up, change) in
        [(&mut bounds.loosest, !is_up, frees), (&mut bounds.tightest, is_up, holds)]
    {
        push(memory, is_up, ScaleEvent { change, at: past.now, outdated: false });
    }
}

fn size(past: &Past<'_>, current: Replicas) -> i64 {
    past.snapshot.hpa.max.0.max(current.0).max(1).into()
}

/// A change after which every policy that can limit its direction does. To exhaust a policy that removes 90 percent,
/// nine times the count must have been removed. Rescales that somebody reverts again and again add up to more than
/// maxReplicas.
fn most(past: &Past<'_>, limits: Option<Direction>, current: Replicas, is_up: bool) -> i32 {
    let size = size(past, current);
    let enough = policies(past, limits).map(|policy| match (policy.kind, i64::from(policy.value)) {
        (PolicyType::Pods, value) => value.min(size * 16),
        (PolicyType::Percent, value) if value < 100 => size * value / (100 - value) + 1,
        (PolicyType::Percent, _) => size,
    });
    fitting(past, limits, current, is_up, enough.fold(size, i64::max))
}

/// Those that apply: of the direction that is limited, or of both where it is not known.
fn policies<'a>(past: &Past<'a>, limits: Option<Direction>) -> impl Iterator<Item = &'a Policy> + use<'a> {
    let behavior = past.snapshot.hpa.behavior.iter();
    behavior.flat_map(move |behavior| {
        let directions = [Direction::Up, Direction::Down].into_iter();
        let applying = directions.filter(move |it| limits.is_none_or(|limits| limits == *it));
        applying.flat_map(|it| &it.rules(behavior).policies)
    })
}

/// As much of a change as leaves the count before it, and what a policy makes of that, in an int32.
fn fitting(past: &Past<'_>, limits: Option<Direction>, current: Replicas, is_up: bool, change: i64) -> i32 {
    let room = policies(past, limits).map(|policy| match (policy.kind, i64::from(policy.value)) {
        (PolicyType::Pods, value) => INT32 - value,
        (PolicyType::Percent, value) => INT32 * 100 / (100 + value),
    });
    let (room, current) = (room.fold(INT32, i64::min), i64::from(current.0));
    let room = if is_up { room.saturating_add(current).min(INT32) } else { room - current };
    i32::try_from(change.min(room)).unwrap_or(1).max(1)
}

const INT32: i64 = i32::MAX as i64;

/// The changes of a period, if a watch saw all of it: for the loosest memory and for the tightest. A change lies
/// between two looks. One that limits the replicas counts as briefly as possible in the loosest, as long as possible in
/// the tightest; one that leaves room the other way round.
fn watched_changes(
    past: &Past<'_>,
    since: Instant,
    direction: Option<Direction>,
) -> Option<[Vec<Change>; 2]> {
    let watched = past.snapshot.history.watched.as_ref().filter(|watched| watched.since <= since)?;
    let holds = |it: &snapshot::Rescaled| (it.to > it.from) == (direction == Some(Direction::Up));
    let changes = |is_free: bool| -> Option<Vec<Change>> {
        let recent = watched.rescaled.iter().filter(|it| it.latest >= since);
        let change = |it: &snapshot::Rescaled| {
            let at = if holds(it) == is_free { it.earliest } else { it.latest };
            let size = it.to.0.abs_diff(it.from.0).cast_signed();
            Change { is_up: it.to > it.from, sizes: (size, size), at: (at, at), is_certain: true }
        };
        let changes: Vec<Change> = recent.map(change).collect();
        let is_kept = |change: &Change| {
            let later = changes.iter().filter(|it| it.is_up == change.is_up).map(|it| it.at.1);
            is_kept(past, change.is_up, change.at.0, later.max())
        };
        changes.iter().all(is_kept).then_some(changes)
    };
    Some([changes(true)?, changes(false)?])
}

/// A change of the replicas that may be in the memory.
#[derive(Clone, Copy)]
struct Change {
    is_up: bool,
    /// The least and the most that it can be.
    sizes: (i32, i32),
    /// When it can have happened.
    at: (Instant, Instant),
    /// Whether it is certainly in the memory.
    is_certain: bool,
}

impl Change {
    /// The changes that a rescale may have stored: one, or one of either direction.
    fn possible(
        past: &Past<'_>,
        rescaled: &Rescaled,
        all: &[Rescaled],
        moved: i32,
        limits: Option<Direction>,
    ) -> Vec<Self> {
        let Rescaled { second, from, to, .. } = *rescaled;
        let last_nanosecond = second + Duration::from_nanoseconds(SECOND.nanoseconds() - 1);
        let is_stored = Stored::of(past, rescaled);
        if is_stored == Stored::Never {
            return Vec::new();
        }
        let change = |is_up: bool| {
            let size = |from: Replicas| to.0.abs_diff(from.0).cast_signed().max(1);
            let nearest = if is_up { to.0.saturating_sub(1) } else { to.0.saturating_add(1) };
            let (lowest, highest) = if is_up {
                (from.lowest, Replicas(from.highest.0.min(nearest)))
            } else {
                (Replicas(from.lowest.0.max(nearest)), from.highest)
            };
            let later = all.iter().filter(|it| it.second > second && it.is_up() != Some(!is_up));
            let newest = later.map(|it| it.second + SECOND).max();
            let sizes = (size(lowest).min(size(highest)), size(lowest).max(size(highest)));
            // One that is known is not cut down; of the others no more is needed than outweighs all that are.
            let enough = most(past, limits, Replicas(to.0.saturating_add(moved)), is_up);
            Self {
                is_up,
                sizes: (sizes.0, sizes.1.min(enough.max(sizes.0))),
                at: (second, last_nanosecond),
                is_certain: is_stored == Stored::Surely
                    && rescaled.is_up() == Some(is_up)
                    && past.is_remembered(second)
                    && is_kept(past, is_up, second, newest),
            }
        };
        match rescaled.is_up() {
            Some(is_up) => vec![change(is_up)],
            None => vec![change(true), change(false)],
        }
    }

    /// The changes that each of the rescales between the first and the last of equal ones may have stored.
    fn hidden(
        past: &Past<'_>,
        merged: &Merged,
        since: Instant,
        moved: i32,
        limits: Option<Direction>,
    ) -> Vec<Self> {
        let at = (merged.first.second.max(since), merged.last + SECOND);
        // From which size the first one was shows nothing of the others.
        let first = Rescaled { from: merged.from, ..merged.first };
        let changes = Self::possible(past, &first, &[], moved, limits).into_iter();
        changes.map(|change| Self { at, is_certain: false, ..change }).collect()
    }

    /// The change that a resize by an unknown writer may have stored. If only its new size is known, the largest
    /// possible one.
    fn lost(past: &Past<'_>, resized: Resized, moved: i32, limits: Option<Direction>) -> Self {
        let Resized { second, is_up, from, to } = resized;
        let current = past.replicas.unwrap_or(to);
        let enough = || most(past, limits, Replicas(current.0.saturating_add(moved)), is_up);
        let size = from.map_or_else(enough, |from| to.0.abs_diff(from.0).cast_signed());
        let at = (second - SECOND, second + SECOND);
        Self { is_up, sizes: (size, size), at, is_certain: false }
    }

    /// Adds as little as possible of what limits and as much as possible of what loosens to one memory; the opposite to
    /// the other.
    fn add(self, direction: Option<Direction>, bounds: &mut MemoryBounds) {
        let holds = self.is_up == (direction == Some(Direction::Up));
        let (least, most) = ((self.sizes.0, self.at.0), (self.sizes.1, self.at.1));
        let least = self.is_certain.then_some(least);
        let (loosest, tightest) = if holds { (least, Some(most)) } else { (Some(most), least) };
        for (memory, change) in [(&mut bounds.loosest, loosest), (&mut bounds.tightest, tightest)] {
            let Some((size, at)) = change else { continue };
            push(memory, self.is_up, ScaleEvent { change: size, at, outdated: false });
        }
    }
}

/// Whether a rescale was stored: only with `spec.behavior` the controller stores any (upstream `storeScaleEvent`).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stored {
    Surely,
    Maybe,
    Never,
}

impl Stored {
    fn of(past: &Past<'_>, rescaled: &Rescaled) -> Self {
        // The sync that wrote the last status saw the spec of its generation, however new that was.
        let is_of_status = rescaled.from.by == SizeSource::Status && past.status_is_of_this_spec();
        let had_this = past.had_this_behavior(rescaled.second) || past.is_of_first_spec(rescaled.second);
        match (is_of_status || had_this, past.behavior) {
            (true, Some(_)) => Self::Surely,
            (true, None) => Self::Never,
            (false, _) => Self::Maybe,
        }
    }
}

/// Whether the controller cannot have overwritten a change with a later one of its direction: once a change is older
/// than the longest period of its direction its slot may be reused, though a longer policy of the other direction would
/// still count it.
fn is_kept(past: &Past<'_>, is_up: bool, at: Instant, later: Option<Instant>) -> bool {
    let longest = past.behavior.map_or(0, |behavior| {
        let rules = if is_up { &behavior.up } else { &behavior.down };
        rules.longest_period()
    });
    later.is_none_or(|later| at >= later - Duration::from_seconds(i64::from(longest)))
}

fn push_all(memory: &mut Memory, changes: &[Change]) {
    for change in changes {
        push(memory, change.is_up, ScaleEvent { change: change.sizes.0, at: change.at.0, outdated: false });
    }
}

fn push(memory: &mut Memory, is_up: bool, event: ScaleEvent) {
    if is_up { memory.scale_ups.push(event) } else { memory.scale_downs.push(event) }
}

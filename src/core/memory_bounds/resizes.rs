//! The sizes of a Deployment's only ReplicaSet, according to the Deployment's events.

use super::facts::{Rescaled, Resized};
use super::past::Past;
use super::second::SECOND;
use crate::model::{Duration, Instant, Replicas};
use crate::snapshot::Resize;

/// How long after a change of the pod template several ReplicaSets may exist.
const ROLLOUT: Duration = Duration::from_nanoseconds(600_000_000_000);

/// The sizes before a change to a size at about a second, each once. While there are several ReplicaSets, none of them
/// has the size of the whole target. And a deployment controller that has just started makes all changes at once that
/// were written while none ran.
pub(super) fn before(past: &Past<'_>, second: Instant, to: Replicas) -> Vec<Replicas> {
    if is_rolling_out(past, second) || past.had_just_started(second) {
        return Vec::new();
    }
    let its = changes(past).into_iter().filter(|it| it.to == to && follows(it, second));
    let mut found: Vec<Replicas> = its.filter_map(|it| it.from).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// True if nothing else changed the size at about a second: a deployment controller makes changes that follow on each other at
/// once.
pub(super) fn alone(past: &Past<'_>) -> impl Fn(Instant) -> bool + use<> {
    let seconds: Vec<Instant> = changes(past).into_iter().map(|it| it.second).collect();
    move |second| {
        let before = seconds.partition_point(|it| *it + SECOND + SECOND < second);
        let until = seconds.partition_point(|it| *it <= second + SECOND + SECOND);
        until - before <= 1
    }
}

/// Whether a change at about a second is the first of those that an event combines: to which size it was is not known.
pub(super) fn begins_a_combined_event(past: &Past<'_>, second: Instant) -> bool {
    let mut combined = past.snapshot.history.target.resizes.iter().filter(|it| it.is_combined);
    combined.any(|it| is_soon(it.first, second))
}

/// Whether a change to a size follows at about a second.
pub(super) fn follows_any(past: &Past<'_>, second: Instant, to: Replicas) -> bool {
    changes(past).iter().any(|it| it.to == to && follows(it, second))
}

/// The changes since an instant that none of these rescales explains: somebody else made them, or the event of the
/// rescale was lost.
pub(super) fn unexplained(past: &Past<'_>, since: Instant, rescales: &[Rescaled]) -> Vec<Resized> {
    let is_its = |it: &Resized, rescaled: &Rescaled| rescaled.to == it.to && follows(it, rescaled.second);
    let recent = changes(past).into_iter().filter(|it| it.second + SECOND > since);
    recent
        // A change before the first evidence of another ReplicaSet is not part of a rollout.
        .filter(|it| !has_several(past, it.second, SECOND))
        .filter(|it| !rescales.iter().any(|rescaled| is_its(it, rescaled)))
        .collect()
}

/// Whether one follows each of these rescales since an instant. If not, events of the target are missing.
pub(super) fn follow_all(past: &Past<'_>, since: Instant, rescales: &[Rescaled]) -> bool {
    let is_followed = |it: &Rescaled| follows_any(past, it.second, it.to);
    rescales.iter().filter(|it| it.second + SECOND > since).all(is_followed)
}

/// The changes that are changes of the whole target: time and new size.
pub(super) fn of_all(past: &Past<'_>) -> Vec<(Instant, Replicas)> {
    let changes = changes(past).into_iter().filter(|it| !is_rolling_out(past, it.second));
    changes.map(|it| (it.second, it.to)).collect()
}

/// Whether each change since an instant begins where the previous one ended. If not, an event was lost.
pub(super) fn are_unbroken(past: &Past<'_>, since: Instant) -> bool {
    let resizes = &past.snapshot.history.target.resizes;
    let is_folded = |it: &Resize| it.count > if it.is_combined { 1 } else { 2 };
    if resizes.iter().any(is_folded) {
        return true; // their order is not known
    }
    let all = changes(past);
    let pairs = all.iter().zip(all.iter().skip(1));
    let mut recent = pairs.filter(|(_, later)| later.second + SECOND > since);
    recent.all(|(one, other)| {
        let is_same_second = one.second == other.second;
        is_same_second
            || is_rolling_out(past, other.second)
            || other.from.is_none_or(|from| from == one.to)
            || all.iter().any(|it| it.second == one.second && Some(it.to) == other.from)
    })
}

/// Each change that an event reports by itself, oldest first.
fn changes(past: &Past<'_>) -> Vec<Resized> {
    let mut changes = Vec::new();
    for resize in &past.snapshot.history.target.resizes {
        let at = |second: Instant| Resized { second, is_up: resize.is_up, from: resize.from, to: resize.to };
        changes.push(at(resize.last));
        if resize.count > 1 && !resize.is_combined {
            changes.push(at(resize.first));
        }
    }
    changes.sort_by_key(|it| it.second);
    changes
}

/// The deployment controller follows within the same second or the next.
fn follows(it: &Resized, second: Instant) -> bool {
    is_soon(it.second, second)
}

fn is_soon(at: Instant, second: Instant) -> bool {
    second - SECOND <= at && at <= second + SECOND + SECOND
}

fn is_rolling_out(past: &Past<'_>, second: Instant) -> bool {
    has_several(past, second, ROLLOUT)
}

/// Whether there is evidence of several ReplicaSets at about a second: from [`ROLLOUT`] before it until `after` it.
fn has_several(past: &Past<'_>, second: Instant, after: Duration) -> bool {
    let is_near = |it: &&Resize| it.first <= second + after && second <= it.last + ROLLOUT;
    let near = past.snapshot.history.target.resizes.iter().filter(is_near);
    let mut names = near.map(|it| &it.replica_set);
    let first = names.next();
    names.any(|name| Some(name) != first)
}

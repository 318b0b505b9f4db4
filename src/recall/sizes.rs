//! From which size the controller scaled: its events tell only to which.

use super::past::{Past, SECOND};
use super::rescales::of_status;
use crate::model::{Duration, Instant, Replicas};
use crate::snapshot::{RescaleSign, Resize};

/// A size between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub lowest: Replicas,
    pub highest: Replicas,
    /// What tells it.
    pub by: SizeSign,
}

/// What tells a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SizeSign {
    /// Somebody who knows.
    Given,
    /// `status.currentReplicas`, as the sync that rescaled wrote it.
    Status,
    /// The Deployment's own event about it.
    TargetEvent,
    /// Only the direction, by the reason of the controller's event.
    Direction,
    /// Nothing.
    Nothing,
}

/// The size before a rescale to a size, in a second.
pub(super) fn before(past: &Past<'_>, second: Instant, to: Replicas, reason: RescaleSign) -> Sizes {
    let exact = |from: Replicas, by| Sizes { lowest: from, highest: from, by };
    let is_then = |at: Instant| at <= second + SECOND && second <= at + SECOND;
    let given = past.snapshot.signs.given.iter().find(|(at, _)| is_then(*at));
    if let Some((_, from)) = given {
        return exact(*from, SizeSign::Given);
    }
    let bounds = by_reason(past, second, to, reason);
    let agrees = |from: Replicas| bounds.lowest <= from && from <= bounds.highest && from != to;
    if let Some((at, from, size)) = of_status(past)
        && (is_then(at), size, agrees(from)) == (true, to, true)
    {
        return exact(from, SizeSign::Status);
    }
    match by_target(past, second, to).as_slice() {
        [from] if agrees(*from) => exact(*from, SizeSign::TargetEvent),
        _ => bounds,
    }
}

/// With `spec.behavior` the reason of a rescale tells its direction: no window and no policy turns it round. Without, an
/// earlier recommendation may have raised the count although the metrics wanted fewer.
fn by_reason(past: &Past<'_>, second: Instant, to: Replicas, reason: RescaleSign) -> Sizes {
    let none = Sizes { lowest: Replicas(0), highest: Replicas(i32::MAX), by: SizeSign::Nothing };
    let above = Replicas(to.0.saturating_add(1));
    let below = Replicas(to.0.saturating_sub(1));
    let has_behavior = past.behavior.is_some() && past.had_this_spec(second);
    // More than maxReplicas there cannot have been: then it would have said so.
    let most = if has_behavior { past.max } else { none.highest };
    match reason {
        RescaleSign::AboveTarget | RescaleSign::BelowMin => {
            Sizes { highest: below, by: SizeSign::Direction, ..none }
        }
        RescaleSign::AboveMax => Sizes { lowest: above, by: SizeSign::Direction, ..none },
        RescaleSign::BelowTarget if has_behavior => {
            Sizes { lowest: above, highest: most.max(above), by: SizeSign::Direction }
        }
        RescaleSign::BelowTarget | RescaleSign::Unclear => none,
    }
}

/// For so long after a change of the template ReplicaSets may grow and shrink beside each other.
const ROLLOUT: Duration = Duration::from_nanoseconds(600_000_000_000);

/// The sizes from which the target's only ReplicaSet came to a size in about a second, each once. While there are several,
/// none of them is as large as the target.
fn by_target(past: &Past<'_>, second: Instant, to: Replicas) -> Vec<Replicas> {
    let resizes = &past.snapshot.signs.target.resizes;
    let is_near = |resize: &&Resize| {
        resize.first <= second + ROLLOUT && second <= resize.last + ROLLOUT
    };
    let mut near = resizes.iter().filter(is_near).map(|resize| &resize.replica_set);
    let first = near.next();
    if near.any(|name| Some(name) != first) {
        return Vec::new();
    }
    // The deployment controller follows within the second, or in the next.
    let is_then = |at: Instant| second - SECOND <= at && at <= second + SECOND + SECOND;
    let is_its = |resize: &&Resize| {
        let is_first = is_then(resize.first) && !resize.is_combined;
        resize.to == to && (is_then(resize.last) || is_first)
    };
    let mut found: Vec<Replicas> = resizes.iter().filter(is_its).filter_map(|resize| resize.from).collect();
    found.sort();
    found.dedup();
    found
}

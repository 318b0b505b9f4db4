//! Since when a sync can have recommended what it wrote later. One sync of an HPA ends before the next one begins, so what an
//! earlier one did came before; and it sets the conditions right after it recommended something.

use super::facts::Rescaled;
use super::last_sync::{LastSync, Seen};
use super::past::Past;
use super::second::{SECOND, SYNC};
use crate::api::ConditionType;
use crate::model::Instant;

/// The conditions that a sync sets before it writes anything.
const EARLY: [ConditionType; 3] =
    [ConditionType::AbleToScale, ConditionType::ScalingActive, ConditionType::ScalingLimited];

/// The sync of the last status.
pub(super) fn of_status(past: &Past<'_>, sync: LastSync) -> Instant {
    let status = &past.snapshot.hpa.status;
    let scaled = status.last_scale_time.filter(|_| sync.stabilization != Seen::Overwritten);
    let signs = [scaled, turned(past, past.now), past.snapshot.hpa.created];
    signs.into_iter().flatten().fold(sync.earliest - SYNC, Instant::max).min(sync.latest)
}

/// The sync that scaled in a second; `known` has every known rescale.
pub(super) fn of_rescale(past: &Past<'_>, second: Instant, known: &[Rescaled]) -> Instant {
    let started = past.snapshot.controller.started_at().unwrap_or(Instant::ZERO);
    let earlier = known.iter().map(|it| it.second).filter(|at| started <= *at && *at < second).max();
    let created = past.snapshot.hpa.created.filter(|_| past.is_told(second));
    let signs = [earlier, turned(past, second), created];
    signs.into_iter().flatten().fold(second - SYNC, Instant::max).min(second)
}

/// When one of these conditions changed last, before an instant.
fn turned(past: &Past<'_>, before: Instant) -> Option<Instant> {
    let times =
        EARLY.iter().filter_map(|kind| past.snapshot.hpa.status.condition(kind)?.last_transition_time);
    times.filter(|at| *at < before).max().map(|at| at - SECOND)
}

//! What it tells that a rate of `spec.behavior` limited the last sync.

use super::began;
use super::facts::Rescaled;
use super::last_sync::{LastSync, Seen};
use super::past::{Past, reason};
use super::second::SECOND;
use super::{rescales, resizes};
use crate::api::{ConditionReason, ConditionType};
use crate::model::{Duration, Instant, Policy, PolicyType};
use crate::trace::Direction;

/// Whether the rates keep the count as it is. By the last status they allowed no other one, and what they count has been the
/// same since: no change has been added, and none that used them up has left its policy's period.
pub(super) fn keeps(past: &Past<'_>, direction: Option<Direction>) -> bool {
    let status = &past.snapshot.hpa.status;
    let (Some(behavior), Some(sync)) = (past.behavior, LastSync::of(past.snapshot)) else { return false };
    let (rules, is_up) = match (reason(status, ConditionType::ScalingLimited), direction) {
        (Some(ConditionReason::ScaleUpLimit), Some(Direction::Up)) => (&behavior.up, true),
        (Some(ConditionReason::ScaleDownLimit), Some(Direction::Down)) => (&behavior.down, false),
        _ => return false,
    };
    // Of more than 100 percent what was added limits a scale-down.
    let is_inverted = |it: &Policy| !is_up && it.kind == PolicyType::Percent && it.value > 100;
    let Some(written) = sync.written else { return false };
    let started = past.snapshot.controller.started_at().unwrap_or(Instant::ZERO);
    let is_of_now = !rules.policies.iter().any(is_inverted)
        && past.status_is_of_this_spec()
        && past.snapshot.hpa.behavior.as_ref() == past.behavior
        && [past.replicas, past.scaled()] == [Some(sync.desired); 2]
        && past.unrecorded.is_none_or(|at| at < written)
        && started + SECOND <= written;
    if !is_of_now {
        return false;
    }
    let limited = began::of_status(past, sync);
    let since = limited - Duration::from_seconds(i64::from(rules.longest_period()));
    let since = past.begins.map_or(since, |begins| begins.max(since));
    let Some(all) = rescales::since(past, since) else { return false };
    let may_leave = |it: &Rescaled| {
        let mut periods =
            rules.policies.iter().map(|it| Duration::from_seconds(i64::from(it.period_seconds)));
        periods.any(|period| limited <= it.second + SECOND + period && it.second + period <= past.now)
    };
    // If that sync scaled, what it stored may have taken the place of a change that is counted, but was too old for an earlier
    // behavior. That needs two changes of then: one that is stored leaves the places of all but one that are too old.
    let has_scaled = sync.stabilization == Seen::Overwritten;
    let earlier = all.iter().rev().skip(1).filter(|it| it.is_up() != Some(!is_up));
    if has_scaled && earlier.filter(|it| !past.had_this_behavior(it.second)).count() > 1 {
        return false;
    }
    all.iter().all(|it| it.second <= written && (it.is_up() == Some(!is_up) || !may_leave(it)))
        && resizes::unexplained(past, since, &all).is_empty()
}

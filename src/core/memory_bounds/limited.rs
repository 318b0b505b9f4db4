//! What the time of the condition ScalingLimited tells of the recommendations. A sync sets the condition only after it has
//! recommended something, and the time changes only with the condition's status, not with its reason.

use super::past::{Past, reason, tardiness};
use super::range::{ANY, Certain, RecommendationSource, ReplicaRange};
use super::second::{SECOND, SYNC};
use crate::api::{ConditionReason, ConditionType, HpaStatus};
use crate::model::{Instant, Replicas};

/// The recommendations that the controller made by the times of its conditions.
pub(super) fn limited(past: &Past<'_>) -> Option<Certain> {
    let (range, earliest) = if past.behavior.is_some() { beside_the_count(past) } else { above_max(past) }?;
    Some(Certain { range, earliest, by: RecommendationSource::Status })
}

/// With `spec.behavior` a condition that turned False while the count stayed the same shows two syncs that remembered
/// different things. In the one before, the windows made another size than the count of them, and a limit kept the count; in
/// the one that turned it, they made the count. So one of the two recommended at least the count, and one at most. If the
/// controller was restarted between them, the first sync afterwards recorded the count itself.
fn beside_the_count(past: &Past<'_>) -> Option<(ReplicaRange, Instant)> {
    let status = &past.snapshot.hpa.status;
    let count = past.replicas.filter(|count| *count > Replicas(0))?;
    // Before 1.30 metrics may fail without a trace in ScalingActive: the condition that is set has no type.
    if status.conditions.iter().any(|condition| condition.kind.is_empty()) {
        return None;
    }
    let turned = since(status, ConditionType::ScalingLimited, "False")?;
    // A sync in which nothing failed sets the condition. From this second on each did, so one did before the condition turned.
    let succeeds = able_since(status)?.max(since(status, ConditionType::ScalingActive, "True")? + SECOND);
    let before = (turned - tardiness(past.snapshot)).max(succeeds - SECOND - SYNC);
    let since =
        [past.count_since?, past.snapshot.history.failed_rescale.map_or(Instant::ZERO, |at| at + SECOND)];
    let is_known = succeeds <= turned
        && since.into_iter().all(|since| since <= before)
        && past.has_kept(before)
        && past.is_recorded(before, turned + SECOND);
    is_known.then_some(((count, count), before))
}

/// Without it, as long as the condition was False no sync remembered a recommendation above maxReplicas. So since it turned
/// True, one recommended what was cut down to that.
fn above_max(past: &Past<'_>) -> Option<(ReplicaRange, Instant)> {
    let status = &past.snapshot.hpa.status;
    let turned = since(status, ConditionType::ScalingLimited, "True")?;
    // An earlier status had the condition, too.
    let is_turn =
        since(status, ConditionType::ScalingActive, "True").is_some_and(|active| active + SECOND <= turned);
    let is_max = reason(status, ConditionType::ScalingLimited) == Some(ConditionReason::TooManyReplicas);
    // What is older was not remembered any more, and the first sync may have remembered any count.
    let oldest = turned - past.keeps();
    let created = past.snapshot.hpa.created.map_or(oldest, |created| oldest.max(created + SECOND));
    let started = past.snapshot.controller.started_at().unwrap_or(Instant::ZERO);
    let is_known = past.had_this_spec(created)
        && started + tardiness(past.snapshot) <= oldest
        && past.is_recorded(oldest, turned + SECOND);
    let range = (Replicas(past.max.0.saturating_add(1)), ANY.1);
    (is_turn && is_max && is_known).then_some((range, turned))
}

/// When a sync can have recommended something at the latest: none has since the metrics fail.
pub(super) fn last_recommended(past: &Past<'_>) -> Instant {
    let failed = since(&past.snapshot.hpa.status, ConditionType::ScalingActive, "False");
    // A first sync remembers the current replicas even then.
    let started = past.snapshot.controller.started_at().unwrap_or(Instant::ZERO);
    let is_known = |failed: &Instant| {
        started + tardiness(past.snapshot) <= *failed
            && past.unrecorded.is_none_or(|at| at <= *failed)
            && past.is_recorded(*failed, past.now)
    };
    failed.filter(is_known).map_or(past.now, |failed| failed + SECOND)
}

/// Since when a condition has had a status.
fn since(status: &HpaStatus, kind: ConditionType, is: &str) -> Option<Instant> {
    let found = status.condition(kind)?;
    found.last_transition_time.filter(|_| found.status == is)
}

/// Since when no status has reported that the scale could not be read or written (the event for that may be lost);
/// `None` if the last status reports it.
pub(super) fn able_since(status: &HpaStatus) -> Option<Instant> {
    let able = status.condition(ConditionType::AbleToScale)?;
    (able.status == "True").then(|| able.last_transition_time.map_or(Instant::ZERO, |at| at + SECOND))
}

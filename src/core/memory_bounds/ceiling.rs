//! The range in which the controller's recommendations lie, and until when.

use super::facts::Rescaled;
use super::held::held;
use super::limited::{able_since, limited};
use super::past::{Past, tardiness};
use super::range::{ANY, Certain, RecommendationSource, ReplicaRange, Steps};
use super::second::SECOND;
use super::status_fingerprint::implied_range;
use super::{began, rescales};

use crate::model::{Duration, Instant, Replicas};
use crate::snapshot::RescaleEventReason;

/// The ranges of all recommendations.
pub(super) fn steps(past: &Past<'_>) -> Steps {
    let steps = since_written(past);
    quiet(past).map_or_else(|| steps.clone(), |quiet| steps.and(&quiet))
}

/// While one status stands, every sync recommended what leads to it.
fn since_written(past: &Past<'_>) -> Steps {
    let written =
        past.snapshot.history.status_written.map(|at| (at + SECOND).max(past.unrecorded.unwrap_or(at)));
    // The first sync records the current replicas as its recommendation, whatever the status says (upstream
    // `recordInitialRecommendation`).
    let first = past.snapshot.controller.started_at().map(|started| started + tardiness(past.snapshot));
    let written = written.map(|at| at.max(first.unwrap_or(at)));
    match (implied_range(past.snapshot), written) {
        (Some(range), Some(written)) if past.status_is_of_this_spec() => {
            Steps::since(written, past.now, range)
        }
        _ => Steps::all(past.now, ANY),
    }
}

/// While nobody changes the replicas and nothing keeps the controller from adding some, no sync recommended more.
fn quiet(past: &Past<'_>) -> Option<Steps> {
    let current = past.replicas?;
    let status = &past.snapshot.hpa.status;
    let is_free = Replicas(0) < current && current < past.max && !past.may_have_lost_behavior();
    let rescaled = rescales::known(past).last().map(|it| it.second);
    let since = [
        past.count_since?,
        past.spec_since?,
        rescaled.max(status.last_scale_time).map_or(Instant::ZERO, |at| at + SECOND),
        past.snapshot.history.failed_rescale.map_or(Instant::ZERO, |at| at + SECOND),
        able_since(status)?,
    ];
    let since = since.into_iter().max()? + blocked_for(past)?;
    is_free.then(|| Steps::since(since, past.now, (Replicas(0), current)))
}

/// For how long after its last change a count may be kept from rising; `None` if there is no limit.
fn blocked_for(past: &Past<'_>) -> Option<Duration> {
    use crate::model::SelectPolicy;
    let Some(behavior) = past.behavior else { return Some(Duration::ZERO) };
    let is_open =
        behavior.up.window_seconds.unwrap_or(0) == 0 && behavior.up.select != SelectPolicy::Disabled;
    is_open.then(|| Duration::from_seconds(behavior.up.longest_period().into()))
}

/// The recommendations that the controller certainly remembers, apart from that of its last sync.
pub(super) fn certain(past: &Past<'_>) -> Vec<Certain> {
    let known = rescales::known(past);
    // Under an earlier spec with a shorter window it may have been dropped.
    let is_kept = |it: &&Rescaled| {
        past.is_remembered(it.second) && (past.has_kept(it.second) || past.is_of_first_spec(it.second))
    };
    let recent = known.iter().filter(is_kept);
    let of_rescale = recent.filter_map(|it| {
        let range = wanted(past, it)?;
        let earliest = began::of_rescale(past, it.second, &known);
        Some(Certain { range, earliest, by: RecommendationSource::Rescale })
    });
    let kept = past.now - past.keeps();
    let all = of_rescale.chain(risen(past, &known)).chain(first(past)).chain(limited(past)).chain(held(past));
    all.filter(|it| it.earliest >= kept).collect()
}

/// The range of the recommendation behind a rescale.
fn wanted(past: &Past<'_>, rescaled: &Rescaled) -> Option<ReplicaRange> {
    let has_behavior = past.behavior.is_some();
    match rescaled.reason {
        RescaleEventReason::AboveTarget if has_behavior => Some((rescaled.to, ANY.1)),
        RescaleEventReason::AboveTarget => Some((Replicas(rescaled.from.lowest.0.saturating_add(1)), ANY.1)),
        RescaleEventReason::BelowTarget if has_behavior || rescaled.is_up() == Some(false) => {
            Some((ANY.0, rescaled.to))
        }
        RescaleEventReason::BelowTarget
        | RescaleEventReason::AboveMax
        | RescaleEventReason::BelowMin
        | RescaleEventReason::Unclear => None,
    }
}

/// Without `spec.behavior` a scale-up ends at the highest recommendation of the window. If nobody but the controller
/// changed the count for a whole window before, a higher recommendation would have raised it already. So the size at
/// the end was recommended after the scale-up began, in one sync or in several that each doubled the count.
fn risen(past: &Past<'_>, known: &[Rescaled]) -> Option<Certain> {
    let last = known.last().filter(|it| it.reason == RescaleEventReason::AboveTarget)?;
    let is_one_rise = |(one, other): &(&Rescaled, &Rescaled)| {
        // From which size the other one was may not be known.
        one.reason == RescaleEventReason::AboveTarget
            && other.from.lowest <= one.to
            && one.to <= other.from.highest
    };
    let pairs = known.iter().rev().skip(1).zip(known.iter().rev());
    let first = pairs.take_while(is_one_rise).last().map_or(last, |(one, _)| one);
    // If the memory began empty, there was nothing before it.
    let began = past.begins.filter(|_| past.begins_empty()).map(|begins| begins + SECOND);
    let since = (first.second - past.keeps()).max(began.unwrap_or(Instant::ZERO)).min(first.second);
    // A failed write may be visible in the status only: its event may have been dropped.
    let is_able = able_since(&past.snapshot.hpa.status).is_some_and(|at| at <= since);
    let is_alone = past.behavior.is_none()
        && is_able
        && past.had_this_spec(since)
        && rescales::is_untouched_since(past, since, known);
    let range = (last.to, ANY.1);
    let earliest = began::of_rescale(past, first.second, known);
    is_alone.then_some(Certain { range, earliest, by: RecommendationSource::Rescale })
}

/// With an empty memory the first sync records the current replicas (upstream `recordInitialRecommendation`). If none has
/// happened yet, the next one is the first, and records the same count.
fn first(past: &Past<'_>) -> Option<Certain> {
    if !past.begins_empty() {
        return None;
    }
    let (begins, current) = (past.begins?, past.replicas?);
    let is_next = past.scaled() == Some(current) && past.had_this_spec(begins);
    let has_synced = past.has_synced_since(begins + SECOND) && !past.may_be_empty();
    let is_same = past.count_since.is_some_and(|since| since <= begins);
    let range = (current, current);
    ((has_synced || is_next) && is_same && past.has_kept(begins + SECOND) && current > Replicas(0))
        .then_some(Certain { range, earliest: begins, by: RecommendationSource::First })
}

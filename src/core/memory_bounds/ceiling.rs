//! The range in which the controller's recommendations lie, and until when.

use super::held::held;
use super::limited::limited;
use super::past::{Past, SECOND, tardiness};
use super::status_fingerprint::{ReplicaRange, implied_range};
use super::{began, rescales};
use crate::api::{ConditionType, HpaStatus};
use crate::model::{Duration, Instant, Recommendation, Replicas};
use crate::snapshot::RescaleEventReason;

/// Any recommendation is possible.
pub(super) const ANY: ReplicaRange = (Replicas(0), Replicas(i32::MAX));

/// The range of every recommendation that the controller can remember, in steps: a recommendation up to an instant lies
/// in that step's range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Steps(Vec<(Instant, ReplicaRange)>);

impl Steps {
    /// One range for everything up to now.
    pub fn all(now: Instant, range: ReplicaRange) -> Self {
        Self(vec![(now, range)])
    }

    /// Any recommendation up to an instant, one range from then on.
    pub fn since(at: Instant, now: Instant, range: ReplicaRange) -> Self {
        if at >= now { Self::all(now, ANY) } else { Self(vec![(at, ANY), (now, range)]) }
    }

    /// The intersection. If the two contradict each other, neither is believed.
    pub fn and(&self, other: &Self) -> Self {
        let mut ends: Vec<Instant> = self.0.iter().chain(&other.0).map(|(end, _)| *end).collect();
        ends.sort_unstable();
        ends.dedup();
        let both = |end: Instant| {
            let (one, two) = (self.at(end), other.at(end));
            let both = (one.0.max(two.0), one.1.min(two.1));
            (end, if both.0 <= both.1 { both } else { ANY })
        };
        Self(ends.into_iter().map(both).collect())
    }

    /// The range of a recommendation made at an instant.
    fn at(&self, at: Instant) -> ReplicaRange {
        self.0.iter().find(|(end, _)| at <= *end).map_or(ANY, |(_, range)| *range)
    }

    /// The same if nothing was recommended after an instant.
    pub fn until(mut self, last: Instant) -> Self {
        for (end, _) in &mut self.0 {
            *end = last.min(*end);
        }
        self
    }

    /// The recommendations with the most effect: both ends of each step, as late as possible.
    pub fn extremes(&self) -> impl Iterator<Item = Recommendation> {
        let both = |(at, (low, high)): &(Instant, ReplicaRange)| {
            [*low, *high].map(|replicas| Recommendation { replicas, at: *at })
        };
        self.0.iter().flat_map(both)
    }
}

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

/// Since when no status has reported that the scale could not be read or written (the event for that may be lost);
/// `None` if the last status reports it.
pub(super) fn able_since(status: &HpaStatus) -> Option<Instant> {
    let able = status.condition(ConditionType::AbleToScale)?;
    (able.status == "True").then(|| able.last_transition_time.map_or(Instant::ZERO, |at| at + SECOND))
}

/// For how long after its last change a count may be kept from rising; `None` if there is no limit.
fn blocked_for(past: &Past<'_>) -> Option<Duration> {
    use crate::model::SelectPolicy;
    let Some(behavior) = past.behavior else { return Some(Duration::ZERO) };
    let is_open =
        behavior.up.window_seconds.unwrap_or(0) == 0 && behavior.up.select != SelectPolicy::Disabled;
    is_open.then(|| Duration::from_seconds(behavior.up.longest_period().into()))
}

/// A recommendation that is certainly in the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Certain {
    pub range: ReplicaRange,
    /// It is not older than this.
    pub earliest: Instant,
    pub by: RecommendationSource,
}

/// What shows a recommendation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecommendationSource {
    /// The time of a condition.
    Status,
    /// A rescale: the recommendation was at or beyond the size that it led to.
    Rescale,
    /// The very first sync, which records the current replicas.
    First,
}

/// The recommendations that the controller certainly remembers, apart from that of its last sync.
pub(super) fn certain(past: &Past<'_>) -> Vec<Certain> {
    let known = rescales::known(past);
    // Under an earlier spec with a shorter window it may have been dropped.
    let is_kept = |it: &&rescales::Rescaled| {
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
fn wanted(past: &Past<'_>, rescaled: &rescales::Rescaled) -> Option<ReplicaRange> {
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
fn risen(past: &Past<'_>, known: &[rescales::Rescaled]) -> Option<Certain> {
    let last = known.last().filter(|it| it.reason == RescaleEventReason::AboveTarget)?;
    let is_one_rise = |(one, other): &(&rescales::Rescaled, &rescales::Rescaled)| {
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
        && past.is_untouched_since(since, known);
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

//! The nearest changes that would change a decision, as claims.

use super::answer::down_window;
use super::metric::label;
use crate::render::claims::{Amount, At, Bound, Event, Holds, Leads, Load, OutlookClaim, Span};
use crate::render::units::Unit;
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::{Duration, Milli, Replicas, SelectPolicy};
use kubectl_hpa_core::trace::{Calculation, Group, Pass};
use kubectl_hpa_core::whatif::{Cause, Threshold, Thresholds};

/// Of each metric the next value up and down, then the next instant.
pub(in crate::render) fn outlook(explanation: &Explanation) -> Vec<OutlookClaim> {
    let mut claims = Vec::new();
    for it in &explanation.outlook().thresholds {
        let Some(metric) = explanation.metrics().find(|metric| metric.trace.index == it.index) else {
            continue;
        };
        let nearest = it.higher.into_iter().chain(it.lower);
        claims.extend(nearest.map(|nearest| threshold(explanation, metric, it, nearest)));
        claims.extend(it.held.map(|(usage, wanted)| held(explanation, metric, it, usage, wanted)));
    }
    claims.extend(explanation.outlook().next.as_ref().map(|change| OutlookClaim::Time {
        at: At(change.at),
        event: event(explanation, change.cause),
        replicas: change.replicas.0,
    }));
    claims
}

fn threshold(
    explanation: &Explanation,
    metric: Metric<'_>,
    it: &Thresholds,
    Threshold { usage, replicas: (low, high) }: Threshold,
) -> OutlookClaim {
    let mut bound = bound(metric, it, usage);
    // Where more load leads to fewer replicas, even more leads to more again.
    let decided = explanation.decision().desired().map(|desired| (desired, desired));
    bound.only = explanation.interval().or(decided).is_some_and(|(least, most)| match bound.load {
        Load::More => low < least || high < most,
        Load::Less => low > least || high > most,
    });
    OutlookClaim::Threshold { bound, least: low.0, most: high.0, leads: leads(explanation, (low, high)) }
}

fn held(
    explanation: &Explanation,
    metric: Metric<'_>,
    it: &Thresholds,
    usage: Milli,
    wanted: Replicas,
) -> OutlookClaim {
    let behavior = explanation.snapshot().hpa.behavior.as_ref();
    let is_disabled = behavior.is_some_and(|behavior| behavior.down.select == SelectPolicy::Disabled);
    let window = down_window(explanation);
    let holds = match (is_disabled, window > Duration::ZERO) {
        (true, _) => Holds::Disabled,
        (false, true) => Holds::Window { length: Span(window) },
        (false, false) => Holds::AtFirst,
    };
    let replicas = explanation.current().unwrap_or_default().0;
    OutlookClaim::ThresholdHeld { bound: bound(metric, it, usage), wanted: wanted.0, replicas, holds }
}

fn bound(metric: Metric<'_>, it: &Thresholds, usage: Milli) -> Bound {
    let unit = Unit::of(metric);
    let load = if usage > it.usage { Load::More } else { Load::Less };
    let first = first_pass(metric);
    let is_utilization = first.is_some_and(|first| first.utilization.is_some());
    let samples = it.samples.filter(|samples| first.is_some() && (*samples > 1 || is_utilization));
    Bound {
        index: metric.trace.index,
        metric: label(metric.spec),
        usage: Amount(usage, unit),
        load,
        only: false,
        samples,
        mean: samples.map(|samples| Amount(mean(usage, samples, load), unit)),
        percent: samples.and(first).and_then(|first| percent(first, usage)),
    }
}

/// The pass over the pods with a sample.
pub(super) fn first_pass(metric: Metric<'_>) -> Option<Pass> {
    match &metric.proposal()?.calculation {
        Calculation::PerPod(per_pod) => Some(per_pod.first),
        Calculation::Total(_) | Calculation::PerReplica(_) => None,
    }
}

/// Rounds away from the current value, so that the mean reaches the sum.
fn mean(usage: Milli, samples: usize, load: Load) -> Milli {
    let samples = i64::try_from(samples).unwrap_or(i64::MAX).max(1);
    let carry = i64::from(load == Load::More && usage.0 % samples != 0);
    Milli(usage.0 / samples + carry)
}

/// The utilization at a sum, as the controller truncates it.
fn percent(first: Pass, usage: Milli) -> Option<i64> {
    let today = first.utilization?;
    let percent = (i128::from(usage.0) * 100).checked_div(first.requests.0.into())?;
    let percent = i64::try_from(percent).unwrap_or(i64::MAX);
    // Today's would say that nothing has to change.
    (percent != i64::from(today.0)).then_some(percent)
}

/// Where it leads; what is the answer now as well is no change but what becomes possible beside it is.
fn leads(explanation: &Explanation, (low, high): (Replicas, Replicas)) -> Leads {
    match explanation.range() {
        Some((least, most)) if low <= most && high >= least && low != high => {
            match (low < least, high > most) {
                (true, false) => Leads::Lowest,
                (false, true) => Leads::Highest,
                (true, true) => Leads::Anywhere,
                (false, false) => Leads::To,
            }
        }
        Some(_) | None => Leads::To,
    }
}

/// The event of an instant.
pub(in crate::render) fn event(explanation: &Explanation, cause: Cause) -> Event {
    match cause {
        Cause::PodSettles(place) => {
            let name = explanation.pods().get(place).map_or("a pod", |pod| &pod.name);
            let sample = explanation.metrics().find_map(|metric| {
                let member = metric.trace.groups.as_ref()?.pods.get(place)?;
                let is_unready = matches!(member.group, Group::Unready(_));
                member.sample.filter(|_| is_unready).map(|sample| Amount(sample, Unit::of(metric)))
            });
            Event::PodSettles { pod: name.to_owned(), sample }
        }
        Cause::RecommendationLeaves(replicas) => Event::RecommendationLeaves { recommendation: replicas.0 },
        Cause::PeriodEnds => Event::PeriodEnds,
    }
}

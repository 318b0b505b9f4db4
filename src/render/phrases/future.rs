//! What was played and what was assumed, in words.

use super::{metric::label, outlook};
use crate::render::future::{Future, Played};
use crate::render::units::{Unit, count, list, replicas, span};
use kubectl_hpa_core::causes::{About, Cause, Weight};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::memory_bounds;
use kubectl_hpa_core::model::{Duration, Replicas};
use kubectl_hpa_core::play::{Delay, MeasuredPods, StartLoad};
use kubectl_hpa_core::run::Rescale;
use kubectl_hpa_core::trace::{Code, Direction};

/// What the chart of the load shows.
pub(in crate::render) const USAGE: &str =
    "usage as a percentage of target, for the metric furthest above its target";

/// The same with its ends.
pub(in crate::render) fn usage(ratios: &[f64]) -> String {
    let [low, high] = [f64::min, f64::max].map(|pick| ratios.iter().copied().reduce(pick).map_or(0, percent));
    format!("{USAGE}: between {low}% and {high}%")
}

/// For how long, and in how many syncs.
pub(in crate::render) fn played(future: &Future<'_>, first: &Played<'_>) -> String {
    let period = first.explanation.snapshot().controller.sync_period.value;
    let syncs = first.run.totals.time.nanoseconds() / period.nanoseconds().max(1);
    let over = span(future.assumptions.over);
    format!("{over}: this sync and {syncs} more, {} apart; each change is shown at its sync", span(period))
}

/// The load that a run starts from, of each metric: how much, how much of the target unless runs differ in that alone, and what
/// it is measured on.
pub(in crate::render) fn start(future: &Future<'_>, played: &Played<'_>, has_share: bool) -> String {
    let starts = future.assumptions.starts(played.explanation.snapshot());
    let metrics = played.explanation.snapshot().hpa.metrics.iter().enumerate();
    let told = metrics.map(|(place, spec)| {
        let Some(start) = starts.iter().find(|start| start.metric == place) else {
            return format!("{} is not measured", label(spec));
        };
        let metric = played.explanation.metrics().find(|metric| metric.trace.index == place);
        let unit = metric.map_or_else(|| Unit::of_target(spec), Unit::of);
        let share = ratio(played, *start).filter(|_| has_share);
        // Pods of others count today, and are no part of this load.
        let counted = metric.and_then(outlook::first_pass).map(|first| first.multiplier);
        let is_whole = start.pods.is_none_or(|pods| counted.is_none_or(|counted| counted == pods.measured));
        let share = share.filter(|_| is_whole);
        let share = share.map(|ratio| format!(" ({}% of the target)", percent(ratio))).unwrap_or_default();
        let ended = metric.and_then(|metric| metric.trace.groups.as_ref()).map_or(0, |groups| groups.ignored);
        let pods = start.pods.map(|pods| measured(unit, pods, ended)).unwrap_or_default();
        format!("{} {}{share}{pods}", label(spec), unit.human(start.demand))
    });
    told.collect::<Vec<_>>().join("; ")
}

/// Today's ratio of a metric; none if the first sync does not read it.
pub(in crate::render) fn ratio(played: &Played<'_>, start: StartLoad) -> Option<f64> {
    let metric = played.explanation.metrics().find(|metric| metric.trace.index == start.metric)?;
    // At 0 replicas an average is a value divided by zero.
    Some(metric.proposal()?.calculation.ratios().0.0).filter(|ratio| ratio.is_finite())
}

fn measured(unit: Unit, pods: MeasuredPods, ended: usize) -> String {
    let MeasuredPods { ready, measured, refused, unready, starting } = pods;
    let are = |number: usize| if number == 1 { "is" } else { "are" };
    let is_partial = 0 < measured && measured < ready;
    let mean = if is_partial { ", with their mean for the others" } else { "" };
    let mut told = vec![match ready {
        0 => ", as no pod is ready".to_owned(),
        _ => format!(", measured on {measured} of {}{mean}", count(ready, "ready pod")),
    }];
    if refused > 0 {
        let samples = count(refused, "sample");
        told.push(format!("{samples} that the controller does not count {} left out", are(refused)));
    }
    if unready > 0 {
        let each = if starting.0 > 0 { format!(", at {} each", unit.human(starting)) } else { String::new() };
        let share = if unready == 1 { "shares" } else { "share" };
        told.push(format!(
            "{} {} not ready{each}, and {share} the load once ready",
            count(unready, "pod"),
            are(unready)
        ));
    }
    if ended > 0 {
        let have = if ended == 1 { "has" } else { "have" };
        told.push(format!(
            "{} that {} being deleted or {have} failed {} left out",
            count(ended, "pod"),
            are(ended),
            are(ended)
        ));
    }
    told.join("; ")
}

/// Where the replicas stay after a run, if they do: they and the load no longer change.
pub(in crate::render) fn settles(future: &Future<'_>, played: &Played<'_>) -> Option<Replicas> {
    played.run.rests_at.filter(|_| future.assumptions.load_rests())
}

/// Why a sync changed the replicas: what the deciding metric reads, and the cause if that is another.
pub(in crate::render) fn why(played: &Played<'_>, change: &Rescale) -> String {
    let reads = change.reads.and_then(|(place, reads)| {
        let spec = played.explanation.snapshot().hpa.metrics.get(place)?;
        let side = match reads {
            Code::UtilizationAboveTarget | Code::ValueAboveTarget => "above",
            Code::UtilizationBelowTarget | Code::ValueBelowTarget => "below",
            _ => "at",
        };
        Some(format!("{} {side} target", label(spec)))
    });
    let cause = cause(&change.cause, change.to, change.to > change.from);
    // What an earlier sync left, nobody saw.
    let is_of_memory = matches!(change.cause.about, About::Window(_) | About::Rate(_));
    let is_early = change.at <= memory_bounds::longest(played.explanation.snapshot());
    let is_assumed = is_of_memory && is_early && !played.explanation.memory_is_known();
    let cause = cause.map(|cause| if is_assumed { format!("{cause} (assumed)") } else { cause });
    // Two rules, each of which is enough by itself.
    let shared = (change.cause.weight < Weight::Decides).then(|| "two rules lead here".to_owned());
    reads.into_iter().chain(cause).chain(shared).collect::<Vec<_>>().join("; ")
}

/// The cause, if it is not what the deciding metric reads.
fn cause(cause: &Cause, Replicas(to): Replicas, rises: bool) -> Option<String> {
    Some(match cause.about {
        About::Max if cause.code == Code::AboveMax => "more replicas than maxReplicas".to_owned(),
        About::Min if cause.code == Code::BelowMin => "fewer replicas than minReplicas".to_owned(),
        About::Max => format!("maxReplicas is {to}"),
        About::Min | About::Floor => format!("minReplicas is {to}"),
        About::Rate(Direction::Up) | About::Doubling => format!("scale-up rate allows {to}"),
        About::Rate(Direction::Down) => format!("scale-down rate allows {to}"),
        // A rate may keep them below it.
        About::Window(Direction::Down) if rises => "an earlier recommendation".to_owned(),
        About::Window(_) => format!("the window has {to}"),
        About::Disabled(direction) => format!("{}.selectPolicy is Disabled", direction.field()),
        About::MissingPods(pods) => format!("{} without a sample", count(pods, "pod")),
        About::UnreadyPods(pods) => count(pods, "unready pod"),
        About::ForeignPods(pods) => format!("{} of others", count(pods, "pod")),
        About::SurplusPods(pods) => format!("{} more than replicas", count(pods, "pod")),
        About::AbsentPods(pods) => format!("{} fewer than replicas", count(pods, "pod")),
        About::ForeignSamples(samples) => format!("{} of other pods", count(samples, "sample")),
        About::StatusReplicas => "status.replicas is another number".to_owned(),
        About::Tolerance => "within the tolerance".to_owned(),
        _ => return None,
    })
}

/// Where it begins, goes and ends.
pub(in crate::render) fn ends(played: &Played<'_>) -> String {
    let run = played.run;
    let start = played.explanation.current().map_or(0, |current| current.0);
    let end = run.spans.last().map_or(start, |span| span.replicas.1.0);
    let lows = run.spans.iter().map(|span| span.replicas.0.0).chain([start]);
    let highs = run.spans.iter().map(|span| span.replicas.1.0).chain([start]);
    let (low, high) = (lows.min().unwrap_or(start), highs.max().unwrap_or(start));
    if low == high {
        return format!("{} throughout", replicas(start));
    }
    let changes = count(run.totals.rescales, "change");
    format!("{} → {end}, between {low} and {high}, {changes}", replicas(start))
}

/// What is taken as given, each with the flag that changes it.
pub(in crate::render) fn assumed(future: &Future<'_>) -> String {
    let of = future.assumptions;
    let mut told = Vec::new();
    told.push(match of.typed_curves.as_slice() {
        [] if future.record.is_some() => {
            "the load is the recorded one: the total usage of the ready pods stays, however many share it"
                .to_owned()
        }
        [] => "the load stays constant (--load-curve)".to_owned(),
        curves => format!("the load follows {}", list(curves)),
    });
    told.push("ready pods share the load equally".to_owned());
    if of.is_simple_start() {
        told.push(
            "new and starting pods are ready and measured at once (--start-delay, --ready-delay)".to_owned(),
        );
    } else {
        let delays = [("start", of.start_delay), ("are ready", of.ready_delay)];
        let said: Vec<String> = delays
            .into_iter()
            .filter(|(_, it)| it.most > Duration::ZERO)
            .map(|(does, it)| format!("{does} {} later", delay(it)))
            .collect();
        told.push(format!("new pods {}, and are first measured at their second reading", list(&said)));
    }
    if future.record.is_some() {
        told.push("metrics are as old as in the record".to_owned());
        told.push("pods request what they did at first".to_owned());
    } else if of.metrics_lag == Duration::ZERO {
        told.push("metrics are seen at once (--metrics-lag)".to_owned());
    }
    if let Some(begins) = of.rollout {
        told.push(format!("a rolling update starts after {}", span(begins)));
    }
    if of.backlog.is_empty() && has_one_value(future) {
        let flag = if future.record.is_some() { "" } else { " (--backlog)" };
        told.push(format!("Object and External metrics do not depend on the pods{flag}"));
    }
    if future.runs.iter().any(|played| {
        played.explanation.attested().failed_last() || played.explanation.attested().idle.is_some()
    }) {
        told.push("a controller is at work, and none of its reads and writes fails".to_owned());
    }
    if future.runs.iter().any(|played| has_surplus(played.explanation)) {
        told.push("pods beyond the replicas are gone at once".to_owned());
    }
    if !future.runs.iter().all(|played| played.explanation.memory_is_known()) {
        told.push(
            "what the controller remembers is not known exactly, and other memories may lead to other replicas \
             than these"
                .to_owned(),
        );
    }
    format!("{}.", told.join("; "))
}

/// True if more pods are there than replicas, as in a rolling update.
fn has_surplus(explanation: &Explanation) -> bool {
    let stays = explanation.pods().iter().filter(|pod| pod.is_active());
    let own = stays.filter(|pod| !pod.is_of_another(&explanation.snapshot().hpa.target)).count();
    explanation.current().is_some_and(|current| usize::try_from(current.0).is_ok_and(|current| current < own))
}

fn delay(delay: Delay) -> String {
    if delay.least == delay.most {
        span(delay.most)
    } else {
        format!("{} to {}", span(delay.least), span(delay.most))
    }
}

fn has_one_value(future: &Future<'_>) -> bool {
    let mut metrics = future.runs.iter().flat_map(|played| &played.explanation.snapshot().hpa.metrics);
    metrics.any(kubectl_hpa_core::model::MetricSpec::outlives_pods)
}

/// A ratio in whole percent, rounded to the nearest.
pub(in crate::render) fn percent(ratio: f64) -> i32 {
    const MOST: f64 = 100_000.0;
    let percent = (ratio * 100.0).clamp(0.0, MOST).round();
    #[expect(clippy::cast_possible_truncation, reason = "it lies between 0 and a small number")]
    let whole = percent as i32;
    whole
}

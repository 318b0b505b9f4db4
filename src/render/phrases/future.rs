//! What was played and what was assumed, in words.

use crate::render::future::{Future, Played};
use crate::render::units::{count, list, replicas, span};
use kubectl_hpa_core::model::Duration;
use kubectl_hpa_core::play::Delay;

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
    format!("{}: this sync and {syncs} more, {} apart", span(future.assumptions.over), span(period))
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
    if of.metrics_lag == Duration::ZERO {
        told.push("metrics are seen at once (--metrics-lag)".to_owned());
    }
    if let Some(begins) = of.rollout {
        told.push(format!("a rolling update starts after {}", span(begins)));
    }
    if of.backlog.is_empty() && has_one_value(future) {
        told.push("Object and External metrics do not depend on the pods (--backlog)".to_owned());
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

//! A step in words: its label and its arithmetic.

use super::ratios::Ratios;
use super::{arithmetic, failure, limit, metric, overflow, unread};
use crate::render::units::{Unit, clock, count, product, replicas, span};
use kubectl_hpa_core::causes::About as Cause;
use kubectl_hpa_core::explanation::{Detail, Step};
use kubectl_hpa_core::explanation::{Explanation, Metric, Remembered};
use kubectl_hpa_core::model::{Duration, Milli, Percent, Ratio};
use kubectl_hpa_core::rules::FromZero;
use kubectl_hpa_core::trace::{
    Calculation, Choice, Code, Filler, Gate, Guard, HoldReason, Outcome, Pass, PerPod, PerReplica, Proposal,
    Refill, ScaleFailure, SelectorVerdict, Stabilization, Stabilized, Total, TotalBasis,
};

/// What a step is called: the metric's name where it is first read.
pub(in crate::render) fn label(step: &Step<'_>) -> String {
    match step.detail {
        Detail::Gate(Gate::Disabled | Gate::MetricsFromZero, _) => "zero".to_owned(),
        Detail::Gate(Gate::AboveMax | Gate::BelowMin | Gate::Metrics, _) => "bounds".to_owned(),
        Detail::Selector(_) => "selector".to_owned(),
        Detail::Pass(..)
        | Detail::Total(_)
        | Detail::PerReplica(_)
        | Detail::Failed(_)
        | Detail::Unread(_) => step.metric.map_or_else(String::new, |metric| metric::label(metric.spec)),
        Detail::Missing(..) => "missing".to_owned(),
        Detail::Unready(..) => "unready".to_owned(),
        Detail::Proposal(_) if step.code == Code::WithinTolerance => "tolerance".to_owned(),
        Detail::Proposal(_) => "replicas".to_owned(),
        Detail::Choice(_) | Detail::NoChoice(_) => "metrics".to_owned(),
        Detail::Window(_) => "window".to_owned(),
        Detail::Limit(_) => "limit".to_owned(),
        Detail::Floor(_) => "floor".to_owned(),
        Detail::Gate(Gate::NoScale(_) | Gate::Unknown(_), _) | Detail::Outcome(_) => "scale".to_owned(),
    }
}

/// Its arithmetic.
pub(in crate::render) fn text(explanation: &Explanation, step: &Step<'_>) -> String {
    let unit = step.metric.map_or(Unit::Plain, Unit::of);
    match step.detail {
        Detail::Gate(it, _) => gate(explanation, it),
        Detail::Selector(verdict) => selector(explanation, verdict),
        Detail::Pass(measure, first) => {
            ratios(step).map_or_else(String::new, |ratios| arithmetic::pass(unit, measure, &first, ratios))
        }
        Detail::Total(it) => ratios(step).map_or_else(String::new, |ratios| total(unit, &it, ratios)),
        Detail::PerReplica(it) => {
            let metric = step.metric;
            let negative = metric.and_then(|metric| overflow::negative_sum(explanation, metric));
            let series = negative.map_or_else(
                || series(it.series, it.usage),
                |(sum, ..)| format!(" (for a sum of {}, treated as an overflow)", unit.human(sum)),
            );
            ratios(step).map_or_else(String::new, |ratios| {
                per_replica(unit, &it, &series, of_status(explanation, &it), ratios)
            })
        }
        Detail::Failed(it) => failure::brief(it),
        Detail::Unread(it) => format!("not known here: {}", unread::brief(it)),
        Detail::Missing(refill, pods) => missing(unit, step, refill, pods),
        Detail::Unready(refill, pods) => {
            format!("{} as 0{}", count(pods, "unready pod"), sums(unit, step.metric, refill))
        }
        Detail::Proposal(it) => proposal(unit, explanation, step.metric, it),
        Detail::Choice(it) => choice(explanation, it),
        Detail::NoChoice(reason) => no_choice(explanation, reason),
        Detail::Window(it) => window(explanation, it),
        Detail::Limit(it) => limit::arithmetic(explanation, it),
        Detail::Floor(floor) => {
            format!("from the HPA's own zero straight to minReplicas → {}", floor.after.0)
        }
        Detail::Outcome(it) => outcome(it),
    }
}

/// How the ratios of the step's metric are written.
fn ratios(step: &Step<'_>) -> Option<Ratios> {
    step.metric.and_then(Metric::proposal).map(Ratios::of)
}

fn gate(explanation: &Explanation, gate: &Gate) -> String {
    let hpa = &explanation.snapshot().hpa;
    let current = explanation.current().unwrap_or_default().0;
    let is_own = hpa.status.is_scaled_to_zero();
    let is_by_condition = explanation.rules().from_zero == FromZero::Condition;
    match gate {
        Gate::NoScale(ScaleFailure::ApiVersion(_)) => "scaleTargetRef.apiVersion is not valid".to_owned(),
        Gate::NoScale(ScaleFailure::Mapping(error)) => format!("no such kind: {}", unread::status(error)),
        Gate::NoScale(ScaleFailure::Get(error)) => format!("no scale: {}", unread::status(error)),
        Gate::Unknown(it) => format!("scale not known here: {}", unread::brief(it)),
        Gate::Disabled if (is_own || hpa.min.0 == 0) && explanation.never_wakes() => {
            "0 replicas, and the gate HPAScaleToZero is off → paused".to_owned()
        }
        Gate::Disabled if !is_by_condition || explanation.never_wakes() => {
            format!("0 replicas, and minReplicas is {} → paused", hpa.min.0)
        }
        Gate::Disabled if is_own => "0 replicas, and no metric has a value without pods → paused".to_owned(),
        Gate::Disabled => "0 replicas, not set by the HPA itself (ScaledToZero) → paused".to_owned(),
        Gate::AboveMax => format!("{current} is more than maxReplicas {} → {}", hpa.max.0, hpa.max.0),
        Gate::BelowMin => format!("{current} is less than minReplicas {} → {}", hpa.min.0, hpa.min.0),
        Gate::Metrics => format!("{current} is within {}–{}: metrics decide", hpa.min.0, hpa.max.0),
        Gate::MetricsFromZero if is_by_condition => {
            "0 replicas, set by the HPA itself (ScaledToZero): metrics decide".to_owned()
        }
        Gate::MetricsFromZero => "0 replicas, and minReplicas is 0: metrics decide".to_owned(),
    }
}

fn selector(explanation: &Explanation, verdict: &SelectorVerdict) -> String {
    match verdict {
        SelectorVerdict::Good => "selects pods of this HPA alone".to_owned(),
        SelectorVerdict::Missing => "the scale's status.selector is empty".to_owned(),
        SelectorVerdict::Invalid(_) => "the scale's status.selector cannot be parsed".to_owned(),
        SelectorVerdict::Ambiguous(claimants) => {
            format!("{} selects pods of {}", explanation.selector(), count(claimants.len(), "HPA"))
        }
        SelectorVerdict::Unlisted(error) => {
            format!("the controller cannot list pods: {}", unread::status(error))
        }
        SelectorVerdict::Unknown(it) => format!("pods not known here: {}", unread::brief(it)),
    }
}

fn total(unit: Unit, total: &Total, ratios: Ratios) -> String {
    let (usage, target) = (unit.human(total.usage), unit.human(total.target));
    format!("{usage}{} / {target} = {}", series(total.series, total.usage), ratios.show(total.ratio.0))
}

/// Where `status.replicas`, with which the target is multiplied, is another number than the replicas asked for.
fn of_status(explanation: &Explanation, per_replica: &PerReplica) -> &'static str {
    let asked = explanation.current();
    if asked.is_some_and(|asked| asked != per_replica.replicas) { " of status.replicas" } else { "" }
}

fn per_replica(unit: Unit, per_replica: &PerReplica, series: &str, whose: &str, ratios: Ratios) -> String {
    let (usage, target) = (unit.human(per_replica.usage), unit.human(per_replica.target));
    let replicas = per_replica.replicas.0;
    format!("{usage}{series} / ({target} × {replicas}{whose}) = {}", ratios.show(per_replica.ratio.0))
}

fn series(series: usize, sum: Milli) -> String {
    match (series, sum) {
        (1, _) => String::new(),
        (_, Milli(i64::MAX)) => format!(" (sum of {series} series, which int64 cannot hold: its maximum)"),
        _ => format!(" (sum of {series} series)"),
    }
}

fn missing(unit: Unit, step: &Step<'_>, refill: &Refill, pods: usize) -> String {
    let pods = count(pods, "missing pod");
    let filled = match refill.missing {
        Some(Filler::Zero) => format!("{pods} as 0"),
        Some(Filler::Request | Filler::Share(Percent(100))) => format!("{pods} as 100% of the request"),
        Some(Filler::Share(Percent(percent))) => {
            format!("{pods} as {percent}% of the request, the target")
        }
        Some(Filler::Target(target)) => format!("{pods} as the target, {}", unit.human(target)),
        None if refill.pass.ratio.0.is_nan() => format!("{pods} left out, as the ratio is not a number"),
        None => format!("{pods} left out, as the ratio is exactly 1"),
    };
    if refill.unready_as_zero { filled } else { format!("{filled}{}", sums(unit, step.metric, refill)) }
}

fn sums(unit: Unit, metric: Option<Metric<'_>>, refill: &Refill) -> String {
    let Some(proposal) = metric.and_then(Metric::proposal) else { return String::new() };
    let Calculation::PerPod(per_pod) = &proposal.calculation else { return String::new() };
    format!(" → {}", arithmetic::pass(unit, per_pod.measure, &refill.pass, Ratios::of(proposal)))
}

fn proposal(
    unit: Unit,
    explanation: &Explanation,
    metric: Option<Metric<'_>>,
    proposal: &Proposal,
) -> String {
    let keep = proposal.replicas.0;
    let ratios = Ratios::of(proposal);
    let band = ratios.band();
    let within = |value: f64| format!("{} is within {band} → keep {keep}", ratios.show(value));
    let tolerances = proposal.tolerances;
    let outside = |value: f64| match ratios.show(value) {
        none if value.is_nan() => format!("{none}, not within {band},"),
        // At the very edge of the tolerance, where an older controller's float subtraction gives a larger distance from 1.
        at_end if tolerances.is_in_band(Ratio(value)) => {
            format!("|1 - {at_end}| = {} > {},", (1.0 - value).abs(), tolerances.up)
        }
        far => format!("{far}, outside {band},"),
    };
    match &proposal.calculation {
        Calculation::PerPod(per_pod) => {
            let last = per_pod.last();
            match per_pod.guard {
                Some(Guard::WithinTolerance) => within(last.ratio.0),
                Some(Guard::DirectionFlip) => flip(per_pod.first.ratio.0, last.ratio.0, ratios, keep),
                Some(Guard::CountFlip) => count_flip(explanation, metric, last, ratios, keep),
                None => format!("{} {}", outside(last.ratio.0), multiplied(metric, per_pod, last, proposal)),
            }
        }
        Calculation::Total(total) => match total.basis {
            TotalBasis::WithinTolerance => within(total.ratio.0),
            TotalBasis::ReadyPods(pods) => {
                let times = arithmetic::times(total.ratio.0, pods, "ready pod", proposal.replicas);
                format!("{} {times}", outside(total.ratio.0))
            }
            TotalBasis::FromZero => {
                format!("from 0 replicas the ratio is the result: {} → {keep}", product(total.ratio.0))
            }
        },
        Calculation::PerReplica(it) if it.within => within(it.ratio.0),
        Calculation::PerReplica(it) => format!("{} so {}", outside(it.ratio.0), divided(unit, it, keep)),
    }
}

fn divided(unit: Unit, per_replica: &PerReplica, replicas: i32) -> String {
    let (usage, target) = (unit.human(per_replica.usage), unit.human(per_replica.target));
    let quotient = quotient(per_replica.usage, per_replica.target);
    format!("{usage} / {target} = {} → {replicas}", product(quotient))
}

#[expect(clippy::cast_precision_loss, reason = "the controller divides these two as float64 as well")]
fn quotient(usage: Milli, target: Milli) -> f64 {
    usage.0 as f64 / target.0 as f64
}

/// The noun of what the ratio is multiplied by: samples of no selected pod are among it.
fn counted(metric: Option<Metric<'_>>, pods: &'static str) -> &'static str {
    let groups = metric.and_then(|metric| metric.trace.groups.as_ref());
    if groups.is_some_and(|groups| !groups.foreign.is_empty()) { "sample" } else { pods }
}

fn multiplied(metric: Option<Metric<'_>>, per_pod: &PerPod, last: &Pass, proposal: &Proposal) -> String {
    let what = if per_pod.refill.is_some() { counted(metric, "pod") } else { "ready pod" };
    arithmetic::times(last.ratio.0, last.multiplier, what, proposal.replicas)
}

fn flip(first: f64, second: f64, ratios: Ratios, keep: i32) -> String {
    let (before, after) = if first > 1.0 { ("above", "below") } else { ("below", "above") };
    format!("{} was {before} 1, {} is {after} → keep {keep}", ratios.show(first), ratios.show(second))
}

fn count_flip(
    explanation: &Explanation,
    metric: Option<Metric<'_>>,
    last: &Pass,
    ratios: Ratios,
    keep: i32,
) -> String {
    let current = explanation.current().unwrap_or_default();
    let wanted = kubectl_hpa_core::model::Replicas(ceil(last));
    let times = format!(
        "{} {}",
        ratios.show(last.ratio.0),
        arithmetic::times(last.ratio.0, last.multiplier, counted(metric, "pod"), wanted)
    );
    let (side, count) = if last.ratio.is_above() { ("above", "less") } else { ("below", "more") };
    format!("{times}, {count} than {} although the ratio is {side} 1 → keep {keep}", current.0)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "only shown, and both are small here"
)]
fn ceil(pass: &Pass) -> i32 {
    (pass.ratio.0 * pass.multiplier as f64).ceil() as i32
}

fn choice(explanation: &Explanation, choice: Choice) -> String {
    let proposals = explanation.metrics().filter_map(|metric| {
        let proposal = metric.proposal()?;
        Some(format!("{} {}", metric::label(metric.spec), proposal.replicas.0))
    });
    let proposals: Vec<String> = proposals.collect();
    let (several, proposals) = (proposals.len() > 1, proposals.join(", "));
    let after = choice.after.0;
    let current = explanation.current().unwrap_or_default().0;
    if choice.invalid > 0 {
        let failed = count(choice.invalid, "metric");
        let highest = if several { format!("of {proposals} the highest") } else { proposals };
        format!("{failed} failed; {highest} is not less than {current} → {after}")
    } else if !several && choice.before == choice.after {
        format!("{proposals}, the only metric → {after}")
    } else if choice.before == choice.after {
        let tie = if explanation.tied().is_empty() { "" } else { metric::place(after) };
        let tie = if tie.is_empty() { String::new() } else { format!(", the {tie} of equal ones") };
        format!("the highest of {proposals}{tie} → {after}")
    } else {
        format!("{proposals}; never below 0 → {after}")
    }
}

fn no_choice(explanation: &Explanation, reason: HoldReason) -> String {
    let current = explanation.current().unwrap_or_default().0;
    match reason {
        HoldReason::AllMetricsInvalid => format!("every metric failed → keep {current}"),
        HoldReason::InvalidMetricBlocksDown => {
            let taken = explanation.taken().map_or(0, |(_, replicas)| replicas.0);
            format!("{taken} is less than {current}, and a metric failed → keep {current}")
        }
        HoldReason::Crash => format!("the controller crashes → keep {current}"),
        HoldReason::Decided | HoldReason::Disabled | HoldReason::Selector => format!("keep {current}"),
    }
}

fn window(explanation: &Explanation, stabilized: &Stabilized) -> String {
    let (before, after) = (stabilized.before.0, stabilized.after.0);
    match explanation.remembered() {
        Remembered::Known => known_window(explanation, stabilized),
        Remembered::BoundsAgree if explanation.is_first_reconcile() => known_window(explanation, stabilized),
        Remembered::BoundsAgree if explanation.open_way().window => {
            let bound = match explanation.brake() {
                Some(Cause::Min) => "minReplicas",
                Some(Cause::Max) => "maxReplicas",
                _ => return format!("{before} wanted; earlier recommendations are not known"),
            };
            let keeps = explanation.decision().desired().unwrap_or_default().0;
            format!("{before} wanted; {bound} or an earlier recommendation makes it {keeps}")
        }
        Remembered::BoundsAgree if before == after => {
            format!("its last status shows that no earlier recommendation counts → {after}")
        }
        Remembered::BoundsAgree => {
            let to = if explanation.stands_in(stabilized) { String::new() } else { format!(" → {after}") };
            format!("{before} wanted; its last status shows that an earlier recommendation counts{to}")
        }
        Remembered::Bounded(low, high) => {
            format!("{before} wanted; earlier recommendations are not known: {} to {}", low.0, high.0)
        }
        Remembered::Unknown => {
            format!("{before} wanted; earlier recommendations are not known, none assumed → {after}")
        }
    }
}

fn known_window(explanation: &Explanation, stabilized: &Stabilized) -> String {
    let (before, after) = (stabilized.before.0, stabilized.after.0);
    match &stabilized.how {
        Stabilization::Legacy(legacy) => match explanation.holder(stabilized) {
            Some(holder) => {
                let at = clock(explanation.now(), holder.at);
                format!("max({before} now, {after} at {at}) = {after}")
            }
            None => format!("nothing higher in the last {} → {after}", span(legacy.window)),
        },
        Stabilization::Behavior(it) => {
            let current = explanation.current().unwrap_or_default().0;
            let side = |extreme: &str, seconds: i32, found: i32| {
                let window = span(Duration::from_seconds(seconds.into()));
                (seconds > 0).then(|| format!("{extreme} recommendation of the last {window} is {found}"))
            };
            let sides =
                [side("lowest", it.up_window, it.lowest.0), side("highest", it.down_window, it.highest.0)];
            let sides = sides.into_iter().flatten().collect::<Vec<_>>().join(", ");
            if sides.is_empty() {
                return format!("{before} wanted; no window is longer than 0s → {after}");
            }
            format!("{} → {before} wanted; {sides} → {after}", replicas(current))
        }
    }
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::NoScale => "nothing is decided".to_owned(),
        Outcome::Unknown(_) => "not known here".to_owned(),
        Outcome::Hold { at, .. } => format!("stays at {}", at.0),
        Outcome::Scale { to, failed: Some(error), .. } => {
            format!("PUT scale with {}: {}", replicas(to.0), unread::status(error))
        }
        Outcome::Scale { from, to, failed: None, .. } => format!("{} → {}", from.0, to.0),
    }
}

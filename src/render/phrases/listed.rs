//! A row of the list of HPAs in words: its metric, and why it is in its state, in at most six words.

use super::metric::named;
use super::why_normal::longer;
use super::{attested, failure, reason, unread};
use crate::render::claims::{Hold, Unscheduled};
use crate::render::units::{Unit, clock, count, list};
use kubectl_hpa_core::api::{Condition, Unscalable};
use kubectl_hpa_core::causes::{About, ZeroOf};
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::{HpaState, MetricSpec, Milli, ResourceName, Source};
use kubectl_hpa_core::snapshot::ReadError;
use kubectl_hpa_core::trace::{
    Calculation, Direction, Failure, Gate, HoldReason, Outcome, Proposal, ScaleFailure, SelectorVerdict,
    Unread, Verdict,
};

/// The metric that decides, or the one that fails: its name and what it reads.
pub(in crate::render) fn metric(explanation: &Explanation) -> Option<(String, String)> {
    let unknown = || explanation.metrics().find(|it| matches!(it.trace.verdict, Verdict::Unknown(_)));
    if let Some((metric, _)) = explanation.faulty().next() {
        return Some((name(metric.spec), "failed".to_owned()));
    }
    if let Some((metric, proposal)) = explanation.winner() {
        return Some((name(metric.spec), reads(metric, proposal)));
    }
    unknown().map(|metric| (name(metric.spec), "not known".to_owned()))
}

/// What a metric is called in a column.
fn name(spec: &MetricSpec) -> String {
    match &spec.source {
        Source::Resource(resource) => resource.as_str().to_owned(),
        Source::ContainerResource { resource, container } => format!("{} of {container}", resource.as_str()),
        Source::Pods(metric) | Source::External(metric) | Source::Object { metric, .. } => named(metric),
    }
}

/// `83% of 80%`, `1.7k of 1.5k`.
fn reads(metric: Metric<'_>, proposal: &Proposal) -> String {
    let unit = Unit::of(metric);
    let target = &metric.spec.target;
    let (now, goal) = match &proposal.calculation {
        Calculation::PerPod(it) => {
            if let Some((now, goal)) = it.first.utilization.zip(target.average_utilization) {
                return format!("{}% of {}%", now.0, goal.0);
            }
            (it.first.mean, target.average_milli())
        }
        Calculation::Total(it) => (it.usage, Some(it.target)),
        Calculation::PerReplica(it) if it.replicas.0 == 0 => (it.usage, Some(it.target)),
        Calculation::PerReplica(it) => (it.mean, Some(it.target)),
    };
    let goal: Option<Milli> = goal.or_else(|| target.value_milli());
    format!("{} of {}", unit.brief(now), goal.map_or_else(String::new, |goal| unit.brief(goal)))
}

/// Why it is in its state, in at most six words.
pub(in crate::render) fn why(explanation: &Explanation) -> String {
    match explanation.state() {
        HpaState::Broken => broken(explanation),
        HpaState::Held => held(explanation),
        HpaState::AtMax => at_max(explanation),
        HpaState::Asleep => "no replica wanted".to_owned(),
        HpaState::AtMin => at_min(explanation),
        HpaState::Scaling => scaling(explanation),
        HpaState::Idle => idle(explanation).to_owned(),
        HpaState::SwitchedOff => switched_off(explanation).to_owned(),
        HpaState::Unknown => not_read(explanation),
    }
}

/// Of a state that only the last status shows: the reason of its condition, which is one word. Of a metric that failed beside
/// others there is none.
pub(in crate::render) fn by_status(state: HpaState, condition: Option<&Condition>) -> String {
    let reason = condition.map(|it| it.reason.as_str()).filter(|reason| !reason.is_empty());
    match reason {
        Some(reason) => format!("by status: {reason}"),
        None if state == HpaState::Broken => "by status: a metric failed".to_owned(),
        None => "by status".to_owned(),
    }
}

fn broken(explanation: &Explanation) -> String {
    let decision = explanation.decision();
    if let Some(words) = attested::in_short(explanation) {
        return words;
    }
    if let Some(Unscalable::NoSubresource(kind)) = explanation.snapshot().unscalable() {
        return format!("{kind} has no scale subresource");
    }
    if let Gate::NoScale(failure) = &decision.gate {
        return without_scale(failure);
    }
    match &decision.outcome {
        Outcome::NoScale => return "the scale cannot be read".to_owned(),
        Outcome::Scale { failed: Some(error), .. } => return format!("write failed: {}", status(error)),
        Outcome::Hold { reason: HoldReason::Selector, .. } => return selector(explanation).to_owned(),
        Outcome::Hold { .. } | Outcome::Scale { failed: None, .. } | Outcome::Unknown(_) => {}
    }
    let failure = explanation.faulty().next();
    failure.map_or_else(
        || "its last sync failed".to_owned(),
        |(metric, failure)| failure::idle(explanation, failure).unwrap_or_else(|| failed(metric, failure)),
    )
}

/// Whose the zero is, as far as it shows.
fn switched_off(explanation: &Explanation) -> &'static str {
    match explanation.cause().map(|cause| cause.about) {
        Some(About::Zero(ZeroOf::Keda)) => "at 0 KEDA decides",
        Some(About::Zero(ZeroOf::NotTold)) => "at 0; gate HPAScaleToZero is off",
        _ => "target is at 0 replicas",
    }
}

fn without_scale(failure: &ScaleFailure) -> String {
    match failure {
        ScaleFailure::ApiVersion(_) => "scaleTargetRef.apiVersion is invalid".to_owned(),
        ScaleFailure::Mapping(_) => "the target's kind is unknown".to_owned(),
        // Another 404 is that of a kind without a scale.
        ScaleFailure::Get(error) if error.code == Some(404) && error.message.ends_with("\" not found") => {
            "the target does not exist".to_owned()
        }
        ScaleFailure::Get(error) => format!("scale of target: {}", status(error)),
    }
}

fn selector(explanation: &Explanation) -> &'static str {
    match &explanation.decision().selector {
        Some(SelectorVerdict::Missing) => "the scale has no selector",
        Some(SelectorVerdict::Invalid(_)) => "the selector is invalid",
        Some(SelectorVerdict::Ambiguous(_)) => "another HPA selects the same pods",
        Some(SelectorVerdict::Unlisted(_)) => "the controller cannot list pods",
        Some(SelectorVerdict::Good | SelectorVerdict::Unknown(_)) | None => "",
    }
}

fn failed(metric: Metric<'_>, failure: &Failure) -> String {
    match failure {
        Failure::Api { error, .. } => format!("metrics API: {}", status(error)),
        Failure::NoSamples(_) => "the metrics API returned nothing".to_owned(),
        Failure::NotOneValue(values) => format!("{}, one expected", count(*values, "value")),
        Failure::NoPods | Failure::NoPodsToCount => "no pods match".to_owned(),
        Failure::PodsUnlisted(_) | Failure::PodsUncounted(_) => "the controller cannot list pods".to_owned(),
        Failure::UnmeasuredContainer(_) => "a sample lacks the container".to_owned(),
        Failure::SwitchedOff => "gate HPAContainerMetrics is off".to_owned(),
        Failure::Crash => "kube-controller-manager crashes on it".to_owned(),
        Failure::NoUsableSamples => "no sample counts".to_owned(),
        Failure::RequestGaps(gaps) if failure::lacks_container(gaps) => failure::no_container(gaps, metric),
        Failure::RequestGaps(gaps) => failure::lacking(
            gaps.len(),
            &format!("{} request", metric.spec.source.resource().map_or("", ResourceName::as_str)),
        ),
        Failure::NoKnownPods => "requests add up to 0".to_owned(),
        Failure::NoTarget => "the target has no usable value".to_owned(),
        Failure::MetricSelector(_) => "the metric's selector is invalid".to_owned(),
    }
}

fn held(explanation: &Explanation) -> String {
    if let Some(words) = of_pods(explanation) {
        return words;
    }
    format!("{} wanted; {}", wanted(explanation), brake(explanation))
}

/// The pods without a sample, not ready, too many or too few, if those are the cause.
fn of_pods(explanation: &Explanation) -> Option<String> {
    let (winner, proposal) = explanation.winner()?;
    let current = explanation.current()?;
    let about = explanation.cause()?.about;
    let is_assumed = matches!(about, About::MissingPods(_) | About::UnreadyPods(_));
    let waits = || reason::unscheduled(explanation, winner).and_then(Unscheduled::words);
    if is_assumed && let Some((_, say)) = waits() {
        return Some(say);
    }
    if is_assumed
        && let Some(stuck) = reason::stuck_pods(explanation, winner, proposal).filter(|it| it.pods > 0)
    {
        return Some(stuck.text());
    }
    match about {
        About::MissingPods(pods) => Some(failure::lacking(pods, &format!("{} sample", name(winner.spec)))),
        About::UnreadyPods(pods) => {
            let verb = if pods == 1 { "counts" } else { "count" };
            Some(format!("{} {verb} as 0", count(pods, "unready pod")))
        }
        About::SurplusPods(_) | About::AbsentPods(_) => {
            let pods = explanation.counted_pods()?;
            Some(format!("{} for {} replicas", count(pods, "pod"), current.0))
        }
        About::ForeignSamples(samples) => Some(format!("{} of no selected pod", count(samples, "sample"))),
        About::StatusReplicas => Some("status.replicas differs".to_owned()),
        _ => None,
    }
}

/// What keeps the replicas from what is wanted.
fn brake(explanation: &Explanation) -> String {
    if let Some(words) = attested::brake(explanation) {
        return words;
    }
    if explanation.interval().is_some() || explanation.open_way().limit {
        return "memory not known".to_owned();
    }
    match explanation.brake() {
        Some(About::Floor) => "straight to minReplicas".to_owned(),
        Some(About::Disabled(Direction::Up)) => "scaleUp is disabled".to_owned(),
        Some(About::Disabled(Direction::Down)) => "scaleDown is disabled".to_owned(),
        Some(About::Window(_)) => window(explanation),
        Some(About::Max) => "maxReplicas".to_owned(),
        Some(About::Min) => "minReplicas".to_owned(),
        _ => "rate limit".to_owned(),
    }
}

fn window(explanation: &Explanation) -> String {
    let stabilized = explanation.decision().stabilized.as_ref().filter(|_| explanation.memory_is_known());
    let leaves = stabilized.and_then(|it| Some(explanation.holder(it)?.at + it.window()));
    let Some(leaves) = leaves else { return "held by window".to_owned() };
    let memory = &explanation.snapshot().memory;
    // Only a rescale before lets a rate keep the replicas for longer.
    let has_rescales = !(memory.scale_ups.is_empty() && memory.scale_downs.is_empty());
    let (by, until) = match has_rescales.then(|| longer(explanation, leaves)).flatten() {
        Some(Hold::Rate { until }) => ("rate", until.0),
        _ => ("window", leaves),
    };
    format!("{by} until {}", clock(explanation.now(), until))
}

fn wanted(explanation: &Explanation) -> i32 {
    explanation.decision().choice.map_or(0, |choice| choice.after.0)
}

fn at_max(explanation: &Explanation) -> String {
    let (wanted, max) = (wanted(explanation), explanation.snapshot().hpa.max.0);
    match explanation.decision().gate {
        Gate::AboveMax => "above maxReplicas".to_owned(),
        _ if wanted > max => format!("{wanted} wanted"),
        _ => "no room to scale up".to_owned(),
    }
}

fn at_min(explanation: &Explanation) -> String {
    let (wanted, min) = (wanted(explanation), explanation.snapshot().hpa.min.0);
    match explanation.decision().gate {
        Gate::BelowMin => "below minReplicas".to_owned(),
        _ if wanted < min || explanation.current().is_some_and(|current| current.0 != wanted) => {
            format!("{wanted} wanted")
        }
        _ => String::new(),
    }
}

fn scaling(explanation: &Explanation) -> String {
    if let Some(words) = of_pods(explanation) {
        return words;
    }
    let wanted = wanted(explanation);
    if explanation.range().is_some_and(|(low, high)| low != high || low.0 != wanted) {
        return format!("{wanted} wanted; {}", brake(explanation));
    }
    let is_up = explanation.current().is_some_and(|current| current.0 < wanted);
    // From 0, or where status.replicas is another number than the replicas, the value is on the other side.
    match explanation.winner().map(|(_, proposal)| proposal.calculation.ratios().1) {
        Some(ratio) if is_up && ratio.is_above() => "above target".to_owned(),
        Some(ratio) if !is_up && ratio.is_below() => "below target".to_owned(),
        Some(_) | None => format!("{wanted} wanted"),
    }
}

fn idle(explanation: &Explanation) -> &'static str {
    let winner = explanation.winner();
    let ratio = winner.map(|(_, proposal)| proposal.calculation.ratios().0);
    let filled = winner.is_some_and(|(_, it)| it.refill().is_some_and(|it| it.missing.is_some()));
    match (explanation.cause().map(|cause| cause.about), ratio) {
        (Some(About::Tolerance), _) if filled => "within tolerance; pods without sample",
        (Some(About::Tolerance), _) => "within the tolerance",
        (_, Some(ratio)) if !ratio.is_above() && !ratio.is_below() => "on target",
        _ => "as many as wanted",
    }
}

/// The read that failed of one whose decision is not known without it.
pub(in crate::render) fn not_read(explanation: &Explanation) -> String {
    match &explanation.decision().outcome {
        Outcome::Unknown(Unread::Refused(error)) if error.is_unmapped() => "kind not found yet".to_owned(),
        Outcome::Unknown(Unread::Refused(error)) if error.is_not_given() => unread::status(error),
        Outcome::Unknown(Unread::Refused(error)) if !error.is_not_in_case() => {
            format!("not read: {}", status(error))
        }
        _ => "the case does not have it".to_owned(),
    }
}

/// An error in at most three words.
fn status(error: &ReadError) -> String {
    match error.code {
        Some(code) if error.is_foreign() => format!("proxy answered {code}"),
        Some(200..300) => "unusable answer".to_owned(),
        None if error.reason.is_empty() => "no answer".to_owned(),
        _ => unread::status(error),
    }
}

/// `12 HPAs: 2 broken, 1 at max and 9 idle`.
pub(in crate::render) fn sum(states: &[(HpaState, usize)]) -> String {
    let all: usize = states.iter().map(|(_, number)| number).sum();
    let there = states.iter().filter(|(_, number)| *number > 0);
    let parts: Vec<String> = there.map(|(state, number)| format!("{number} {}", word(*state))).collect();
    if parts.is_empty() { count(all, "HPA") } else { format!("{}: {}", count(all, "HPA"), list(&parts)) }
}

/// A state as people read it.
pub(in crate::render) fn word(state: HpaState) -> String {
    state.as_str().replace('-', " ")
}

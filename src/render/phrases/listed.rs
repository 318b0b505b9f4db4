//! A row of the list of HPAs: its metric, and why it is in its state.

use super::metric::named;
use super::why_normal::longer;
use super::{attested, failure, reason, unread};
use crate::render::claims::{At, Hold, InShort, Keeps, Way};
use crate::render::units::{Unit, count, list};
use kubectl_hpa_core::api::{Condition, Unscalable};
use kubectl_hpa_core::causes::{About, ZeroOf};
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::{HpaState, MetricSpec, Milli, Permission, Replicas, ResourceName, Source};
use kubectl_hpa_core::snapshot::ReadError;
use kubectl_hpa_core::trace::{
    Calculation, Failure, Gate, HoldReason, Outcome, Proposal, RequestGap, ScaleFailure, SelectorVerdict,
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

/// Its state, and why it is in it.
pub(in crate::render) fn told(explanation: &Explanation) -> (HpaState, InShort) {
    match explanation.state_by_status() {
        Some((state, condition)) => (state, by_status(state, condition)),
        None => (explanation.state(), why(explanation)),
    }
}

fn why(explanation: &Explanation) -> InShort {
    match explanation.state() {
        HpaState::Broken => broken(explanation),
        HpaState::Held => held(explanation),
        HpaState::AtMax => at_max(explanation),
        HpaState::Asleep => InShort::NoneWanted,
        HpaState::AtMin => at_min(explanation),
        HpaState::Scaling => scaling(explanation),
        HpaState::Idle => idle(explanation),
        HpaState::SwitchedOff => switched_off(explanation),
        HpaState::Unknown => not_read(explanation),
    }
}

/// Of a state that only the last status shows: the reason of its condition, which is one word. Of a metric that failed beside
/// others there is none.
fn by_status(state: HpaState, condition: Option<&Condition>) -> InShort {
    let reason = condition.map(|it| it.reason.to_string()).filter(|reason| !reason.is_empty());
    InShort::ByStatus { failed: reason.is_none() && state == HpaState::Broken, reason }
}

fn broken(explanation: &Explanation) -> InShort {
    let decision = explanation.decision();
    // A metric that fails here fails for the controller, whatever its last sync met.
    let fails_here = matches!(about(explanation), Some(About::FailedMetric(_) | About::IdlePods));
    if let Some(why) = attested::in_short(explanation).filter(|_| !fails_here) {
        return why;
    }
    if let Some(Unscalable::NoSubresource(kind)) = explanation.snapshot().unscalable() {
        return InShort::CannotScale { kind: kind.to_owned() };
    }
    if let Gate::NoScale(failure) = &decision.gate {
        return without_scale(explanation, failure);
    }
    match &decision.outcome {
        Outcome::NoScale => return InShort::ScaleFailed { status: None },
        Outcome::Scale { failed: Some(error), .. } => {
            let may = explanation.answer().asked.is_some();
            return InShort::WriteFails { status: status(error), may };
        }
        Outcome::Hold { reason: HoldReason::Selector, .. } => return selector(explanation),
        Outcome::Hold { .. } | Outcome::Scale { failed: None, .. } | Outcome::Unknown(_) => {}
    }
    let failure = explanation.faulty().next();
    failure.map_or(InShort::LastSyncFailed, |(metric, failure)| {
        failure::none_runs(explanation, failure).unwrap_or_else(|| failed(metric, failure))
    })
}

fn about(explanation: &Explanation) -> Option<About> {
    explanation.cause().map(|cause| cause.about)
}

/// Whose the zero is, as far as it shows.
fn switched_off(explanation: &Explanation) -> InShort {
    match about(explanation) {
        Some(About::Zero(ZeroOf::Keda)) => InShort::ZeroOfKeda,
        Some(About::Zero(ZeroOf::NotTold)) => InShort::ZeroWithGateOff,
        _ => InShort::Zero,
    }
}

fn without_scale(explanation: &Explanation, failure: &ScaleFailure) -> InShort {
    match failure {
        ScaleFailure::ApiVersion(_) => InShort::InvalidApiVersion,
        ScaleFailure::Mapping(_) => InShort::UnknownKind,
        ScaleFailure::Get(_) if explanation.snapshot().lacks_target() => InShort::NoTarget,
        ScaleFailure::Get(error) => InShort::ScaleFailed { status: Some(status(error)) },
    }
}

fn selector(explanation: &Explanation) -> InShort {
    match &explanation.decision().selector {
        Some(SelectorVerdict::Missing) => InShort::NoSelector,
        Some(SelectorVerdict::Ambiguous(_)) => InShort::AmbiguousSelector,
        Some(SelectorVerdict::Unlisted(_)) => InShort::PodsUnlisted,
        Some(SelectorVerdict::Invalid(_) | SelectorVerdict::Good | SelectorVerdict::Unknown(_)) | None => {
            InShort::InvalidSelector
        }
    }
}

fn failed(metric: Metric<'_>, failure: &Failure) -> InShort {
    match failure {
        Failure::Api { error, .. } => InShort::MetricsApi { status: status(error) },
        Failure::NoSamples(_) => InShort::NothingReturned,
        Failure::NotOneValue(values) => InShort::NotOneValue { values: *values },
        Failure::NoPods | Failure::NoPodsToCount => InShort::NoPods,
        Failure::PodsUnlisted(_) | Failure::PodsUncounted(_) => InShort::PodsUnlisted,
        Failure::UnmeasuredContainer(_) => InShort::SampleWithoutContainer,
        Failure::SwitchedOff => InShort::ContainerMetricsOff,
        Failure::Crash => InShort::Crash,
        Failure::NoUsableSamples => InShort::NoSampleCounts,
        Failure::RequestGaps(gaps) => without_request(metric, gaps),
        Failure::NoKnownPods => InShort::RequestsZero,
        Failure::NoTarget => InShort::NoTargetValue,
        Failure::MetricSelector(_) => InShort::InvalidMetricSelector,
    }
}

fn without_request(metric: Metric<'_>, gaps: &[RequestGap]) -> InShort {
    let pods = gaps.len();
    let resource = metric.spec.source.resource().map_or("", ResourceName::as_str).to_owned();
    match &metric.spec.source {
        Source::ContainerResource { container, .. } if failure::lacks_container(gaps) => {
            InShort::WithoutContainer { pods, container: container.to_string() }
        }
        _ => InShort::WithoutRequest { pods, resource },
    }
}

fn held(explanation: &Explanation) -> InShort {
    if explanation.decision().choice.is_none() {
        return InShort::Kept { by: brake(explanation) };
    }
    of_pods(explanation).unwrap_or_else(|| kept(explanation))
}

fn kept(explanation: &Explanation) -> InShort {
    InShort::Wanted { wanted: wanted(explanation), kept_by: Some(brake(explanation)) }
}

/// The pods without a sample, not ready, too many or too few, if those are the cause.
fn of_pods(explanation: &Explanation) -> Option<InShort> {
    let (winner, proposal) = explanation.winner()?;
    let current = explanation.current()?;
    let about = explanation.cause()?.about;
    if matches!(about, About::MissingPods(_) | About::UnreadyPods(_)) {
        let waits = reason::unscheduled(explanation, winner).filter(|pods| pods.words().is_some());
        let stuck = || reason::stuck_pods(explanation, winner, proposal).filter(|it| it.pods > 0);
        let found = waits.map(InShort::Unscheduled).or_else(|| stuck().map(InShort::Stuck));
        if found.is_some() {
            return found;
        }
    }
    match about {
        About::MissingPods(pods) => Some(InShort::Missing { pods, metric: name(winner.spec) }),
        About::UnreadyPods(pods) => {
            let counted = proposal.refill().is_some_and(|it| it.unready_as_zero);
            Some(InShort::Unready { pods, counted })
        }
        About::SurplusPods(_) | About::AbsentPods(_) => {
            Some(InShort::Counts { pods: explanation.counted_pods()?, replicas: current.0 })
        }
        About::ForeignPods(pods) => Some(InShort::OfOthers { pods }),
        About::ForeignSamples(samples) => Some(InShort::ForeignSamples { samples }),
        About::StatusReplicas => Some(InShort::StatusReplicas),
        _ => None,
    }
}

/// The brake between the wanted and the decided replicas; a bound that does so is a state of its own, but for minReplicas above 0 replicas.
fn brake(explanation: &Explanation) -> Keeps {
    if let Some(keeps) = attested::brake(explanation) {
        return keeps;
    }
    if explanation.interval().is_some() || explanation.open_way().limit {
        return Keeps::Memory;
    }
    match explanation.brake() {
        Some(About::Floor) => Keeps::Floor,
        Some(About::Disabled(direction)) => Keeps::Disabled { direction: Way(direction) },
        Some(About::Window(_)) => window(explanation),
        Some(About::Min) => Keeps::Min,
        _ => Keeps::Rate { until: None },
    }
}

fn window(explanation: &Explanation) -> Keeps {
    let stabilized = explanation.decision().stabilized.as_ref().filter(|_| explanation.memory_is_known());
    let leaves = stabilized.and_then(|it| Some(explanation.holder(it)?.at + it.window()));
    let Some(leaves) = leaves else { return Keeps::Window { until: None } };
    let memory = &explanation.snapshot().memory;
    // Only a rescale before lets a rate keep the replicas for longer.
    let has_rescales = !(memory.scale_ups.is_empty() && memory.scale_downs.is_empty());
    match has_rescales.then(|| longer(explanation, leaves)).flatten() {
        Some(Hold::Rate { until }) => Keeps::Rate { until: Some(until) },
        _ => Keeps::Window { until: Some(At(leaves)) },
    }
}

fn wanted(explanation: &Explanation) -> i32 {
    explanation.decision().choice.map_or(0, |choice| choice.after.0)
}

fn only_wanted(explanation: &Explanation) -> InShort {
    InShort::Wanted { wanted: wanted(explanation), kept_by: None }
}

fn at_max(explanation: &Explanation) -> InShort {
    match explanation.decision().gate {
        Gate::AboveMax => InShort::AboveMax,
        _ if wanted(explanation) > explanation.snapshot().hpa.max.0 => only_wanted(explanation),
        _ => InShort::NoRoom,
    }
}

fn at_min(explanation: &Explanation) -> InShort {
    let (wanted, min) = (wanted(explanation), explanation.snapshot().hpa.min.0);
    match explanation.decision().gate {
        Gate::BelowMin => InShort::BelowMin,
        _ if wanted < min || explanation.current().is_some_and(|current| current.0 != wanted) => {
            only_wanted(explanation)
        }
        _ => InShort::AsWanted,
    }
}

fn scaling(explanation: &Explanation) -> InShort {
    if let Some(of_pods) = of_pods(explanation) {
        return of_pods;
    }
    let wanted = wanted(explanation);
    if explanation.range().is_some_and(|(low, high)| low != high || low.0 != wanted) {
        return kept(explanation);
    }
    let is_up = explanation.current().is_some_and(|current| current.0 < wanted);
    if explanation.current() == Some(Replicas(0)) {
        return only_wanted(explanation);
    }
    // Where status.replicas is another number than the replicas, the value is on the other side.
    match explanation.winner().map(|(_, proposal)| proposal.calculation.ratios().1) {
        Some(ratio) if is_up && ratio.is_above() => InShort::AboveTarget,
        Some(ratio) if !is_up && ratio.is_below() => InShort::BelowTarget,
        Some(_) | None => only_wanted(explanation),
    }
}

fn idle(explanation: &Explanation) -> InShort {
    let winner = explanation.winner();
    let ratio = winner.map(|(_, proposal)| proposal.calculation.ratios().0);
    let missing = winner.is_some_and(|(_, it)| it.refill().is_some_and(|it| it.missing.is_some()));
    match (about(explanation), ratio) {
        (Some(About::Tolerance), _) => InShort::WithinTolerance { missing },
        (_, Some(ratio)) if !ratio.is_above() && !ratio.is_below() => InShort::OnTarget,
        _ => InShort::AsWanted,
    }
}

/// The read that failed of one whose decision is not known without it.
pub(in crate::render) fn not_read(explanation: &Explanation) -> InShort {
    match &explanation.decision().outcome {
        Outcome::Unknown(Unread::Refused(error)) if error.is_unmapped() => InShort::KindNotFound,
        Outcome::Unknown(Unread::Refused(error)) if error.is_not_given() => {
            InShort::NotGiven { status: unread::status(error) }
        }
        Outcome::Unknown(Unread::Refused(error)) if !error.is_not_in_case() => {
            InShort::NotRead { status: Some(status(error)) }
        }
        _ => InShort::NotRead { status: None },
    }
}

/// Why it is not known here, and what was not read: `not read: 403 Forbidden for deployments/scale of apps`.
pub(in crate::render) fn not_read_and_what(explanation: &Explanation) -> String {
    let why = not_read(explanation).text(explanation.now());
    let path = match &explanation.decision().outcome {
        Outcome::Unknown(Unread::Refused(error)) if !error.is_not_given() => error.path.as_str(),
        _ => "",
    };
    Permission::to_get(path).map_or_else(|| why.clone(), |read| format!("{why} for {}", read.what()))
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

//! Metrics that fail, and stop the HPA or keep the others from scaling down.

use super::context::AdviceContext;
use super::{Advice, Remedy, scheduling};
use crate::model::{MetricSpec, Replicas, Source};
use crate::snapshot::{Pod, Snapshot};
use crate::trace::{Failure, Gate, HoldReason, MetricTrace, MetricsApi, Outcome, Verdict};
use crate::whatif::{Change, Knob};

pub(super) fn advise(context: &AdviceContext<'_>) -> Option<Advice> {
    match context.decision.outcome {
        Outcome::Hold { reason: HoldReason::InvalidMetricBlocksDown, .. } => blocked(context),
        Outcome::Hold { reason: HoldReason::AllMetricsInvalid, .. } => stopped(context),
        Outcome::NoScale | Outcome::Unknown(_) | Outcome::Hold { .. } | Outcome::Scale { .. } => None,
    }
}

/// Metrics that fail while others decide: the HPA never scales down until they are fixed.
pub(super) fn beside(context: &AdviceContext<'_>) -> Option<Advice> {
    let decides = context.decision.gate == Gate::Metrics
        && matches!(
            context.decision.outcome,
            Outcome::Hold { reason: HoldReason::Decided, .. } | Outcome::Scale { failed: None, .. }
        );
    let fails = context.decision.metrics.iter().any(|it| matches!(it.verdict, Verdict::Failed(_)));
    if decides && fails { blocked(context) } else { None }
}

/// True if all metrics fail because no pod runs, so that there is nothing to measure.
fn are_idle(context: &AdviceContext<'_>) -> bool {
    let is_of_pods = |trace: &MetricTrace| match &trace.verdict {
        Verdict::Failed(failure) => failure.lacks_samples_of_pods(),
        Verdict::Proposal(_) | Verdict::Unknown(_) => false,
    };
    context.snapshot.idle_pods().is_some() && context.decision.metrics.iter().all(is_of_pods)
}

/// The metrics whose APIs gave an error, or nothing: one for each API and error.
fn stopped(context: &AdviceContext<'_>) -> Option<Advice> {
    if are_idle(context) && context.decision.found() == Some(Replicas(0)) {
        return wake_up(context);
    }
    if are_idle(context) {
        // Pods without a node, or with a container that waits, have advice of their own.
        return scheduling::advise(context).next().is_none().then(|| Advice::new(Remedy::StartPods));
    }
    let mut asked: Vec<(MetricsApi, Option<Option<u16>>)> = Vec::new();
    let mut metrics = Vec::new();
    let is_idle = context.snapshot.idle_pods().is_some();
    for trace in &context.decision.metrics {
        let said = match &trace.verdict {
            // Its API has nothing of pods that do not run.
            Verdict::Failed(failure) if is_idle && failure.lacks_samples_of_pods() => continue,
            Verdict::Failed(Failure::Api { api, error }) => (*api, Some(error.code)),
            Verdict::Failed(Failure::NoSamples(api)) => (*api, None),
            Verdict::Failed(_) | Verdict::Proposal(_) | Verdict::Unknown(_) => continue,
        };
        // KEDA tells of each of its triggers.
        let is_of_keda = context.snapshot.hpa.scaled_object().is_some() && said.0 == MetricsApi::External;
        if is_of_keda || !asked.contains(&said) {
            asked.push(said);
            metrics.push(trace.index);
        }
    }
    (!metrics.is_empty()).then(|| Advice::new(Remedy::AskMetricsApi { metrics }))
}

fn blocked(context: &AdviceContext<'_>) -> Option<Advice> {
    let failed = context.decision.metrics.iter().filter(|trace| matches!(trace.verdict, Verdict::Failed(_)));
    let metrics: Vec<usize> = failed.clone().map(|trace| trace.index).collect();
    // Requests that are missing have advice of their own.
    if failed.clone().any(|trace| matches!(trace.verdict, Verdict::Failed(Failure::RequestGaps(_)))) {
        return None;
    }
    let other = without(context.snapshot, &metrics);
    // To scale to zero takes a metric that has a value there: the API server refuses the HPA without its last one.
    if other.hpa.min == Replicas(0) && !other.hpa.metrics.iter().any(MetricSpec::outlives_pods) {
        return Some(Advice::new(Remedy::FixOrRemoveMetric { metrics }));
    }
    let then = context.measured(other)?;
    let names: Option<Vec<String>> =
        metrics.iter().map(|place| name(&context.snapshot.hpa.metrics, *place)).collect();
    let remove = |name| Change::new(Knob::RemoveMetric, name).ok();
    let changes = names.unwrap_or_default().into_iter().filter_map(remove).collect();
    Some(Advice { remedy: Remedy::FixOrRemoveMetric { metrics }, changes, then: Some(then) })
}

fn without(snapshot: &Snapshot, gone: &[usize]) -> Snapshot {
    let mut other = snapshot.clone();
    for place in gone.iter().rev() {
        other.hpa.metrics.remove(*place);
        if *place < other.readings.len() {
            other.readings.remove(*place);
        }
    }
    other
}

/// What a metric is called on a command line; `None` where another one is called the same.
fn name(metrics: &[MetricSpec], place: usize) -> Option<String> {
    let name = full(metrics.get(place)?);
    (metrics.iter().filter(|other| full(other) == name).count() == 1).then_some(name)
}

/// As [`Knob::RemoveMetric`] knows it: `cpu`, `app/cpu`, `rps`, `rps@Service/web`.
fn full(spec: &MetricSpec) -> String {
    match &spec.source {
        Source::Resource(resource) => resource.as_str().to_owned(),
        Source::ContainerResource { resource, container } => [container, "/", resource.as_str()].concat(),
        Source::Pods(metric) | Source::External(metric) => metric.name.to_string(),
        Source::Object { metric, object } => [&*metric.name, "@", &object.kind, "/", &object.name].concat(),
    }
}

/// KEDA wakes up what it put to sleep. What something else runs in the place of the target would run twice: a Rollout of Argo whose
/// `workloadRef` is a Deployment keeps that at 0.
pub(super) fn wake_up(context: &AdviceContext<'_>) -> Option<Advice> {
    if context.snapshot.hpa.scaled_object().is_some() {
        return None;
    }
    let is_run = |place: &usize| {
        let is_owned = |pod: &Pod| pod.owner.as_ref().is_some_and(|owner| &*owner.kind == "ReplicaSet");
        context.pod(*place).is_some_and(|pod| pod.is_active() && is_owned(pod))
    };
    let pods: Vec<usize> = context.foreign().into_iter().filter(is_run).collect();
    Some(Advice::new(if pods.is_empty() { Remedy::WakeUp } else { Remedy::ScaleOwner { pods } }))
}

//! What the controller would decide, asked of the engine itself: of made-up pods of a template, and of a load that stops
//! or comes at once.

use serde_json::{Value, json};

use super::workload::Workload;
use crate::api::{Container, HpaSpec, MetricSpec};
use crate::engine::decide;
use crate::model::{Duration, Instant, Quantity, Replicas};
use crate::rules::Rules;
use crate::snapshot::{Cases, Controller, Snapshot};
use crate::trace::{Outcome, Verdict};

/// The pods have been running for a day.
const START: &str = "2026-01-01T00:00:00Z";
const NOW: &str = "2026-01-02T00:00:00Z";

/// What one metric proposes for one pod of a template, if each container uses so much; `None` where that is not known.
pub(super) fn verdict(
    metric: &MetricSpec,
    workload: &Workload<'_>,
    usage: impl Fn(&Container) -> Quantity,
) -> Option<Verdict> {
    let spec = HpaSpec { metrics: vec![metric.clone()], ..example(1) };
    let (_, resource, _) = super::metric::resource(metric)?;
    let pods = workload.pods()?;
    let used: Vec<Value> = pods
        .running()
        .map(|it| json!({"name": it.name, "usage": {resource: usage(it).to_string()}}))
        .collect();
    let metadata = json!({"name": "pod", "namespace": "lint", "labels": {"app": "lint"}});
    let status = json!({"phase": "Running", "startTime": START, "conditions": [
        {"type": "Ready", "status": "True", "lastTransitionTime": START}]});
    let mut case = case(&spec, 1);
    case["pods"] = json!({"items": [{"metadata": metadata, "spec": pods, "status": status}]});
    case["podMetrics"] =
        json!({"items": [{"metadata": metadata, "timestamp": NOW, "window": "30s", "containers": used}]});
    let snapshot = snapshot(&case)?;
    let rules = Rules::for_version(&snapshot.controller.version.value, &snapshot.controller.feature_gates);
    decide(&snapshot, &rules.ok()?).metrics.pop().map(|trace| trace.verdict)
}

/// The resource of a utilization, and the container where it is of one.
pub(super) fn resource(metric: &MetricSpec) -> Option<(&str, Option<&str>)> {
    match (metric.kind.as_str(), &metric.resource, &metric.container_resource) {
        ("Resource", Some(it), _) => it.target.average_utilization.map(|_| (it.name.as_str(), None)),
        ("ContainerResource", _, Some(it)) => {
            it.target.average_utilization.map(|_| (it.name.as_str(), Some(it.container.as_str())))
        }
        _ => None,
    }
}

/// The bounds and the behavior as the snapshot has them, with the defaults filled in.
pub(super) fn filled(spec: &HpaSpec) -> Option<Snapshot> {
    let metrics = vec![load()];
    snapshot(&case(&HpaSpec { metrics, ..spec.clone() }, spec.max_replicas))
}

/// How long the controller takes from one count to another, if the load is gone at once; `None` if it takes longer than
/// the limit.
pub(super) fn time_down(spec: &HpaSpec, to: Replicas, limit: Duration) -> Option<Duration> {
    let mut start = filled(spec)?;
    // It is asked how fast, not whether.
    let behavior = start.hpa.behavior.iter_mut();
    behavior.for_each(|behavior| behavior.down.tolerance = None);
    play(start, None, |count| count <= to, limit)
}

/// Whether a target at zero gets a pod within an hour of any load. By the rules of 1.35: since 1.36 the controller asks
/// besides whether it was itself that scaled to zero.
pub(super) fn leaves_zero(spec: &HpaSpec) -> bool {
    let mut case = case(&HpaSpec { metrics: vec![load()], ..spec.clone() }, 0);
    case["externalMetrics"][0]["items"][0]["value"] = json!("1000");
    let rules = Rules::for_version("1.35.0", &std::collections::BTreeMap::new());
    let (Some(start), Ok(rules)) = (snapshot(&case), rules) else { return true };
    play(start, Some(rules), |count| count > Replicas(0), Duration::from_seconds(3600)).is_some()
}

/// Syncs until the count is where it should be.
fn play(
    mut world: Snapshot,
    rules: Option<Rules>,
    is_there: impl Fn(Replicas) -> bool,
    limit: Duration,
) -> Option<Duration> {
    let controller = &world.controller;
    let rules =
        rules.or_else(|| Rules::for_version(&controller.version.value, &controller.feature_gates).ok())?;
    let start = world.taken_at;
    while world.taken_at.since(start) <= limit {
        let decision = decide(&world, &rules);
        if let (Outcome::Scale { to, .. }, Ok(scale)) = (&decision.outcome, &mut world.scale) {
            scale.replicas = *to;
            if is_there(*to) {
                return Some(world.taken_at.since(start));
            }
        }
        world.memory = decision.memory;
        world.taken_at = later(world.taken_at);
    }
    None
}

fn later(at: Instant) -> Instant {
    at + Controller::SYNC_PERIOD
}

/// By way of the text, as each case is read: a second way would be in the binary for nothing else.
fn snapshot(case: &Value) -> Option<Snapshot> {
    let text = case.to_string();
    Snapshot::freeze(Cases::new("lint", text.as_bytes()).next()?.ok()?).ok()
}

/// A load that needs no pods to be known: there is none, unless a case says so.
fn load() -> MetricSpec {
    let metric = json!({"type": "External", "external": {
        "metric": {"name": "load"}, "target": {"type": "AverageValue", "averageValue": "1"}}});
    serde_json::from_value(metric).unwrap_or_default()
}

fn example(max_replicas: i32) -> HpaSpec {
    let scale_target_ref = crate::api::ObjectReference {
        kind: "Deployment".to_owned(),
        name: "lint".to_owned(),
        api_version: "apps/v1".to_owned(),
    };
    HpaSpec { scale_target_ref, max_replicas: max_replicas.max(1_000), ..HpaSpec::default() }
}

fn case(spec: &HpaSpec, replicas: i32) -> Value {
    let metadata = json!({"name": "lint", "namespace": "lint"});
    json!({
        "apiVersion": "kubectl-hpa/v1",
        "kind": "Case",
        "at": NOW,
        "hpa": {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": metadata, "spec": spec},
        "scale": {"object": {"metadata": metadata, "spec": {"replicas": replicas},
            "status": {"replicas": replicas, "selector": "app=lint"}}},
        "pods": {"items": []},
        "externalMetrics": [{"query": {"metric": {"name": "load"}},
            "items": [{"metricName": "load", "timestamp": NOW, "value": "0"}]}],
    })
}

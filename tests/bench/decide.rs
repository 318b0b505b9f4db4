//! `cargo bench`: one decision with its full trace. The real calculator's times for the same numbers of pods are in
//! the README.

use divan::Bencher;
use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Case, Snapshot};
use serde_json::{Value, json};

fn main() {
    divan::main();
}

/// cpu at 90 % of the request against a target of 50 %: every pod is counted, one in ten is missing, one in ten is
/// still in its initialization period.
#[divan::bench(args = [3, 100, 1_000, 10_000])]
fn cpu_utilization(bencher: Bencher<'_, '_>, pods: usize) {
    let snapshot = snapshot(pods);
    let rules = Rules::for_version("v1.37.1", &snapshot.controller.feature_gates).expect("1.37 has rules");
    bencher.bench(|| decide(divan::black_box(&snapshot), &rules));
}

fn snapshot(pods: usize) -> Snapshot {
    let case = json!({
        "apiVersion": "kubectl-hpa/v1",
        "kind": "Case",
        "at": "2026-11-21T10:42:00Z",
        "memory": {},
        "hpa": {
            "apiVersion": "autoscaling/v2",
            "metadata": {"name": "web", "namespace": "shop"},
            "spec": {
                "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                "maxReplicas": 20_000,
                "metrics": [{"type": "Resource", "resource": {"name": "cpu",
                    "target": {"type": "Utilization", "averageUtilization": 50}}}],
            },
        },
        "scale": {"object": {"spec": {"replicas": pods}, "status": {"replicas": pods, "selector": "app=web"}}},
        "pods": {"items": (0..pods).map(pod).collect::<Vec<_>>()},
        "podMetrics": {"items": (0..pods).filter(|index| index % 10 != 1).map(sample).collect::<Vec<_>>()},
    });
    let case: Case = serde_json::from_value(case).expect("the case is one");
    Snapshot::freeze(case).expect("the case can be frozen")
}

fn pod(index: usize) -> Value {
    let started = if index % 10 == 2 { "2026-11-21T10:41:00Z" } else { "2026-11-21T09:00:00Z" };
    let container =
        |name: &str| json!({"name": name, "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}}});
    json!({
        "metadata": {"name": format!("web-{index}"), "namespace": "shop", "labels": {"app": "web"}},
        "spec": {"containers": [container("app"), container("proxy")]},
        "status": {"phase": "Running", "startTime": started,
            "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": started}]},
    })
}

fn sample(index: usize) -> Value {
    let container = |name: &str| json!({"name": name, "usage": {"cpu": "90m", "memory": "50Mi"}});
    json!({
        "metadata": {"name": format!("web-{index}"), "namespace": "shop"},
        "timestamp": "2026-11-21T10:41:10Z",
        "window": "15s",
        "containers": [container("app"), container("proxy")],
    })
}

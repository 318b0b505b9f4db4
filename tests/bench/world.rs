//! The world of the benchmarks: cpu at 90% of the request, the target is 50%, and one metric of type Utilization.

use serde_json::{Value, json};

use kubectl_hpa_core::model::{Duration, Instant};

/// A case with so many pods at an instant. Every pod is counted: one in ten has no sample, and one in ten is still in its
/// initialization period.
pub fn world(pods: usize, at: Instant) -> Value {
    json!({
        "apiVersion": "kubectl-hpa/v1",
        "kind": "Case",
        "at": at,
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
        "pods": {"items": (0..pods).map(|index| pod(index, at)).collect::<Vec<_>>()},
        "podMetrics": {"items":
            (0..pods).filter(|index| index % 10 != 1).map(|index| sample(index, at)).collect::<Vec<_>>()},
    })
}

fn pod(index: usize, at: Instant) -> Value {
    let started = at - Duration::from_seconds(if index % 10 == 2 { 10 } else { 6_000 });
    let container =
        |name: &str| json!({"name": name, "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}}});
    json!({
        "metadata": {"name": format!("web-{index}"), "namespace": "shop", "labels": {"app": "web"}},
        "spec": {"containers": [container("app"), container("proxy")]},
        "status": {"phase": "Running", "startTime": started,
            "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": started}]},
    })
}

fn sample(index: usize, at: Instant) -> Value {
    let container = |name: &str| json!({"name": name, "usage": {"cpu": "90m", "memory": "50Mi"}});
    json!({
        "metadata": {"name": format!("web-{index}"), "namespace": "shop", "labels": {"app": "web"}},
        "timestamp": at - Duration::from_seconds(5),
        "window": "15s",
        "containers": [container("app"), container("proxy")],
    })
}

//! The world of the benchmarks: cpu at 90% of the request, the target is 50%, and one metric of type Utilization.

use serde_json::{Value, json};

use kubectl_hpa_core::model::{Duration, Instant};

/// Which pods there are. The controller counts each of them.
#[derive(Clone, Copy, PartialEq)]
pub enum Pods {
    /// One in ten has no sample, and one in ten is still in its initialization period.
    Mixed,
    /// All of them are ready and have a sample, so that it can be played what comes next.
    #[allow(dead_code, reason = "only one of the two programs plays")]
    Ready,
}

/// A case with so many pods at an instant; its maximum is twice as many.
pub fn world(pods: usize, kind: Pods, at: Instant) -> Value {
    let is = |index: usize, digit: usize| kind == Pods::Mixed && index % 10 == digit;
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
                "maxReplicas": 2 * pods,
                "metrics": [{"type": "Resource", "resource": {"name": "cpu",
                    "target": {"type": "Utilization", "averageUtilization": 50}}}],
            },
        },
        "scale": {"object": {"spec": {"replicas": pods}, "status": {"replicas": pods, "selector": "app=web"}}},
        "pods": {"items": (0..pods).map(|index| pod(index, is(index, 2), at)).collect::<Vec<_>>()},
        "podMetrics": {"items":
            (0..pods).filter(|index| !is(*index, 1)).map(|index| sample(index, at)).collect::<Vec<_>>()},
    })
}

fn pod(index: usize, is_new: bool, at: Instant) -> Value {
    let started = at - Duration::from_seconds(if is_new { 10 } else { 6_000 });
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

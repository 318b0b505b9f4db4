//! A world that is played offline: what the API holds of it, and the behaviors that are drawn for it.

use kubectl_hpa_core::model::{Instant, Replicas};
use kubectl_hpa_core::snapshot::{Emitted, HistoryEvidence, Rescale, RescaleEventReason};
use kubectl_hpa_core::trace::{Outcome, RescaleReason};
use proptest::prelude::*;
use serde_json::{Value, json};

/// What the API holds at an instant.
pub struct Scene<'a> {
    pub at: Instant,
    pub behavior: &'a Option<Value>,
    pub status: &'a Value,
    pub replicas: i32,
    pub pods: i32,
    /// Of every pod, in milli-units of a request of 100m; none where the metrics API fails.
    pub usage: Option<i64>,
}

impl Scene<'_> {
    /// As a case, of an autoscaler from 2 to 12 at 50%.
    pub fn case(&self) -> Value {
        let metrics = self.usage.map_or_else(
            || json!({"error": {"code": 503, "message": "no endpoints"}}),
            |usage| {
                let sample = |index: i32| {
                    json!({"metadata": {"name": format!("p{index}")}, "timestamp": "2026-11-21T09:00:00Z",
                    "window": "15s", "containers": [{"name": "app", "usage": {"memory": format!("{usage}m")}}]})
                };
                json!({"items": (0..self.pods).map(sample).collect::<Vec<_>>()})
            },
        );
        let pod = |index: i32| {
            json!({"metadata": {"name": format!("p{index}"), "labels": {"app": "web"}}, "status": {"phase": "Running"},
            "spec": {"containers": [{"name": "app", "resources": {"requests": {"memory": "100m"}}}]}})
        };
        let target = json!({"type": "Utilization", "averageUtilization": 50});
        json!({
            "apiVersion": "kubectl-hpa/v1", "kind": "Case", "at": self.at.to_rfc3339_nano(),
            "hpa": {"metadata": {"name": "web", "namespace": "shop", "generation": 1},
                "spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                    "minReplicas": 2, "maxReplicas": 12, "behavior": self.behavior,
                    "metrics": [{"type": "Resource", "resource": {"name": "memory", "target": target}}]},
                "status": self.status},
            "scale": {"object": {"spec": {"replicas": self.replicas},
                "status": {"replicas": self.pods, "selector": "app=web"}}},
            "pods": {"items": (0..self.pods).map(pod).collect::<Vec<_>>()},
            "podMetrics": metrics,
        })
    }
}

/// Adds the event of a rescale, as the API shows it.
pub fn emit(history: &mut HistoryEvidence, outcome: &Outcome, at: Instant) {
    let Outcome::Scale { to, reason, .. } = outcome else { return };
    let at = whole_seconds(at);
    let reason = match reason {
        RescaleReason::AboveTarget(_) => RescaleEventReason::AboveTarget,
        RescaleReason::BelowTarget => RescaleEventReason::BelowTarget,
        RescaleReason::AboveMax => RescaleEventReason::AboveMax,
        RescaleReason::BelowMin => RescaleEventReason::BelowMin,
        RescaleReason::Empty => RescaleEventReason::Unclear,
    };
    history.has_events = true;
    history.emitted.push(Emitted { stored: at, first: at, last: at, count: 1, is_normal: true });
    history.rescales.push(Rescale {
        first: at,
        last: at,
        count: 1,
        to: Replicas(to.0),
        reason,
        words: "".into(),
        is_combined: false,
    });
}

/// As the API writes times.
pub fn whole_seconds(at: Instant) -> Instant {
    Instant::parse(&at.to_string()).expect("a time")
}

/// None, the defaults, or rules with these windows and with periods up to a limit, in seconds.
pub fn behaviors(windows: [i64; 4], periods: i32) -> impl Strategy<Value = Option<Value>> {
    let policy = (prop_oneof!["Pods", "Percent"], 1..120_i32, 1..periods)
        .prop_map(|(kind, value, period)| json!({"type": kind, "value": value, "periodSeconds": period}));
    let rules = (
        prop::sample::select(windows.to_vec()),
        prop_oneof!["Max", "Min", "Disabled"],
        prop::collection::vec(policy, 1..3),
    )
        .prop_map(|(window, select, policies)| {
            json!({"stabilizationWindowSeconds": window, "selectPolicy": select, "policies": policies})
        });
    let both = (rules.clone(), rules).prop_map(|(up, down)| json!({"scaleUp": up, "scaleDown": down}));
    prop_oneof![2 => Just(None), 1 => Just(Some(json!({}))), 3 => both.prop_map(Some)]
}

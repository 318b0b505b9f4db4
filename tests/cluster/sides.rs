//! What a changed autoscaler needs is asked for with what the stored one needs.

use kubectl_hpa::commands::Ending;
use serde_json::{Value, json};

use crate::cluster::{Cluster, POD_METRICS, Waves, discovery, hpa, list};
use crate::run::run_on;

const RPS: &str = "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/pods/%2A/rps";
const QUEUE: &str = "/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/queue";

fn external() -> Value {
    json!({"type": "External", "external": {
        "metric": {"name": "queue"}, "target": {"type": "AverageValue", "averageValue": "10"}}})
}

fn rps() -> Value {
    json!({"type": "Pods", "pods": {"metric": {"name": "rps"}, "target": {"type": "AverageValue", "averageValue": "1"}}})
}

/// The autoscaler looks at a queue alone.
fn shop(metrics: Value) -> Cluster {
    let value = |pod: &str| {
        json!({"describedObject": {"kind": "Pod", "name": pod, "apiVersion": "/v1"}, "metric": {"name": "rps"},
            "timestamp": "2026-11-21T10:41:50Z", "value": "1500m"})
    };
    Cluster::shop()
        .with_hpas(&[hpa("web", "apps/v1", "Deployment", "web", metrics)])
        .with(
            "/apis",
            discovery(&[
                ("apps", "v1", &[("deployments", "Deployment", "deploy")]),
                ("custom.metrics.k8s.io", "v1beta2", &[]),
            ]),
        )
        .with(RPS, list("MetricValueList", json!([value("web-1"), value("web-2")])))
        .with(
            QUEUE,
            list(
                "ExternalMetricValueList",
                json!([{"metricName": "queue", "metricLabels": {}, "value": "20",
                "timestamp": "2026-11-21T10:41:50Z"}]),
            ),
        )
}

fn replicas(view: &Value) -> (Option<i64>, Option<i64>) {
    (view["now"]["desiredReplicas"].as_i64(), view["then"]["desiredReplicas"].as_i64())
}

#[test]
fn an_added_metric_is_asked_for() {
    let simulate = |added: &str| {
        let told = shop(json!([external()])).run(&["simulate", "web", "--add-metric", added, "-o", "json"]);
        assert_eq!(told.err, "", "{added}");
        (told.ending, replicas(&told.json()))
    };
    // Two pods use 50m of 100m each.
    assert_eq!(simulate("cpu=10"), (Ending::Different, (Some(2), Some(4))));
    // 1.5 per pod against 1.
    assert_eq!(simulate(&rps().to_string()), (Ending::Different, (Some(2), Some(3))));
}

#[test]
fn what_is_left_after_a_removed_metric_is_there() {
    let told =
        shop(json!([external(), rps()])).run(&["simulate", "web", "--remove-metric", "rps", "-o", "json"]);
    assert_eq!((told.err.as_str(), replicas(&told.json())), ("", (Some(3), Some(2))));
}

#[test]
fn a_metric_of_one_container_is_decided_on() {
    let cpu = json!({"type": "Resource", "resource": {
        "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 25}}});
    let told = shop(json!([cpu])).run(&["simulate", "web", "--container", "app", "-o", "json"]);
    assert_eq!((told.err.as_str(), replicas(&told.json())), ("", (Some(4), Some(4))));
}

#[test]
fn nothing_is_asked_that_neither_side_needs() {
    let told = shop(json!([external()])).run(&["simulate", "web", "--max", "5"]);
    assert_eq!((told.asked(POD_METRICS), told.asked(RPS), told.asked(QUEUE)), (0, 0, 1));
    let told = shop(json!([external()])).run(&["simulate", "web", "--add-metric", "cpu=50"]);
    assert_eq!((told.asked(POD_METRICS), told.asked(QUEUE)), (1, 1));
}

#[test]
fn both_sides_take_no_fourth_round_trip() {
    let waves = Waves::of(shop(json!([external()])));
    let told = run_on(&waves.server, &["simulate", "web", "--add-metric", "cpu=50"]);
    assert_eq!((told.err.as_str(), waves.count()), ("", 3));
}

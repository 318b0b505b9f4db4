//! Cases made of objects: recorded cases are taken apart into what kubectl prints, put through text, and made again. What
//! objects can tell gives the same answer; without a part the answer is an interval with the whole one in it, or none.

use kubectl_hpa_core::api;
use kubectl_hpa_core::assembly::{self, Stock};
use kubectl_hpa_core::memory_bounds::answer;
use kubectl_hpa_core::model::{Instant, Replicas};
use kubectl_hpa_core::snapshot::case::HistoryCase;
use kubectl_hpa_core::snapshot::{Case, Piece, Pieces, Snapshot};
use serde_json::{Value, json};

use crate::recorded::{frozen, recorded};

/// Of the recorded sequences every fifth is looked at.
const EVERY: usize = 5;

/// What is left out, each by itself.
const KINDS: [&str; 6] =
    ["Scale", "PodList", "PodMetricsList", "MetricValueList", "ExternalMetricValueList", "EventList"];

/// Objects of the API as kubectl prints them, each with its kind, of a case that has a decision made of objects alone.
fn apart(case: &Case) -> Vec<Value> {
    let written = |value| serde_json::to_value(value).expect("JSON");
    let case = written(case);
    let typed = |version: &str, kind: &str, object: &Value| {
        let mut object = object.clone();
        object["apiVersion"] = json!(version);
        object["kind"] = json!(kind);
        object
    };
    let list = |version: &str, kind: &str, items: &Value| json!({"kind": kind, "apiVersion": version, "metadata": {}, "items": items});
    let namespace = &case["hpa"]["metadata"]["namespace"];
    let mut objects = vec![typed("autoscaling/v2", "HorizontalPodAutoscaler", &case["hpa"])];
    let scale_of = |hpa: &Value, scale: &Value, objects: &mut Vec<Value>| {
        if scale["object"].is_object() {
            let mut scale = typed("autoscaling/v1", "Scale", &scale["object"]);
            scale["metadata"]["name"] = hpa["spec"]["scaleTargetRef"]["name"].clone();
            scale["metadata"]["namespace"] = hpa["metadata"]["namespace"].clone();
            objects.push(scale);
        }
    };
    scale_of(&case["hpa"], &case["scale"], &mut objects);
    for other in case["otherHPAs"].as_array().into_iter().flatten() {
        objects.push(typed("autoscaling/v2", "HorizontalPodAutoscaler", &other["hpa"]));
        scale_of(&other["hpa"], &other["scale"], &mut objects);
    }
    for (part, version, kind) in [
        ("pods", "v1", "PodList"),
        ("podMetrics", "metrics.k8s.io/v1beta1", "PodMetricsList"),
        ("events", "v1", "EventList"),
    ] {
        if case[part]["items"].is_array() {
            objects.push(list(version, kind, &case[part]["items"]));
        }
    }
    for answer in case["customMetrics"].as_array().into_iter().flatten() {
        let mut items = answer["items"].clone();
        for item in items.as_array_mut().into_iter().flatten() {
            item["describedObject"]["namespace"] = namespace.clone();
            item["metric"] = answer["query"]["metric"].clone();
        }
        objects.push(list("custom.metrics.k8s.io/v1beta2", "MetricValueList", &items));
    }
    for answer in case["externalMetrics"].as_array().into_iter().flatten() {
        let mut items = answer["items"].clone();
        for item in items.as_array_mut().into_iter().flatten() {
            item["metricName"] = answer["query"]["metric"]["name"].clone();
        }
        objects.push(list("external.metrics.k8s.io/v1beta1", "ExternalMetricValueList", &items));
    }
    objects
}

/// The case of an HPA, made of objects as text.
fn made(objects: &[Value], of: &api::ObjectMeta, now: Instant) -> Case {
    let lines: Vec<String> = objects.iter().map(Value::to_string).collect();
    let text = lines.join("\n");
    let mut stock = Stock::default();
    for piece in Pieces::new("objects", text.as_bytes()) {
        match piece.expect("an object") {
            Piece::Object(object, _) => stock.add(object).expect("an object that can be decoded"),
            Piece::Case(_) => panic!("a case"),
        }
    }
    let is_meant = |it: &api::ObjectMeta| (&it.namespace, &it.name) == (&of.namespace, &of.name);
    assembly::cases(stock, now).find(|case| is_meant(&case.hpa.0.metadata)).expect("the case")
}

fn range(case: Case) -> Option<(Replicas, Replicas)> {
    let (mut snapshot, rules) = frozen(case);
    answer(&mut snapshot, &rules).range()
}

/// Whether objects tell all that the case has: no read of it failed, and no two objects have one name.
fn is_told(case: &Case, made: &Case) -> bool {
    let scale = |case: &Case| {
        case.scale.as_ref().and_then(|scale| scale.object.clone()).map(|it| (it.spec, it.status))
    };
    let of_pods = |case: &Case| case.pods.as_ref().and_then(|pods| pods.items.as_ref().map(Vec::len));
    scale(case) == scale(made)
        && of_pods(case).is_some()
        && made.pods.as_ref().is_some_and(|pods| pods.error.is_none())
        && (case.pod_metrics.as_ref().is_none_or(|it| it.error.is_none()))
        && made.pod_metrics.as_ref().is_none_or(|it| it.error.is_none())
        && made.custom_metrics.iter().all(|it| it.error.is_none())
        && made.external_metrics.iter().all(|it| it.error.is_none())
        && made.events.as_ref().is_some_and(|it| it.error.is_none())
            == case.events.as_ref().is_some_and(|it| it.error.is_none())
}

fn is_within(narrow: Option<(Replicas, Replicas)>, wide: Option<(Replicas, Replicas)>) -> bool {
    match (narrow, wide) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(narrow), Some(wide)) => wide.0 <= narrow.0 && narrow.1 <= wide.1,
    }
}

/// The case with targets of a custom resource, whose scales are objects of their own; each other HPA has its own target: those
/// that were drawn have none.
fn with_targets(case: Case) -> Case {
    let mut case = serde_json::to_value(case).expect("JSON");
    let farm = |name: &Value| json!({"apiVersion": "example.com/v1", "kind": "Farm", "name": name});
    for other in case["otherHPAs"].as_array_mut().into_iter().flatten() {
        other["hpa"]["spec"]["scaleTargetRef"] = farm(&other["hpa"]["metadata"]["name"]);
    }
    let target = &mut case["hpa"]["spec"]["scaleTargetRef"];
    if target["apiVersion"] == "apps/v1" {
        *target = farm(&target["name"]);
    }
    serde_json::from_value(case).expect("a case")
}

/// The case, and the one that was made of its objects.
fn told(case: &Case, made: &Case) -> String {
    let text = |case| serde_json::to_string(case).expect("JSON");
    format!("{}\n{}", text(case), text(made))
}

#[test]
fn a_case_made_of_objects_is_the_one_that_they_were_taken_from() {
    let (mut cases, mut same, mut parts, mut answered) = (0, 0, 0, 0);
    for mut case in recorded("1.37", EVERY).map(with_targets) {
        case.memory = None;
        case.writes = None;
        case.history = HistoryCase::default();
        // The controller never fails to list pods: it has them from a watch.
        let is_odd = case.pods.as_ref().is_some_and(|pods| pods.error.is_some());
        if is_odd || Snapshot::freeze(case.clone()).is_err() {
            continue;
        }
        let own = case.hpa.0.metadata.clone();
        let name = &own.name;
        let objects = apart(&case);
        let (now, controller) = (case.at, case.controller.clone());
        let again = |objects: &[Value]| Case { controller: controller.clone(), ..made(objects, &own, now) };
        let whole = again(&objects);
        case.at = whole.at;
        // A case without events is one without any; that nobody gave events is less.
        case.events.get_or_insert_with(|| whole.events.clone().expect("what came of them"));
        let expected = range(case.clone());
        let found = range(whole.clone());
        cases += 1;
        if is_told(&case, &whole) {
            same += 1;
            assert_eq!(found, expected, "{name}: {}", told(&case, &whole));
        } else {
            assert!(
                is_within(expected, found),
                "{name}: {found:?} is not {expected:?}: {}",
                told(&case, &whole)
            );
        }
        for kind in KINDS {
            let kept: Vec<Value> = objects.iter().filter(|it| it["kind"] != kind).cloned().collect();
            if kept.len() == objects.len() {
                continue;
            }
            parts += 1;
            let found = range(Case { at: case.at, ..again(&kept) });
            answered += usize::from(found.is_some());
            assert!(
                is_within(expected, found),
                "{name} without {kind}: {found:?} is not {expected:?}: {}",
                told(&case, &whole)
            );
        }
    }
    assert!(same > 600 && answered > 400, "{cases} cases, {same} the same; {parts}, {answered}");
}

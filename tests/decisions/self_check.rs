//! Why the controller wrote something else: said only as far as the case shows it.

use crate::advice::example;
use kubectl_hpa_core::explanation::{Explanation, Guess, OtherFlag, SelfCheck};
use serde_json::{Value, json};

/// A queue of one replica that rests, as the status has it.
fn queue(target: Value, value: &str, shown: Value) -> Value {
    let mut case = example("scale-to-zero");
    case["controller"] = json!({"version": {"value": "v1.37.1"}});
    case["memory"]["recommendations"] = json!([{"replicas": 1, "at": "2026-11-21T10:41:45Z"}]);
    case["hpa"]["spec"]["metrics"][0]["external"]["target"] = target;
    case["externalMetrics"][0]["items"][0]["value"] = json!(value);
    case["hpa"]["status"]["currentMetrics"][0]["external"]["current"] = shown;
    let able = json!({"type": "AbleToScale", "status": "True", "reason": "ReadyForNewScale"});
    case["hpa"]["status"]["conditions"][0] = able;
    case
}

fn total() -> Value {
    queue(json!({"type": "Value", "value": "6"}), "7", json!({"value": "7"}))
}

#[track_caller]
fn guess(case: Value) -> Guess {
    let explanation = Explanation::of(serde_json::from_value(case).expect("a case")).expect("a decision");
    match explanation.self_check() {
        Some(SelfCheck::Differs(guess)) => guess,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_flag_is_named_only_with_a_value_that_gives_what_was_written() {
    assert_eq!(guess(total()), Guess::OtherFlag(OtherFlag { name: "tolerance", value: "0.2" }));
    let mut known = total();
    known["controller"]["tolerance"] = json!({"value": 0.1, "evidence": "Observed"});
    assert_eq!(guess(known), Guess::NotVisible);
    // No tolerance holds what is 50 times the target.
    let far = queue(json!({"type": "Value", "value": "6"}), "300", json!({"value": "300"}));
    assert_eq!(guess(far), Guess::NotVisible);
}

#[test]
fn a_status_that_hides_its_metrics_tells_nothing_of_a_flag() {
    let mut case = total();
    case["hpa"]["status"]["currentMetrics"] = Value::Null;
    assert_eq!(guess(case), Guess::MetricsNotShown);
}

/// The last sync left so many replicas, and wrote them.
fn stands_at(case: &mut Value, replicas: i32) {
    case["memory"]["recommendations"] = json!([{"replicas": replicas, "at": "2026-11-21T10:41:45Z"}]);
    for count in ["currentReplicas", "desiredReplicas"] {
        case["hpa"]["status"][count] = json!(replicas);
    }
    case["scale"]["object"]["spec"]["replicas"] = json!(replicas);
}

#[test]
fn at_zero_the_status_hides_a_change_of_the_metric() {
    let target = json!({"type": "AverageValue", "averageValue": "100"});
    let mut case = queue(target, "250", json!({"averageValue": "-9223372036854775808m"}));
    stands_at(&mut case, 0);
    case["hpa"]["status"]["conditions"][3] =
        json!({"type": "ScaledToZero", "status": "True", "reason": "ScaledToZero"});
    case["scale"]["object"]["status"]["replicas"] = json!(0);
    case["pods"]["items"] = json!([]);
    assert_eq!(guess(case.clone()), Guess::HiddenAtZero);
    // The gate is off now, and was not then.
    case["controller"]["featureGates"] = json!({"HPAScaleToZero": {"value": false, "evidence": "Given"}});
    assert_eq!(guess(case), Guess::StoppedAtZero);
}

#[test]
fn the_status_of_the_scale_is_told_apart_from_its_spec() {
    let target = json!({"type": "AverageValue", "averageValue": "100"});
    let mut case = queue(target, "1000", json!({"averageValue": "100"}));
    stands_at(&mut case, 10);
    case["scale"]["object"]["status"]["replicas"] = json!(11);
    assert_eq!(guess(case), Guess::OtherPods { spec: 10, status: 11 });
}

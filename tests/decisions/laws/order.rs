//! The order of pods and of samples, and the names of pods, never change a decision.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use kubectl_hpa_core::model::Milli;
use kubectl_hpa_core::snapshot::{Case, Reading, Snapshot};
use serde_json::Value;

use super::comparable;
use crate::recorded::{frozen, recorded};
use crate::versions::versions;

/// Of the sequences every eighth is taken.
const EVERY: usize = 8;

/// The lists whose order must not matter.
const LISTS: [&str; 2] = ["pods", "podMetrics"];
const ANSWERS: [&str; 2] = ["customMetrics", "externalMetrics"];

/// The lists of items of a case.
fn lists(case: &mut Value) -> Vec<&mut Vec<Value>> {
    let object = case.as_object_mut().expect("a case");
    let mut found = Vec::new();
    for (name, value) in object {
        if LISTS.contains(&name.as_str()) {
            found.extend(value["items"].as_array_mut());
        } else if ANSWERS.contains(&name.as_str()) {
            let answers = value.as_array_mut().into_iter().flatten();
            found.extend(answers.filter_map(|answer| answer["items"].as_array_mut()));
        }
    }
    found
}

/// Puts every list into another order, which depends on a seed alone.
fn shuffle(case: &mut Value, seed: u64) {
    for items in lists(case) {
        let mut keyed: Vec<(u64, Value)> = Vec::new();
        for (place, item) in items.drain(..).enumerate() {
            let mut hasher = DefaultHasher::new();
            (seed, place).hash(&mut hasher);
            keyed.push((hasher.finish(), item));
        }
        keyed.sort_by_key(|(key, _)| *key);
        items.extend(keyed.into_iter().map(|(_, item)| item));
    }
}

/// The name of the pod that an item is about.
fn pod_name(item: &mut Value) -> Option<&mut Value> {
    let of_object = item.get("describedObject").is_some();
    let holder = if of_object { &mut item["describedObject"] } else { &mut item["metadata"] };
    let is_pod = !of_object || holder["kind"] == "Pod";
    holder.get_mut("name").filter(|_| is_pod)
}

/// Gives every pod another name, in all lists the same.
fn rename(case: &mut Value) {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for name in lists(case).into_iter().flatten().filter_map(pod_name) {
        let old = name.as_str().unwrap_or_default().to_owned();
        // Later names first: also the order by name is another one.
        let next = format!("renamed-{:04}", 9999 - names.len());
        *name = Value::from(names.entry(old).or_insert(next).clone());
    }
}

/// Two items about one pod are no list that an API gives: the last one would count, which is a matter of order.
fn has_twins(case: &mut Value) -> bool {
    lists(case).into_iter().any(|items| {
        let names: Vec<String> = items
            .iter_mut()
            .filter_map(pod_name)
            .filter_map(|name| Some(name.as_str()?.to_owned()))
            .collect();
        names.iter().collect::<BTreeSet<_>>().len() < names.len()
    })
}

/// A sum of external values that leaves the int64, or has parts below zero, is capped on its way: see
/// `an_order_that_matters`.
fn adds_up_oddly(snapshot: &Snapshot) -> bool {
    snapshot.readings.iter().any(|reading| match reading {
        Reading::External(Ok(values)) => {
            let sum: i128 = values.iter().map(|value| i128::from(value.0)).sum();
            values.iter().any(|value| value.0 < 0) || sum > i128::from(i64::MAX)
        }
        _ => false,
    })
}

#[test]
fn neither_order_nor_names_change_a_decision() {
    let mut compared = 0;
    for version in versions() {
        for (seed, case) in recorded(&version, EVERY).enumerate() {
            let mut text = serde_json::to_value(&case).expect("a case");
            let (snapshot, rules) = frozen(case);
            if has_twins(&mut text) || adds_up_oddly(&snapshot) {
                continue;
            }
            let before = comparable(&snapshot, &rules);
            let mut shuffled = text.clone();
            shuffle(&mut shuffled, seed as u64);
            rename(&mut text);
            for changed in [shuffled, text] {
                let case: Case = serde_json::from_value(changed.clone()).expect("a case");
                let after = comparable(&frozen(case).0, &rules);
                assert_eq!(before, after, "{changed}");
                compared += 1;
            }
        }
    }
    assert!(compared > 2000, "{compared}");
}

/// Since 1.34 a sum of external values counts as overflowed as soon as it is below zero on its way. The same two series
/// ask for five pods or for the cap, as the metrics API happens to list them.
#[test]
fn an_order_that_matters() {
    let (mut snapshot, rules) = frozen(external(&["-10", "60"]));
    let mut desired = |values: [i64; 2]| {
        snapshot.readings = vec![Reading::External(Ok(values.map(Milli).to_vec()))];
        comparable(&snapshot, &rules)["desired"].as_i64()
    };
    assert_eq!(desired([60_000, -10_000]), Some(5));
    assert_eq!(desired([-10_000, 60_000]), Some(20));
}

/// Five pods, and an external metric of an average of ten a pod.
pub fn external(values: &[&str]) -> Case {
    let items: Vec<Value> =
        values.iter().map(|value| serde_json::json!({"metricName": "queue", "value": value})).collect();
    serde_json::from_value(serde_json::json!({
        "apiVersion": "kubectl-hpa/v1", "kind": "Case", "at": "2026-11-21T10:42:00Z", "memory": {},
        "hpa": {"metadata": {"name": "web", "namespace": "shop"},
            "spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "maxReplicas": 20,
                "behavior": {"scaleUp": {"policies": [{"type": "Pods", "value": 100, "periodSeconds": 15}]}},
                "metrics": [{"type": "External", "external": {"metric": {"name": "queue"},
                    "target": {"type": "AverageValue", "averageValue": "10"}}}]}},
        "scale": {"object": {"spec": {"replicas": 5}, "status": {"replicas": 5, "selector": "app=web"}}},
        "pods": {"items": []},
        "externalMetrics": [{"query": {"metric": {"name": "queue"}}, "items": items}],
    }))
    .expect("a case")
}

//! What a recorded case has of the status is what the controller left there a sync before: its own words, and nothing that
//! it would have acted upon already.

use std::fs;
use std::path::Path;

use kubectl_hpa_core::api::{HpaStatus, MetricStatus};
use kubectl_hpa_core::memory_bounds::answer;
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Cases, Snapshot};
use kubectl_hpa_core::status::{metric_name, report};
use serde_json::Value;

/// Each case file of a folder.
pub fn each(folder: &Path, check: impl Fn(&str, &str)) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).unwrap_or_default();
        if text.starts_with("apiVersion: kubectl-hpa/v1\n") {
            check(&path.display().to_string(), &text);
        }
    }
}

pub fn check(name: &str, text: &str) {
    let case = Cases::new(name, text.as_bytes()).next().expect("a case").expect("a good case");
    let mut snapshot = Snapshot::freeze(case).expect("a good case");
    let before = snapshot.hpa.status.clone();
    // Nothing holds of a status that was written about another spec, or never.
    if before.conditions.is_empty() || before.observed_generation != Some(snapshot.hpa.generation) {
        return;
    }
    let controller = &snapshot.controller;
    let rules = Rules::for_version(&controller.version.value, &controller.feature_gates).expect("rules");
    let decision = answer(&mut snapshot, &rules).decision;
    let now = report(&snapshot, &decision, &rules).status;

    if let Some(active) = before.conditions.iter().find(|it| it.reason == "ValidMetricFound") {
        let mut names = snapshot.hpa.metrics.iter().map(|spec| metric_name(spec, &rules));
        assert!(names.any(|it| active.message.ends_with(&format!(" from {it}"))), "{name}: {active:?}");
    }
    if !decision.metrics.is_empty() {
        assert_eq!(measured(&before), measured(&now), "{name}: other metrics");
    }
    if before.desired_replicas == now.desired_replicas {
        assert_eq!(words(&before), words(&now), "{name}: a count that stays, with other words");
    } else {
        let held = before.conditions.iter().any(|it| it.reason.ends_with("Stabilized"));
        assert!(held || before.current_metrics != now.current_metrics, "{name}: why not a sync before?");
    }
}

/// Of each metric what it is, without its numbers.
fn measured(status: &HpaStatus) -> Vec<Value> {
    status.current_metrics.iter().flatten().map(without_numbers).collect()
}

fn without_numbers(metric: &MetricStatus) -> Value {
    let mut value = serde_json::to_value(metric).expect("JSON");
    for source in value.as_object_mut().into_iter().flat_map(|fields| fields.values_mut()) {
        if let Some(fields) = source.as_object_mut() {
            fields.remove("current");
        }
    }
    value
}

fn words(status: &HpaStatus) -> Vec<[&str; 4]> {
    let conditions = status.conditions.iter();
    conditions.map(|it| [&*it.kind, &*it.status, &*it.reason, &*it.message]).collect()
}

//! Specs of the HPA: as a plan begins with one, as the API server stores them, and what is different between two.

use kubectl_hpa_core::api::{
    Behavior, ExternalSource, HpaSpec, MetricIdentifier, MetricSpec, MetricTarget, ObjectReference, Policy,
    ResourceSource, ScalingRules,
};
use kubectl_hpa_core::model::{Format, Quantity};
use serde::Serialize;
use serde_json::Value;

use super::plan::{Metric, Plan};
use super::view;

pub fn first(plan: &Plan) -> HpaSpec {
    let (api_version, kind) = view::kind(plan.kind);
    let target = ObjectReference {
        kind: kind.to_owned(),
        name: "web".to_owned(),
        api_version: api_version.to_owned(),
    };
    HpaSpec {
        scale_target_ref: target,
        min_replicas: Some(plan.min),
        max_replicas: plan.max,
        metrics: vec![metric(plan.metric, 50)],
        behavior: plan.behavior.clone().map(stored),
    }
}

/// A metric whose target is so many percent of what the load is drawn for.
pub fn metric(metric: Metric, percent: i32) -> MetricSpec {
    if metric == Metric::Queue {
        let average_value = Some(Quantity::from_milli(i64::from(percent) * 200, Format::DecimalSI));
        let target =
            MetricTarget { kind: "AverageValue".to_owned(), average_value, ..MetricTarget::default() };
        let metric = MetricIdentifier { name: "queue".to_owned(), selector: None };
        let external = Some(ExternalSource { metric, target }.into());
        return MetricSpec { kind: "External".to_owned(), external, ..MetricSpec::default() };
    }
    let target = MetricTarget {
        kind: "Utilization".to_owned(),
        average_utilization: Some(percent),
        ..MetricTarget::default()
    };
    let resource = Some(ResourceSource { name: "memory".to_owned(), target }.into());
    MetricSpec { kind: "Resource".to_owned(), resource, ..MetricSpec::default() }
}

/// Behavior with the API server's defaults (`pkg/apis/autoscaling/v2/defaults.go`).
pub fn stored(behavior: Behavior) -> Behavior {
    let percent = Policy { kind: "Percent".to_owned(), value: 100, period_seconds: 15 };
    let pods = Policy { kind: "Pods".to_owned(), value: 4, period_seconds: 15 };
    Behavior {
        scale_up: Some(side(behavior.scale_up, Some(0), vec![pods, percent.clone()])),
        scale_down: Some(side(behavior.scale_down, None, vec![percent])),
    }
}

fn side(rules: Option<ScalingRules>, window: Option<i32>, policies: Vec<Policy>) -> ScalingRules {
    let rules = rules.unwrap_or_default();
    ScalingRules {
        stabilization_window_seconds: rules.stabilization_window_seconds.or(window),
        select_policy: rules.select_policy.or_else(|| Some("Max".to_owned())),
        policies: rules.policies.or(Some(policies)),
        tolerance: rules.tolerance,
    }
}

/// The fields of a spec or a status, each with its value; lists are atomic, but conditions are a map by their types.
fn fields(root: &str, of: &impl Serialize) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    walk(root, &serde_json::to_value(of).expect("JSON"), &mut found);
    found
}

fn walk(path: &str, value: &Value, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                walk(&format!("{path}.{name}"), value, found);
            }
        }
        Value::Null => {}
        Value::Array(conditions) if path.ends_with(".conditions") => {
            for condition in conditions {
                walk(&format!("{path}.{}", condition["type"]), condition, found);
            }
        }
        leaf => found.push((path.to_owned(), leaf.clone())),
    }
}

pub fn leaves(spec: &HpaSpec) -> Vec<String> {
    fields("spec", spec).into_iter().map(|(path, _)| path).collect()
}

/// What is added or changed, and what is removed.
pub fn difference<T: Serialize>(root: &str, before: &T, after: &T) -> (Vec<String>, Vec<String>) {
    let (before, after) = (fields(root, before), fields(root, after));
    let took = after.iter().filter(|field| !before.contains(field)).map(|(path, _)| path.clone()).collect();
    let is_gone = |path: &String| after.iter().all(|(other, _)| other != path);
    let removed = before.into_iter().map(|(path, _)| path).filter(is_gone).collect();
    (took, removed)
}

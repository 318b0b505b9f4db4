//! The spec of a frozen autoscaler in the JSON of autoscaling/v2, as Go writes it.

use kubectl_hpa_core::model::{
    Behavior, MetricIdentifier, MetricSpec, ObjectReference, Policy, PolicyType, ScalingRules, SelectPolicy,
    Source, Target, TargetType,
};
use kubectl_hpa_core::snapshot::Hpa;
use serde_json::{Map, Value, json};

pub fn of(hpa: &Hpa) -> Value {
    let mut spec = json!({
        "scaleTargetRef": reference(&hpa.target),
        "minReplicas": hpa.min.0,
        "maxReplicas": hpa.max.0,
        "metrics": hpa.metrics.iter().map(metric).collect::<Vec<_>>(),
    });
    if let Some(Behavior { up, down }) = &hpa.behavior {
        spec["behavior"] = json!({"scaleUp": rules(up), "scaleDown": rules(down)});
    }
    spec
}

fn reference(reference: &ObjectReference) -> Value {
    let mut json = json!({"kind": reference.kind, "name": reference.name});
    if !reference.api_version.is_empty() {
        json["apiVersion"] = reference.api_version.as_ref().into();
    }
    json
}

fn metric(metric: &MetricSpec) -> Value {
    let target = target(&metric.target);
    match &metric.source {
        Source::Resource(name) => {
            json!({"type": "Resource", "resource": {"name": name.as_str(), "target": target}})
        }
        Source::ContainerResource { resource, container } => json!({
            "type": "ContainerResource",
            "containerResource": {"name": resource.as_str(), "container": container, "target": target},
        }),
        Source::Pods(metric) => {
            json!({"type": "Pods", "pods": {"metric": identifier(metric), "target": target}})
        }
        Source::Object { metric, object } => json!({
            "type": "Object",
            "object": {"describedObject": reference(object), "metric": identifier(metric), "target": target},
        }),
        Source::External(metric) => {
            json!({"type": "External", "external": {"metric": identifier(metric), "target": target}})
        }
    }
}

fn identifier(metric: &MetricIdentifier) -> Value {
    match &metric.selector {
        None => json!({"name": metric.name}),
        Some(selector) => json!({"name": metric.name, "selector": selector}),
    }
}

fn target(target: &Target) -> Value {
    let kind = match target.kind {
        TargetType::Utilization => "Utilization",
        TargetType::Value => "Value",
        TargetType::AverageValue => "AverageValue",
    };
    present([
        ("type", Some(json!(kind))),
        ("value", target.value.as_ref().map(|value| json!(value))),
        ("averageValue", target.average_value.as_ref().map(|value| json!(value))),
        ("averageUtilization", target.average_utilization.map(|percent| json!(percent.0))),
    ])
}

fn rules(rules: &ScalingRules) -> Value {
    let select = match rules.select {
        SelectPolicy::Max => "Max",
        SelectPolicy::Min => "Min",
        SelectPolicy::Disabled => "Disabled",
    };
    present([
        ("stabilizationWindowSeconds", rules.window_seconds.map(|seconds| json!(seconds))),
        ("selectPolicy", Some(json!(select))),
        ("policies", Some(rules.policies.iter().map(policy).collect())),
        ("tolerance", rules.tolerance.as_ref().map(|tolerance| json!(tolerance))),
    ])
}

fn policy(policy: &Policy) -> Value {
    let kind = match policy.kind {
        PolicyType::Pods => "Pods",
        PolicyType::Percent => "Percent",
    };
    json!({"type": kind, "value": policy.value, "periodSeconds": policy.period_seconds})
}

fn present<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let present = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(present.collect::<Map<_, _>>())
}

//! What is scaled, between which bounds, and by what.

use serde_json::json;

use super::group::group;
use super::set::{Set, Subject};
use super::{Finding, Rule, Severity};
use crate::api::{MetricSpec, MetricTarget, unscalable};

pub(super) fn check(_: &Set<'_>, hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    findings.extend(cannot_scale(hpa));
    findings.extend(min_is_max(hpa));
    for (index, metric) in hpa.spec().metrics.iter().enumerate() {
        findings.extend(type_mismatch(hpa, index, metric));
        findings.extend(other_namespace(hpa, index, metric));
        findings.extend(value_multiplies(hpa, index, metric));
    }
}

fn cannot_scale(hpa: &Subject<'_>) -> Option<Finding> {
    let target = &hpa.spec().scale_target_ref;
    let kind = target.kind.as_str();
    // Without a kind it is refused, which is told.
    if kind.is_empty() {
        return None;
    }
    let why = unscalable(&target.api_version, kind)?;
    let meant = why.meant();
    let why = if meant.is_some() && group(&target.api_version) == "extensions" {
        format!("{} has no {kind} since Kubernetes 1.16", target.api_version)
    } else {
        why.to_string()
    };
    let message = format!("{why}, so the controller cannot scale {}", hpa.target());
    let finding = |help: &str| {
        Finding::new(Rule::TargetCannotScale, hpa.place, "spec.scaleTargetRef.kind", message.clone(), help)
    };
    Some(match meant {
        Some(kind) => finding("name the target by its kind and group")
            .certain(json!({"spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": kind}}})),
        None if kind == "DeploymentConfig" => finding("name it by its group: apps.openshift.io/v1")
            .certain(json!({"spec": {"scaleTargetRef": {"apiVersion": "apps.openshift.io/v1"}}})),
        None => finding("scale a Deployment, a StatefulSet or another kind with a scale, or remove the HPA"),
    })
}

fn min_is_max(hpa: &Subject<'_>) -> Option<Finding> {
    let (min, max) = (hpa.spec().min_replicas.unwrap_or(1), hpa.spec().max_replicas);
    (min == max).then(|| {
        let message = format!("minReplicas and maxReplicas are both {max}: this HPA never scales");
        let help = "raise maxReplicas, or set replicas in the workload and remove the HPA";
        Finding::new(Rule::MinIsMax, hpa.place, "spec.maxReplicas", message, help)
    })
}

/// The part of a metric that counts, and its target.
fn part(metric: &MetricSpec) -> Option<(&'static str, &MetricTarget)> {
    Some(match metric.kind.as_str() {
        "Resource" => ("resource", &metric.resource.as_ref()?.target),
        "ContainerResource" => ("containerResource", &metric.container_resource.as_ref()?.target),
        "Pods" => ("pods", &metric.pods.as_ref()?.target),
        "Object" => ("object", &metric.object.as_ref()?.target),
        "External" => ("external", &metric.external.as_ref()?.target),
        _ => return None,
    })
}

/// Only an Object metric goes by the type (`computeStatusForObjectMetric`); the others by the field that is set.
fn type_mismatch(hpa: &Subject<'_>, index: usize, metric: &MetricSpec) -> Option<Finding> {
    let (name, target) = part(metric)?;
    let fields = [
        ("Utilization", "averageUtilization", target.average_utilization.is_some()),
        ("AverageValue", "averageValue", target.average_value.is_some()),
        ("Value", "value", target.value.is_some()),
    ];
    if fields.iter().any(|(kind, _, is_set)| *is_set && *kind == target.kind) {
        return None;
    }
    let (meant, field, _) = fields.iter().find(|(_, _, is_set)| *is_set)?;
    if let Some(finding) = meant_percent(hpa, index, metric) {
        return Some(finding);
    }
    let is_object = metric.kind == "Object";
    let effect = if is_object { "the metric fails" } else { "the controller goes by the value" };
    let message = format!("the target's type is {}, but it sets {field}: {effect}", target.kind);
    let path = format!("spec.metrics[{index}].{name}.target.type");
    let finding =
        Finding::new(Rule::TargetTypeMismatch, hpa.place, path, message, format!("set type to {meant}"));
    // v1 and v2beta1 have no types: the conversion gives them the right one.
    let change = hpa.metric_patch(index, &format!("{name}/target/type"), json!(meant))?;
    let severity = if is_object { finding.severity } else { Severity::Info };
    Some(Finding { severity, ..finding.certain(change) })
}

/// Type Utilization with a bare number as `averageValue`: a percentage was meant, and that many cores or bytes are taken.
fn meant_percent(hpa: &Subject<'_>, index: usize, metric: &MetricSpec) -> Option<Finding> {
    let (name, resource, target) = super::metric::resource(metric)?;
    let value = target.average_value.as_ref().filter(|_| target.kind == "Utilization")?;
    let percent = value.to_string().parse::<i32>().ok().filter(|percent| (1..=1_000).contains(percent))?;
    let unit = if resource == "memory" { "bytes" } else { "cores" };
    let message = format!(
        "the target's type is Utilization, but averageValue: {value} is {value} {unit}: the controller goes by the value"
    );
    let path = format!("spec.metrics[{index}].{name}.target.averageValue");
    let help = format!("write averageUtilization: {percent}");
    let finding = Finding::new(Rule::TargetTypeMismatch, hpa.place, path, message, help);
    let target = json!({"type": "Utilization", "averageUtilization": percent});
    Some(finding.patch(hpa.metric_patch(index, &format!("{name}/target"), target)?))
}

/// The controller leaves out the name of a Namespace and asks for its HPA's own one (`GetObjectMetric`).
fn other_namespace(hpa: &Subject<'_>, index: usize, metric: &MetricSpec) -> Option<Finding> {
    let object = &metric.object.as_ref()?.described_object;
    let own = hpa.written.text("/metadata/namespace");
    let is_namespace = group(&object.api_version).is_empty() && object.kind == "Namespace";
    if own.is_empty() || !is_namespace || object.name == own {
        return None;
    }
    let message =
        format!("the controller reads this metric in the HPA's own namespace {own}, not in {}", object.name);
    let path = format!("spec.metrics[{index}].object.describedObject.name");
    let help = format!("name namespace {own}, or use an External metric");
    let finding = Finding::new(Rule::OtherNamespace, hpa.place, path, message, help);
    Some(match hpa.metric_patch(index, "object/describedObject/name", json!(own)) {
        Some(change) => finding.patch(change),
        None => finding,
    })
}

/// Words in the names of totals, which do not fall at once when pods are added.
const TOTALS: [&str; 9] =
    ["queue", "messages", "backlog", "lag", "depth", "pending", "requests", "per_second", "per-second"];

fn value_multiplies(hpa: &Subject<'_>, index: usize, metric: &MetricSpec) -> Option<Finding> {
    let (name, identifier) = match metric.kind.as_str() {
        "Object" => ("object", &metric.object.as_ref()?.metric.name),
        "External" => ("external", &metric.external.as_ref()?.metric.name),
        _ => return None,
    };
    let (_, target) = part(metric)?;
    let is_value = target.value.is_some() && (target.kind == "Value" || metric.kind == "External");
    let lower = identifier.to_ascii_lowercase();
    if !is_value || !TOTALS.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let message = format!(
        "{identifier} sounds like a total, and a Value target multiplies the pods by {identifier} / {}: each sync again, \
         until it falls",
        target.value.as_ref()?
    );
    let path = format!("spec.metrics[{index}].{name}.target.value");
    let help = "use a target of type AverageValue: what one pod can take";
    Some(Finding::new(Rule::ValueMultiplies, hpa.place, path, message, help))
}

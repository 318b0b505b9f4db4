//! What the API server refuses or does not know.

use serde_json::{Value, json};

use super::set::Subject;
use super::{Finding, Rule};
use crate::edit::merge_patch;
use crate::snapshot::{UnknownField, Violation, Written, validate_manifest, validate_target};

/// An HPA of which a field has the wrong type.
pub(super) fn undecodable(place: usize, written: &Written) -> Option<Finding> {
    let Violation { path, text } = written.hpa().err()?;
    Some(refused(place, Violation { path, text }))
}

/// The group in which HPAs began, before there was `autoscaling`.
pub(super) fn is_in_extensions(written: &Written) -> bool {
    written.text("/kind") == "HorizontalPodAutoscaler"
        && written.text("/apiVersion").starts_with("extensions/")
}

/// An HPA in the group `extensions`. No version of today knows its fields.
pub(super) fn in_extensions(place: usize, written: &Written) -> Finding {
    let message = format!("Kubernetes does not serve HPAs in {} any more", written.text("/apiVersion"));
    let help =
        "write it in autoscaling/v2: scaleTargetRef and metrics instead of scaleRef and cpuUtilization";
    Finding::new(Rule::GoneVersion, place, "apiVersion", message, help)
}

fn refused(place: usize, Violation { path, text }: Violation) -> Finding {
    let message = if path.is_empty() { text } else { format!("{path}: {text}") };
    Finding::new(Rule::InvalidHpa, place, path, message, "correct the field")
}

/// Says of an HPA that the API server refuses that nothing else was looked for: it never runs.
pub(super) fn note_unchecked(findings: &mut [Finding]) -> bool {
    let first = findings.iter_mut().find(|finding| finding.rule == Rule::InvalidHpa);
    first.map(|finding| finding.help.push_str("; the other rules are not checked until then")).is_some()
}

pub(super) fn check(hpa: &Subject<'_>) -> Vec<Finding> {
    let manifest = &hpa.manifest;
    // What the fields of another version come to in this one would hide the one thing that is wrong.
    if is_written_as_v2(hpa) {
        return gone_version(hpa).into_iter().collect();
    }
    let mut findings = Vec::new();
    let target = validate_target(&manifest.hpa.spec.scale_target_ref, None);
    for violation in validate_manifest(&manifest.hpa).into_iter().chain(target) {
        let is_generated = !hpa.written.text("/metadata/generateName").is_empty();
        match violation {
            it if it.path == "spec.metrics" && it.text.contains("scaling to zero") => {
                findings.push(zero_without_metric(hpa));
            }
            it if it.path == "metadata.name" && is_generated => {}
            it => findings.push(refused(hpa.place, it)),
        }
    }
    findings.extend(gone_version(hpa));
    findings.extend(manifest.unknown.iter().map(|field| unknown_field(hpa, field)));
    findings.extend(zero_needs_gate(hpa));
    findings
}

fn zero_without_metric(hpa: &Subject<'_>) -> Finding {
    let message =
        "minReplicas is 0, but every metric is measured on pods, and there are none at 0".to_owned();
    let help = "set minReplicas to 1, or add an Object or External metric";
    Finding::new(Rule::ZeroWithoutMetric, hpa.place, "spec.minReplicas", message, help)
        .patch(json!({"spec": {"minReplicas": 1}}))
}

fn zero_needs_gate(hpa: &Subject<'_>) -> Option<Finding> {
    let spec = hpa.spec();
    let is_measured = spec.metrics.iter().any(|metric| matches!(metric.kind.as_str(), "Object" | "External"));
    // A cluster that has it took it.
    (spec.min_replicas == Some(0) && is_measured && !hpa.written.is_live()).then(|| {
        let message =
            "Kubernetes before 1.37 refuses minReplicas 0 unless the feature gate HPAScaleToZero is on";
        let help = "check the version of the cluster, or set minReplicas to 1";
        Finding::new(Rule::ZeroNeedsGate, hpa.place, "spec.minReplicas", message.to_owned(), help)
            .patch(json!({"spec": {"minReplicas": 1}}))
    })
}

fn unknown_field(hpa: &Subject<'_>, UnknownField { path, near }: &UnknownField) -> Finding {
    let version = hpa.written.text("/apiVersion");
    let message =
        format!("{version} has no field {path}: kubectl apply refuses it, other clients drop it silently");
    let help = match near {
        Some(near) => format!("did you mean {near}? Correct its name, or remove it"),
        None => "correct its name, or remove it".to_owned(),
    };
    Finding::new(Rule::UnknownField, hpa.place, path.as_str(), message, help)
}

/// Whether an HPA says v2beta1, but only v2 knows its fields.
fn is_written_as_v2(hpa: &Subject<'_>) -> bool {
    if hpa.written.text("/apiVersion") != "autoscaling/v2beta1" || hpa.manifest.unknown.is_empty() {
        return false;
    }
    let mut value = hpa.written.value.clone();
    value["apiVersion"] = json!("autoscaling/v2");
    let other = Written { value, ..hpa.written.clone() };
    other
        .hpa()
        .is_ok_and(|manifest| manifest.unknown.is_empty() && validate_manifest(&manifest.hpa).is_empty())
}

/// The patch names the whole spec of v2 where its fields have other names before.
fn gone_version(hpa: &Subject<'_>) -> Option<Finding> {
    let version = hpa.written.text("/apiVersion");
    let since = match version {
        "autoscaling/v2beta1" => "1.25",
        "autoscaling/v2beta2" => "1.26",
        _ => return None,
    };
    let mut then = hpa.written.value.clone();
    then["apiVersion"] = json!("autoscaling/v2");
    if since == "1.25" && !is_written_as_v2(hpa) {
        let spec = serde_json::to_value(hpa.spec()).unwrap_or_default();
        then["spec"]["metrics"] = spec["metrics"].clone();
        if then["spec"]["metrics"] == Value::Null {
            then["spec"].as_object_mut()?.remove("metrics");
        }
    }
    let message = format!("Kubernetes {since} and later do not serve {version}");
    let finding =
        Finding::new(Rule::GoneVersion, hpa.place, "apiVersion", message, "use autoscaling/v2 (since 1.23)");
    Some(finding.patch(merge_patch(&hpa.written.value, &then)?))
}

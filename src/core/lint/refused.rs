//! What the API server refuses or does not know.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::gone;
use super::group::group;
use super::patches::is_whole;
use super::set::Subject;
use super::{Finding, Rule};
use crate::api::SCALABLE;
use crate::model::Quantity;
use crate::model::go_text::quote;
use crate::model::naming::label_key;
use crate::snapshot::{UnknownField, Violation, Written, validate_manifest, validate_target};

/// What an HPA is called.
const KIND: &str = "HorizontalPodAutoscaler";
/// Groups of which every kind is known; the core group has no name.
const BUILTIN: [&str; 4] = ["", "apps", "autoscaling", "batch"];

/// Whether an object is meant for an HPA, but says so in a way that no API server knows: a kind in other letters, or another
/// version or group, or none.
pub(super) fn is_misnamed(written: &Written) -> bool {
    let (kind, version) = (written.text("/kind"), written.text("/apiVersion"));
    let is_meant = kind.eq_ignore_ascii_case(KIND)
        || kind.eq_ignore_ascii_case("HorizontalPodAutoscalers")
        || kind.is_empty() && version.starts_with("autoscaling/");
    is_meant && BUILTIN.contains(&group(version)) && !written.is_hpa()
}

/// An object that is meant for an HPA. Nothing else of it is looked at.
pub(super) fn misnamed(place: usize, written: &Written) -> Finding {
    let (kind, version) = (written.text("/kind"), written.text("/apiVersion"));
    let (path, message) = match (kind, version) {
        ("", _) => ("", "kind is missing".to_owned()),
        (_, "") => ("kind", "apiVersion is missing".to_owned()),
        _ if kind == KIND => ("apiVersion", format!("{version} has no {KIND}")),
        _ => ("kind", format!("{version} has no kind {kind}")),
    };
    let finding = |help: &str| Finding::new(Rule::InvalidHpa, place, path, message.clone(), help);
    if version.starts_with("autoscaling/") {
        finding(&format!("write kind: {KIND}")).certain(json!({"kind": KIND}))
    } else {
        finding(&format!("write apiVersion: autoscaling/v2 and kind: {KIND}"))
    }
}

/// An HPA of which a field has the wrong type.
pub(super) fn undecodable(place: usize, written: &Written) -> Option<Finding> {
    Some(meant_quantity(&written.value, refused(place, written.hpa().err()?)))
}

fn refused(place: usize, Violation { path, text }: Violation) -> Finding {
    let message = if path.is_empty() { text } else { format!("{path}: {text}") };
    Finding::new(Rule::InvalidHpa, place, path, message, "correct the field")
}

/// The same of an HPA that can be decoded, where it is written and with what helps.
fn refused_of(hpa: &Subject<'_>, violation: Violation) -> Finding {
    let finding = refused(hpa.place, violation);
    let target = &hpa.spec().scale_target_ref;
    if gone::loses_container(hpa.written, &finding.path) {
        let help = "use autoscaling/v2: an API server that reads autoscaling/v2beta1 loses the container";
        return Finding { help: help.to_owned(), ..finding };
    }
    if !is_whole(hpa.written) {
        let help = "write the whole HPA; a patch of kustomize is checked with what it patches: \
                    kustomize build DIR | kubectl hpa lint -f -";
        return Finding { help: help.to_owned(), ..finding };
    }
    if hpa.written.text("/apiVersion") == "autoscaling/v1" && finding.path.starts_with("spec.metrics") {
        return Finding { path: "spec.targetCPUUtilizationPercentage".to_owned(), ..finding };
    }
    if finding.path == "spec.scaleTargetRef.apiVersion" && SCALABLE.contains(&target.kind.as_str()) {
        let help = format!("a {} is of apps/v1", target.kind);
        return Finding {
            help,
            ..finding.certain(json!({"spec": {"scaleTargetRef": {"apiVersion": "apps/v1"}}}))
        };
    }
    finding
}

/// With the quantity that was meant, where the API server cannot parse one: `400Mib` is 400Mi.
fn meant_quantity(hpa: &Value, finding: Finding) -> Finding {
    let written = hpa.pointer(&format!("/{}", finding.path.replace(['.', '['], "/").replace(']', "")));
    let Some(written) = written.and_then(Value::as_str) else { return finding };
    let text = written.replace(' ', "");
    let candidates = [text.as_str(), text.trim_end_matches(['b', 'B'])];
    let units = [
        ("mi", "Mi"),
        ("gi", "Gi"),
        ("ki", "Ki"),
        ("MI", "Mi"),
        ("GI", "Gi"),
        ("KI", "Ki"),
        ("K", "k"),
        ("g", "G"),
    ];
    let in_case = candidates.into_iter().flat_map(|it| {
        let changed =
            units.iter().filter_map(move |(from, to)| Some(format!("{}{to}", it.strip_suffix(from)?)));
        std::iter::once(it.to_owned()).chain(changed)
    });
    let is_it = |it: &String| Quantity::parse(it).is_ok() && it != written;
    match in_case.into_iter().find(is_it) {
        Some(meant) => Finding { help: format!("write {meant}"), ..finding },
        None => finding,
    }
}

/// Whether the API server refuses an HPA: nothing else is looked for then, for it never runs.
pub(super) fn is_refused(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.rule == Rule::InvalidHpa)
}

/// Says so of each HPA once, with the first of its findings.
pub(super) fn note_unchecked(findings: &mut [Finding]) {
    let mut noted = BTreeSet::new();
    for finding in findings.iter_mut().filter(|finding| finding.rule == Rule::InvalidHpa) {
        if noted.insert(finding.object) {
            finding.help.push_str("; the other rules are not checked until then");
        }
    }
}

/// Annotations are texts, and have keys as labels do (`ValidateAnnotations`).
fn annotations(hpa: &Subject<'_>) -> Vec<Finding> {
    let annotations = hpa.written.value.pointer("/metadata/annotations").and_then(Value::as_object);
    let mut findings = Vec::new();
    for (key, value) in annotations.into_iter().flatten() {
        let refused = |text: String| {
            refused(hpa.place, Violation { path: format!("metadata.annotations[{key}]"), text })
        };
        let problems = label_key(&key.to_lowercase()).into_iter();
        findings.extend(problems.map(|it| refused(format!("Invalid value: {}: {it}", quote(key)))));
        let kind = match value {
            Value::String(_) | Value::Null => continue,
            Value::Array(_) => "a list".to_owned(),
            Value::Object(_) => "a map".to_owned(),
            value => value.to_string(),
        };
        let finding = refused(format!("must be a string, not {kind}"));
        findings.push(Finding { help: "put it in quotes".to_owned(), ..finding });
    }
    findings
}

pub(super) fn check(hpa: &Subject<'_>) -> Vec<Finding> {
    let manifest = &hpa.manifest;
    let gone = gone::check(hpa);
    // What the fields of another version come to in this one would hide the one thing that is wrong.
    if gone.is_some() && !manifest.unknown.is_empty() {
        return gone.into_iter().collect();
    }
    let mut findings = annotations(hpa);
    findings.extend(gone::custom_metrics(hpa));
    let target = validate_target(&manifest.hpa.spec.scale_target_ref, None);
    for violation in validate_manifest(&manifest.hpa).into_iter().chain(target) {
        let is_generated = !hpa.written.text("/metadata/generateName").is_empty();
        match violation {
            it if it.path == "spec.metrics" && it.text.contains("scaling to zero") => {
                findings.push(zero_without_metric(hpa));
            }
            it if it.path == "metadata.name" && is_generated => {}
            it => findings.push(refused_of(hpa, it)),
        }
    }
    findings.extend(gone);
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
    let help = match (of_other_version(version, path), near) {
        (Some(help), _) => help,
        (None, Some(near)) => format!("did you mean {near}? Correct its name, or remove it"),
        (None, None) => "correct its name, or remove it".to_owned(),
    };
    Finding::new(Rule::UnknownField, hpa.place, path.as_str(), message, help)
}

fn planned(kep: &str) -> String {
    format!("remove it: {kep} plans it, and no release up to Kubernetes 1.37 has it")
}

/// What to do about a field that another version has.
fn of_other_version(version: &str, path: &str) -> Option<String> {
    let field = path.rsplit('.').next().unwrap_or_default();
    let of = |version: &str, then: &str| Some(format!("it is a field of autoscaling/{version}: {then}"));
    match (version, field) {
        // KEP enhancements#6003, KEP-5325, KEP-5679: fields that no released version has.
        (_, "syncPeriodSeconds") if path == "spec.syncPeriodSeconds" => Some(
            "remove it: it is planned for Kubernetes 1.38 (alpha, behind a feature gate), and 1.37 drops it".to_owned(),
        ),
        (_, "selectionStrategy") if path == "spec.selectionStrategy" => Some(planned("KEP-5325")),
        (_, "fallback") if path.ends_with(".external.fallback") => Some(planned("KEP-5679")),
        (_, "namespace") if path == "spec.scaleTargetRef.namespace" => {
            Some("remove it: an HPA scales only targets in its own namespace".to_owned())
        }
        ("autoscaling/v1", "metrics" | "behavior") if path == format!("spec.{field}") => {
            of("v2", "write apiVersion: autoscaling/v2")
        }
        ("autoscaling/v2" | "autoscaling/v2beta2", "targetCPUUtilizationPercentage") => {
            of("v1", "write a Resource metric of cpu with target.averageUtilization instead")
        }
        ("autoscaling/v2" | "autoscaling/v2beta2", _) if path.starts_with("spec.metrics[") => match field {
            "targetAverageUtilization" => of("v2beta1", "write target.averageUtilization instead"),
            "targetAverageValue" => of("v2beta1", "write target.averageValue instead"),
            "targetValue" => of("v2beta1", "write target.value instead"),
            "metricName" => of("v2beta1", "write metric.name instead"),
            "metricSelector" => of("v2beta1", "write metric.selector instead"),
            "container" if path.ends_with(".resource.container") => {
                Some("a Resource metric counts all containers: write type: ContainerResource and containerResource".to_owned())
            }
            _ => None,
        },
        _ => None,
    }
}

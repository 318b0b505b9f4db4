//! HPAs in API versions that are no longer served, and how they read in autoscaling/v2.

use serde_json::{Value, json};

use super::group::group;
use super::set::Subject;
use super::{Finding, Rule};
use crate::api::SCALABLE;
use crate::edit::merge_patch;
use crate::snapshot::Written;

/// The annotation of 1.2 to 1.5.
const CUSTOM_METRICS: &str = "alpha/target.custom-metrics.podautoscaler.kubernetes.io";
/// The version of today.
const V2: &str = "autoscaling/v2";
const REWRITE: &str =
    "write it in autoscaling/v2 (since 1.23), and check it again: it has fields that v2 does not know";

/// The group in which HPAs began, before there was `autoscaling`.
pub(super) fn is_in_extensions(written: &Written) -> bool {
    written.text("/kind") == "HorizontalPodAutoscaler"
        && written.text("/apiVersion").starts_with("extensions/")
}

/// An HPA in the group `extensions`: one target of cpu, and other names for it and for what is scaled.
pub(super) fn in_extensions(place: usize, written: &Written) -> Finding {
    let message = format!("Kubernetes no longer serves HPAs in {}", written.text("/apiVersion"));
    let help =
        "write it in autoscaling/v2: scaleTargetRef and metrics instead of scaleRef and cpuUtilization";
    finding(place, written, &message, from_extensions(&written.value), help)
}

/// `Convert_v1beta1_HorizontalPodAutoscalerSpec_To_autoscaling` of 1.7, and from there to v2.
fn from_extensions(written: &Value) -> Option<Value> {
    let mut then = written.clone();
    then["apiVersion"] = json!(V2);
    let spec = then.get_mut("spec")?.as_object_mut()?;
    let mut target = spec.remove("scaleRef")?;
    let reference = target.as_object_mut()?;
    // Of a Scale that is a part of the object there is no other name today.
    reference.remove("subresource");
    let version = reference.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    if group(version) == "extensions" && SCALABLE.contains(&reference.get("kind")?.as_str()?) {
        reference.insert("apiVersion".to_owned(), json!("apps/v1"));
    }
    spec.insert("scaleTargetRef".to_owned(), target);
    // Without it all versions take 80%.
    if let Some(utilization) = spec.remove("cpuUtilization") {
        let target =
            json!({"type": "Utilization", "averageUtilization": utilization.get("targetPercentage")?});
        let metric = json!({"type": "Resource", "resource": {"name": "cpu", "target": target}});
        spec.insert("metrics".to_owned(), json!([metric]));
    }
    Some(then)
}

/// The first release that no longer serves a version.
fn dropped_in(api_version: &str) -> Option<&'static str> {
    Some(match api_version {
        "autoscaling/v2alpha1" => "1.8",
        "autoscaling/v2beta1" => "1.25",
        "autoscaling/v2beta2" => "1.26",
        _ => return None,
    })
}

/// An HPA in a version of `autoscaling` that was dropped.
pub(super) fn check(hpa: &Subject<'_>) -> Option<Finding> {
    let version = hpa.written.text("/apiVersion");
    let since = dropped_in(version)?;
    let mut then = hpa.written.value.clone();
    then["apiVersion"] = json!(V2);
    if version != "autoscaling/v2beta2" && hpa.manifest.unknown.is_empty() {
        rename_metrics(hpa, &mut then)?;
    }
    let message = format!("Kubernetes {since} and later do not serve {version}");
    Some(finding(hpa.place, hpa.written, &message, Some(then), REWRITE))
}

/// One that cannot be decoded: the version is told, without a patch that keeps what is wrong.
pub(super) fn undecodable(place: usize, written: &Written) -> Option<Finding> {
    let since = dropped_in(written.text("/apiVersion"))?;
    let message = format!("Kubernetes {since} and later do not serve {}", written.text("/apiVersion"));
    Some(finding(place, written, &message, None, "use autoscaling/v2 (since 1.23)"))
}

/// Up to 1.5 an annotation named metrics of the pods beside cpu.
pub(super) fn custom_metrics(hpa: &Subject<'_>) -> Option<Finding> {
    let annotations = hpa.written.value.pointer("/metadata/annotations")?;
    let metrics = annotations.get(CUSTOM_METRICS)?.as_str()?;
    let metrics: Value = serde_json::from_str(metrics).ok()?;
    let names = metrics["items"].as_array()?.iter().filter_map(|metric| metric["name"].as_str());
    let names = names.collect::<Vec<_>>().join(", ");
    let message = format!("no controller since Kubernetes 1.6 reads this annotation: {names} has no effect");
    let help = "write each as a metric of type Pods in autoscaling/v2, with target.averageValue, and remove the annotation";
    let path = format!("metadata.annotations[{CUSTOM_METRICS}]");
    Some(Finding::new(Rule::UnknownField, hpa.place, path, message, help))
}

/// The metrics of v2 in the place of those with the names of v2beta1.
fn rename_metrics(hpa: &Subject<'_>, then: &mut Value) -> Option<()> {
    let mut metrics = serde_json::to_value(hpa.spec()).unwrap_or_default()["metrics"].take();
    if metrics.is_null() {
        then["spec"].as_object_mut()?.remove("metrics");
        return Some(());
    }
    for (index, metric) in metrics.as_array_mut()?.iter_mut().enumerate() {
        // An API server that reads v2beta1 drops it.
        let container = hpa.written.text(&format!("/spec/metrics/{index}/containerResource/container"));
        if !container.is_empty() {
            metric["containerResource"]["container"] = json!(container);
        }
    }
    then["spec"]["metrics"] = metrics;
    Some(())
}

/// True if a field is the name of a container that the manifest has, and that an API server which reads v2beta1 drops
/// (`Convert_v2beta1_ContainerResourceMetricSource_To_autoscaling_ContainerResourceMetricSource`).
pub(super) fn loses_container(written: &Written, path: &str) -> bool {
    let pointer = format!("/{}", path.replace(['.', '['], "/").replace(']', ""));
    pointer.ends_with("/containerResource/container") && !written.text(&pointer).is_empty()
}

/// The patch names the whole spec of v2 where its fields have other names before. There is none if that leaves fields that v2
/// does not know.
fn finding(place: usize, written: &Written, message: &str, then: Option<Value>, rewrite: &str) -> Finding {
    let finding = |help: &str| Finding::new(Rule::GoneVersion, place, "apiVersion", message.to_owned(), help);
    let patched = then.and_then(|then| {
        let patch = merge_patch(&written.value, &then)?;
        let is_known = Written { value: then, ..written.clone() }.hpa().is_ok_and(|it| it.unknown.is_empty());
        is_known.then_some(patch)
    });
    match patched {
        Some(patch) => finding("use autoscaling/v2 (since 1.23)").certain(patch),
        None => finding(rewrite),
    }
}

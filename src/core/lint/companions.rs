//! What else works on the pods or the HPA: VPAs, KEDA, LimitRanges.

use serde_json::{Value, json};

use super::group::group;
use super::rehearsal::resource;
use super::set::{Set, Subject, made_by};
use super::workload::Workload;
use super::{Finding, Rule};
use crate::snapshot::Written;

/// Group and kind of a VPA.
const VPA: (&str, &str) = ("autoscaling.k8s.io", "VerticalPodAutoscaler");

/// A VPA that changes the requests of a resource in the pods of an HPA's target.
pub(super) fn sets_requests<'a>(
    set: &Set<'a>,
    hpa: &Subject<'a>,
    resource: &str,
) -> Option<(usize, &'a Written)> {
    let word = (VPA, hpa.spec().scale_target_ref.name.as_str());
    let workload = set.target(hpa);
    set.first_beside(hpa.written, word, |vpa| {
        is_vpa_of(vpa, hpa)
            // Absent is Auto, and with anything but a text the API server refuses it.
            && matches!(&vpa.value["spec"]["updatePolicy"]["updateMode"], Value::Null | Value::String(_))
            && vpa.text("/spec/updatePolicy/updateMode") != "Off"
            && controls(vpa, workload, resource)
    })
}

/// Whether the target of a VPA is that of an HPA.
fn is_vpa_of(vpa: &Written, hpa: &Subject<'_>) -> bool {
    let target = &hpa.spec().scale_target_ref;
    let is_same = |field: &str, value: &str| vpa.text(&format!("/spec/targetRef/{field}")) == value;
    is_same("kind", &target.kind)
        && is_same("name", &target.name)
        && group(vpa.text("/spec/targetRef/apiVersion")) == group(&target.api_version)
}
/// Whether it sets the request of any container. The policy of `*` is for those without their own; without a workload it is
/// not known whether there are such.
fn controls(vpa: &Written, workload: Option<&Workload<'_>>, resource: &str) -> bool {
    let policies = vpa.value.pointer("/spec/resourcePolicy/containerPolicies").and_then(Value::as_array);
    let policies = policies.map(Vec::as_slice).unwrap_or_default();
    let of_policy = |policy: &Value| {
        let is_listed = policy["controlledResources"]
            .as_array()
            .is_none_or(|all| all.iter().any(|controlled| controlled == resource));
        policy["mode"] != "Off" && is_listed
    };
    let of_container = |name: &str| {
        let of = |wanted: &str| policies.iter().find(|policy| policy["containerName"] == wanted);
        of(name).or_else(|| of("*")).is_none_or(of_policy)
    };
    match workload.and_then(Workload::pods) {
        Some(pods) => pods.running().any(|it| of_container(&it.name)),
        None => policies.iter().any(of_policy) || of_container("*"),
    }
}

/// Whether a LimitRange gives containers a request that have none.
pub(super) fn has_default(set: &Set<'_>, workload: &Workload<'_>, resource: &str) -> bool {
    set.limit_ranges(workload.written).any(|range| {
        let limits = range.value.pointer("/spec/limits").and_then(Value::as_array);
        limits.into_iter().flatten().any(|limit| {
            let has = |field: &str| !limit[field][resource].is_null();
            limit["type"] == "Container" && (has("defaultRequest") || has("default"))
        })
    })
}

pub(super) fn check(set: &Set<'_>, hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    findings.extend(vpa(set, hpa));
    findings.extend(unquoted(set, hpa));
    findings.extend(keda(set, hpa));
}

fn vpa(set: &Set<'_>, hpa: &Subject<'_>) -> Option<Finding> {
    let measured = hpa.spec().metrics.iter().filter_map(|metric| Some(resource(metric)?.0));
    let default = hpa.spec().metrics.is_empty().then_some("cpu");
    let mut names = Vec::new();
    let mut found = None;
    for name in measured.chain(default) {
        let vpa = sets_requests(set, hpa, name);
        found = found.or(vpa);
        if vpa.is_some() && !names.contains(&name) {
            names.push(name);
        }
    }
    let ((place, vpa), names) = (found?, names.join(" and "));
    let mode = vpa.text("/spec/updatePolicy/updateMode");
    let mode = if mode.is_empty() { "Auto, the default" } else { mode };
    let message = format!(
        "VPA {} (updateMode {mode}) changes the {names} requests of {}, and HPA {} scales it by its {names} utilization",
        vpa.text("/metadata/name"),
        hpa.target(),
        hpa.name()
    );
    let help = format!("let the VPA only recommend, keep it off {names}, or scale on another metric");
    let path = "spec.updatePolicy.updateMode";
    let finding = Finding::new(Rule::VpaSameResource, place, path, message, help);
    Some(finding.patch(json!({"spec": {"updatePolicy": {"updateMode": "Off"}}})))
}

/// YAML 1.1 reads `Off` as false.
fn unquoted(set: &Set<'_>, hpa: &Subject<'_>) -> Option<Finding> {
    let mode = "/spec/updatePolicy/updateMode";
    let word = (VPA, hpa.spec().scale_target_ref.name.as_str());
    let is_it = |vpa: &Written| is_vpa_of(vpa, hpa) && vpa.value.pointer(mode).is_some_and(Value::is_boolean);
    let (place, vpa) = set.first_beside(hpa.written, word, is_it)?;
    let is_on = vpa.value.pointer(mode)? == true;
    let (value, word) = if is_on { ("true", "On") } else { ("false", "Off") };
    let message = format!(
        "updateMode of VPA {} is {value}, a boolean, as YAML reads {word} without quotes: the API server refuses it",
        vpa.text("/metadata/name"),
    );
    let finding = |help: &str| {
        Finding::new(Rule::VpaModeUnquoted, place, "spec.updatePolicy.updateMode", message.clone(), help)
    };
    Some(if is_on {
        finding("there is no mode of that name: write Recreate, Initial or InPlaceOrRecreate")
    } else {
        finding("write \"Off\", with quotes")
            .certain(json!({"spec": {"updatePolicy": {"updateMode": "Off"}}}))
    })
}

/// Annotation with which KEDA takes over an HPA that is there.
const TRANSFER: &str = "scaledobject.keda.sh/transfer-hpa-ownership";

fn keda(set: &Set<'_>, hpa: &Subject<'_>) -> Option<Finding> {
    // What KEDA itself made, as `kubectl get` prints it, is in nobody's hand.
    let owners = hpa.written.value.pointer("/metadata/ownerReferences").and_then(Value::as_array);
    if owners.into_iter().flatten().any(|owner| owner["kind"] == "ScaledObject") {
        return None;
    }
    let finding = |message: String, help: &str| {
        Finding::new(Rule::KedaOwnsHpa, hpa.place, "metadata.name", message, help)
    };
    let by_object = scaled_object(set, hpa).map(|scaled| {
        let (name, makes) = (scaled.text("/metadata/name"), made_by(scaled));
        if makes == hpa.name() {
            let message =
                format!("ScaledObject {name} makes this HPA, and KEDA overwrites what the manifest sets");
            return finding(message, "change the ScaledObject, and remove this manifest");
        }
        let message = format!(
            "ScaledObject {name} makes a second HPA ({makes}) of {}, and both stop, or fight while one is out of its bounds",
            hpa.target()
        );
        finding(message, "keep one of the two")
    });
    by_object.or_else(|| {
        let name = hpa.name().strip_prefix("keda-hpa-")?;
        let message = format!("KEDA makes an HPA of this name for ScaledObject {name} and overwrites it");
        Some(finding(message, "change the ScaledObject, or give this HPA another name"))
    })
}

/// The first ScaledObject that makes an HPA without taking over the one that is there, or another HPA of its target.
fn scaled_object<'a>(set: &Set<'a>, hpa: &Subject<'a>) -> Option<&'a Written> {
    let kind = ("keda.sh", "ScaledObject");
    let is_it = |scaled: &'a Written| {
        let is_transferred = || scaled.value["metadata"]["annotations"][TRANSFER] == "true";
        if made_by(scaled) == hpa.name() { !is_transferred() } else { is_of(scaled, hpa) }
    };
    let making = set.first_beside(hpa.written, (kind, "makes", hpa.name().to_owned()), is_it);
    let scaling = set.first_beside(hpa.written, (kind, hpa.target_id().2), is_it);
    making.into_iter().chain(scaling).min_by_key(|(place, _)| *place).map(|(_, scaled)| scaled)
}

/// Whether a ScaledObject scales the target of an HPA.
fn is_of(scaled: &Written, hpa: &Subject<'_>) -> bool {
    let target = &hpa.spec().scale_target_ref;
    let or = |pointer: &str, default: &'static str| match scaled.text(pointer) {
        "" => default.to_owned(),
        text => text.to_owned(),
    };
    let api_version = or("/spec/scaleTargetRef/apiVersion", "apps/v1");
    or("/spec/scaleTargetRef/kind", "Deployment") == target.kind
        && scaled.text("/spec/scaleTargetRef/name") == target.name
        && group(&api_version) == group(&target.api_version)
}

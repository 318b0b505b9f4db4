//! Targets that are not there.

use serde_json::json;

use super::set::{Set, Subject};
use super::{Finding, Rule, Severity};
use crate::model::naming::dns_subdomain;
use crate::model::nearest;

/// More names than this are not compared: of a whole cluster's there is always one that is near.
const COMPARED: usize = 200;

pub(super) fn check(set: &Set<'_>, hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    findings.extend(not_found(set, hpa));
}

fn not_found(set: &Set<'_>, hpa: &Subject<'_>) -> Option<Finding> {
    // A kind without a scale has a finding of its own, whether it is there or not.
    if set.has_target(hpa) || hpa.cannot_scale() {
        return None;
    }
    let target = &hpa.spec().scale_target_ref;
    if !dns_subdomain(&target.name).is_empty() {
        let message = format!(
            "no {} can have the name {}: names have lower-case letters, digits, - and . only",
            target.kind, target.name
        );
        let path = "spec.scaleTargetRef.name";
        return Some(Finding::new(Rule::TargetNotFound, hpa.place, path, message, "correct the name"));
    }
    if let Some(namespace) = set.target_elsewhere(hpa) {
        let own = hpa.written.text("/metadata/namespace");
        let message = format!(
            "{} is in namespace {namespace}, and this HPA in {own}: an HPA scales only targets of its own namespace",
            hpa.target()
        );
        let help = format!("put both into namespace {namespace}");
        let finding = Finding::new(Rule::TargetNotFound, hpa.place, "metadata.namespace", message, help);
        return Some(finding.patch(json!({"metadata": {"namespace": namespace}})));
    }
    if let Some(api_version) = set.target_in_group(hpa) {
        let message =
            format!("{} is of {api_version}, and this HPA names {}", hpa.target(), target.api_version);
        let path = "spec.scaleTargetRef.apiVersion";
        let finding =
            Finding::new(Rule::TargetNotFound, hpa.place, path, message, format!("write {api_version}"));
        return Some(finding.certain(json!({"spec": {"scaleTargetRef": {"apiVersion": api_version}}})));
    }
    let names = set.names_beside(hpa)?;
    let near = if names.len() > COMPARED { Vec::new() } else { nearest(&target.name, names.iter().copied()) };
    let message = if hpa.written.is_live() {
        format!("there is no {}: each sync ends with FailedGetScale", hpa.target())
    } else {
        format!("{} is not among these files", hpa.target())
    };
    let finding = |help: String| {
        Finding::new(Rule::TargetNotFound, hpa.place, "spec.scaleTargetRef.name", message.clone(), help)
    };
    Some(match near.as_slice() {
        [] => {
            let finding = finding("correct the name, or read the target's file, too".to_owned());
            let severity = if hpa.written.is_live() { finding.severity } else { Severity::Info };
            Finding { severity, ..finding }
        }
        [meant] => finding(format!("did you mean {meant}?"))
            .patch(json!({"spec": {"scaleTargetRef": {"name": meant}}})),
        several => finding(format!("did you mean {}?", several.join(" or "))),
    })
}

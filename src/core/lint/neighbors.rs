//! Who else scales or shares the pods.

use serde_json::{Value, json};

use super::set::{Set, Subject};
use super::workload::Workload;
use super::{Finding, Rule, Severity};

pub(super) fn check(set: &Set<'_>, hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    findings.extend(shared_target(set, hpa));
    let Some(workload) = set.target(hpa) else { return };
    findings.extend(shared_pods(set, hpa, workload));
    findings.extend(other_pods(set, hpa, workload));
    findings.extend(replicas(hpa, workload));
}

/// Told at the later of the two.
fn shared_target(set: &Set<'_>, hpa: &Subject<'_>) -> Option<Finding> {
    let other = set.with_target(hpa)?;
    let message = format!(
        "HPA {} scales {}, too: both stop (AmbiguousSelector), or fight while one is out of its bounds",
        other.name(),
        hpa.target()
    );
    let help = "put the metrics of both into one HPA";
    Some(Finding::new(Rule::SharedTarget, hpa.place, "spec.scaleTargetRef", message, help))
}

/// The same of two targets, of which one selects pods of the other.
fn shared_pods(set: &Set<'_>, hpa: &Subject<'_>, workload: &Workload<'_>) -> Option<Finding> {
    let overlaps = |its: &Workload<'_>| {
        its.place != workload.place && (selects(workload, its) || selects(its, workload))
    };
    let other = set.with_pods(hpa, workload, |other| set.target(other).is_some_and(overlaps))?;
    let message = format!(
        "{} and {} select the same pods, and HPA {} scales the other: both HPAs stop (AmbiguousSelector)",
        workload.shown(),
        set.target(other)?.shown(),
        other.name()
    );
    let help = "give each workload a label of its own, in its selector and in its template";
    Some(Finding::new(Rule::SharedPods, workload.place, "spec.selector", message, help))
}

/// Whether the selector of one workload matches the pods of another.
fn selects(one: &Workload<'_>, other: &Workload<'_>) -> bool {
    matches!((&one.selector, &other.labels), (Some(selector), Some(labels)) if selector.matches(labels))
}

/// Pods of workloads that no HPA scales.
fn other_pods(set: &Set<'_>, hpa: &Subject<'_>, workload: &Workload<'_>) -> Option<Finding> {
    let other = set.unscaled(workload, |other| {
        let is_itself = other.kind() == workload.kind() && other.name() == workload.name();
        !is_itself && selects(workload, other)
    })?;
    let is_rare = other.kind() == "Pod" || is_hook(other);
    let message = format!(
        "the selector of {} also matches the pods of {}{}: HPA {} counts them",
        workload.shown(),
        other.shown(),
        if is_rare { ", while there are any" } else { "" },
        hpa.name()
    );
    let help = "give the other pods labels that the selector does not match";
    let finding = Finding::new(Rule::SelectsOtherPods, workload.place, "spec.selector", message, help);
    Some(if is_rare { Finding { severity: Severity::Info, ..finding } } else { finding })
}

/// Whether Helm makes it only now and then.
fn is_hook(workload: &Workload<'_>) -> bool {
    workload.written.value["metadata"]["annotations"]["helm.sh/hook"].is_string()
}

/// What a cluster gave has replicas always, and nobody applies it.
fn replicas(hpa: &Subject<'_>, workload: &Workload<'_>) -> Option<Finding> {
    let replicas = workload.written.value.pointer("/spec/replicas").and_then(Value::as_i64)?;
    if workload.written.is_live() {
        return None;
    }
    let sets = format!("{} sets replicas to {replicas}, and HPA {} owns them", workload.shown(), hpa.name());
    // With minReplicas 0 the controller takes a zero for its own only if it set it.
    let message = if replicas == 0 {
        format!(
            "{sets}: at 0 the HPA is paused, so a new one never starts, and each apply stops a running one"
        )
    } else {
        format!("{sets}: each apply sets them back")
    };
    let help = "remove replicas from the manifest";
    let finding = Finding::new(Rule::ReplicasInManifest, workload.place, "spec.replicas", message, help);
    let patch = json!({"spec": {"replicas": null}});
    // A zero may be a pause on purpose.
    Some(if replicas == 0 { finding.patch(patch) } else { finding.certain(patch) })
}

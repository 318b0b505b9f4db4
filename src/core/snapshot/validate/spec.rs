//! `validateHorizontalPodAutoscalerSpec`.

use super::findings::{Findings, Violation};
use super::reference::reference;
use super::{behavior, metric};
use crate::api;

/// Every reason why the API server would refuse an HPA with this spec, in its order. Fields that it would
/// fill in may be absent. An empty list is a valid spec.
#[must_use]
pub fn validate(spec: &api::HpaSpec) -> Vec<Violation> {
    let mut findings = Findings::default();
    bounds(spec, &mut findings);
    let target = &spec.scale_target_ref;
    reference(&target.kind, &target.name, "spec.scaleTargetRef", &mut findings);
    for (index, metric) in spec.metrics.iter().enumerate() {
        metric::metric(metric, &format!("spec.metrics[{index}]"), &mut findings);
    }
    if let Some(behavior) = &spec.behavior {
        behavior::behavior(behavior, &mut findings);
    }
    findings.into_list()
}

/// Name and namespace, as far as they are there.
pub(super) fn metadata(metadata: &api::ObjectMeta) -> Vec<Violation> {
    let mut findings = Findings::default();
    findings.name("metadata.name", &metadata.name);
    findings.name("metadata.namespace", &metadata.namespace);
    findings.into_list()
}

/// `ValidateHorizontalPodAutoscalerStatusUpdate`.
pub(super) fn status(status: &api::HpaStatus) -> Vec<Violation> {
    let mut findings = Findings::default();
    for (name, replicas) in
        [("currentReplicas", status.current_replicas), ("desiredReplicas", status.desired_replicas)]
    {
        if replicas < 0 {
            findings.invalid(format!("status.{name}"), replicas, "must be greater than or equal to 0");
        }
    }
    findings.into_list()
}

fn bounds(spec: &api::HpaSpec, findings: &mut Findings) {
    // Absent is 1: the default is filled in before.
    let (min, max) = (spec.min_replicas.unwrap_or(1), spec.max_replicas);
    if min < 0 {
        findings.invalid("spec.minReplicas".to_owned(), min, "must be greater than or equal to 0");
    }
    let path = || "spec.maxReplicas".to_owned();
    match max {
        0 => findings.required(path(), "must be set and greater than 0"),
        ..0 => findings.invalid(path(), max, "must be greater than or equal to 1"),
        1.. => {}
    }
    if max < min {
        findings.invalid(path(), max, "must be greater than or equal to `minReplicas`");
    }
}

//! autoscaling/v1 HPAs, converted as the API server converts them (`pkg/apis/autoscaling/v1/conversion.go`).
//!
//! v2beta1, and what API servers that store v1 give back, have the same form of metrics. v1 has a field for cpu
//! utilization alone; API servers keep the rest of v2 in four annotations. An annotation that
//! cannot be decoded is passed over, as upstream does.

mod annotations;
pub(super) mod beta;
mod source;
mod status;
mod stored;

pub(super) use annotations::Annotations;
pub use stored::stored_in_v1;

use super::defaults::{cpu_target, default_metric};
use crate::api;

/// The part of the spec that v2 has too, and the field that it has not.
#[derive(Default)]
pub(super) struct SpecParts {
    pub v2: api::HpaSpec,
    /// `targetCPUUtilizationPercentage`.
    pub target_cpu: Option<i32>,
}

/// The part of the status that v2 has too, and the field that it has not.
#[derive(Default)]
pub(super) struct StatusParts {
    pub v2: api::HpaStatus,
    /// `currentCPUUtilizationPercentage`.
    pub current_cpu: Option<i32>,
}

/// Fills in the fields of v2 (`Convert_v1_HorizontalPodAutoscaler_To_autoscaling_HorizontalPodAutoscaler`).
pub(super) fn convert(annotations: &Annotations, spec: &mut SpecParts, status: &mut StatusParts) {
    spec.v2.min_replicas.get_or_insert(1);
    spec.v2.behavior = annotations.behavior();
    let cpu = spec.target_cpu.map(cpu_target);
    spec.v2.metrics = annotations.metrics().into_iter().chain(cpu).collect();
    if spec.v2.metrics.is_empty() {
        spec.v2.metrics.push(default_metric());
    }
    let current = annotations.current_metrics();
    status.v2.current_metrics =
        current.or_else(|| status.current_cpu.map(|percent| vec![cpu_status(percent)]));
    status.v2.conditions = annotations.conditions();
}

fn cpu_status(percent: i32) -> api::MetricStatus {
    let current = api::ValueStatus { average_utilization: Some(percent), ..api::ValueStatus::default() };
    let resource = Some(api::ResourceStatus { name: "cpu".to_owned(), current }.into());
    api::MetricStatus { kind: "Resource".to_owned(), resource, ..api::MetricStatus::default() }
}

//! autoscaling/v2beta1: its metrics are those of the annotation of v1, as fields
//! (`pkg/apis/autoscaling/v2beta1/conversion.go` of 1.26; the same since 1.23).

use serde::Deserialize;

use super::source::MetricSource;
use super::status::MetricStatus;
use crate::api::{self, nullable};
use crate::model::Instant;

/// `HorizontalPodAutoscalerSpec` of v2beta1.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::snapshot) struct BetaSpec {
    #[serde(deserialize_with = "nullable")]
    scale_target_ref: api::ObjectReference,
    min_replicas: Option<i32>,
    #[serde(deserialize_with = "nullable")]
    max_replicas: i32,
    #[serde(deserialize_with = "nullable")]
    metrics: Vec<MetricSource>,
}

/// `HorizontalPodAutoscalerStatus` of v2beta1.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::snapshot) struct BetaStatus {
    observed_generation: Option<i64>,
    last_scale_time: Option<Instant>,
    #[serde(deserialize_with = "nullable")]
    current_replicas: i32,
    #[serde(deserialize_with = "nullable")]
    desired_replicas: i32,
    current_metrics: Option<Vec<MetricStatus>>,
    #[serde(deserialize_with = "nullable")]
    conditions: Vec<api::Condition>,
}

impl From<BetaSpec> for api::HpaSpec {
    fn from(spec: BetaSpec) -> Self {
        Self {
            scale_target_ref: spec.scale_target_ref,
            min_replicas: spec.min_replicas,
            max_replicas: spec.max_replicas,
            metrics: spec.metrics.into_iter().map(MetricSource::in_v2beta1).collect(),
            behavior: None,
        }
    }
}

impl From<BetaStatus> for api::HpaStatus {
    fn from(status: BetaStatus) -> Self {
        Self {
            observed_generation: status.observed_generation,
            last_scale_time: status.last_scale_time,
            current_replicas: status.current_replicas,
            desired_replicas: status.desired_replicas,
            current_metrics: status.current_metrics.map(|all| all.into_iter().map(Into::into).collect()),
            conditions: status.conditions,
        }
    }
}

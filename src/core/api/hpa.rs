//! autoscaling/v2 HorizontalPodAutoscaler.

use serde::{Deserialize, Serialize};

use super::{HpaStatus, MetricIdentifier, ObjectMeta, ObjectReference, is_zero, nullable};
use crate::model::Quantity;

/// The HPA as it is stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Hpa {
    /// `autoscaling/v2`; empty is taken for it.
    #[serde(deserialize_with = "nullable")]
    pub api_version: String,
    /// Kind.
    #[serde(deserialize_with = "nullable")]
    pub kind: String,
    /// Metadata.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// Spec.
    #[serde(deserialize_with = "nullable")]
    pub spec: HpaSpec,
    /// Status.
    #[serde(deserialize_with = "nullable")]
    pub status: HpaStatus,
}

impl Hpa {
    /// True if it was read from a cluster, and is not only written by somebody.
    #[must_use]
    pub fn is_stored(&self) -> bool {
        self.metadata.creation_timestamp.is_some() || self.status != HpaStatus::default()
    }

    /// As the API server stores a manifest of a new one (upstream `PrepareForCreate`).
    #[must_use]
    pub fn created(&self) -> Self {
        let ObjectMeta { name, namespace, labels, owner_references, .. } = self.metadata.clone();
        let metadata =
            ObjectMeta { name, namespace, labels, owner_references, generation: 1, ..ObjectMeta::default() };
        Self { metadata, status: HpaStatus::default(), ..self.clone() }
    }

    /// As the API server stores it with the spec of a manifest (upstream `PrepareForUpdate`): API servers that count
    /// generations begin with 1.
    #[must_use]
    pub fn replaced(&self, manifest: &Self) -> Self {
        let mut then = Self { spec: manifest.spec.clone(), ..self.clone() };
        if then.spec != self.spec && then.metadata.generation > 0 {
            then.metadata.generation += 1;
        }
        then
    }
}

/// `HorizontalPodAutoscalerSpec`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HpaSpec {
    /// What is scaled.
    #[serde(deserialize_with = "nullable")]
    pub scale_target_ref: ObjectReference,
    /// Lower bound.
    pub min_replicas: Option<i32>,
    /// Upper bound.
    #[serde(deserialize_with = "nullable")]
    pub max_replicas: i32,
    /// Metrics.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub metrics: Vec<MetricSpec>,
    /// Behavior.
    pub behavior: Option<Behavior>,
}

/// `MetricSpec`. Its parts are large, and it has one of them.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MetricSpec {
    /// Which of the parts below counts.
    #[serde(rename = "type", deserialize_with = "nullable")]
    pub kind: String,
    /// Object.
    pub object: Option<Box<ObjectSource>>,
    /// Pods.
    pub pods: Option<Box<PodsSource>>,
    /// Resource.
    pub resource: Option<Box<ResourceSource>>,
    /// `ContainerResource`.
    pub container_resource: Option<Box<ContainerResourceSource>>,
    /// External.
    pub external: Option<Box<ExternalSource>>,
}

impl MetricSpec {
    /// True if any of these metrics is computed from the resource metrics of pods. An HPA without metrics has been given one of
    /// cpu by the API server.
    #[must_use]
    pub fn need_pod_metrics(metrics: &[Self]) -> bool {
        metrics.is_empty()
            || metrics.iter().any(|metric| metric.resource.is_some() || metric.container_resource.is_some())
    }
}

/// `ObjectMetricSource`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectSource {
    /// The object.
    #[serde(deserialize_with = "nullable")]
    pub described_object: ObjectReference,
    /// The target.
    #[serde(deserialize_with = "nullable")]
    pub target: MetricTarget,
    /// The metric.
    #[serde(deserialize_with = "nullable")]
    pub metric: MetricIdentifier,
}

/// `PodsMetricSource`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PodsSource {
    /// The metric.
    #[serde(deserialize_with = "nullable")]
    pub metric: MetricIdentifier,
    /// The target.
    #[serde(deserialize_with = "nullable")]
    pub target: MetricTarget,
}

/// `ResourceMetricSource`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResourceSource {
    /// The resource.
    #[serde(deserialize_with = "nullable")]
    pub name: String,
    /// The target.
    #[serde(deserialize_with = "nullable")]
    pub target: MetricTarget,
}

/// `ContainerResourceMetricSource`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContainerResourceSource {
    /// The resource.
    #[serde(deserialize_with = "nullable")]
    pub name: String,
    /// The target.
    #[serde(deserialize_with = "nullable")]
    pub target: MetricTarget,
    /// The container.
    #[serde(deserialize_with = "nullable")]
    pub container: String,
}

/// `ExternalMetricSource`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExternalSource {
    /// The metric.
    #[serde(deserialize_with = "nullable")]
    pub metric: MetricIdentifier,
    /// The target.
    #[serde(deserialize_with = "nullable")]
    pub target: MetricTarget,
}

/// `MetricTarget`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MetricTarget {
    /// Type.
    #[serde(rename = "type", deserialize_with = "nullable")]
    pub kind: String,
    /// Value.
    pub value: Option<Quantity>,
    /// Average value.
    pub average_value: Option<Quantity>,
    /// Average utilization in percent.
    pub average_utilization: Option<i32>,
}

/// `HorizontalPodAutoscalerBehavior`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Behavior {
    /// Up.
    pub scale_up: Option<ScalingRules>,
    /// Down.
    pub scale_down: Option<ScalingRules>,
}

/// `HPAScalingRules`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ScalingRules {
    /// Window in seconds.
    pub stabilization_window_seconds: Option<i32>,
    /// Max, Min or Disabled.
    pub select_policy: Option<String>,
    /// Policies; an empty list is not the same as none.
    pub policies: Option<Vec<Policy>>,
    /// Tolerance.
    pub tolerance: Option<Quantity>,
}

/// `HPAScalingPolicy`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Policy {
    /// Pods or Percent.
    #[serde(rename = "type", deserialize_with = "nullable")]
    pub kind: String,
    /// How many.
    #[serde(deserialize_with = "nullable")]
    pub value: i32,
    /// Per how many seconds.
    #[serde(deserialize_with = "nullable")]
    pub period_seconds: i32,
}

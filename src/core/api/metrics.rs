//! The three metrics APIs.

use serde::{Deserialize, Serialize};

use super::{MetricIdentifier, ObjectMeta, ObjectReference, ResourceList, exactly, is_zero, nullable};
use crate::model::{Duration, Instant, Labels, Quantity, Text};

/// metrics.k8s.io/v1beta1 `PodMetrics`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PodMetrics {
    /// Metadata: the pod's name and, from metrics-server, its labels.
    #[serde(deserialize_with = "nullable")]
    pub metadata: SampleMeta,
    /// End of the measured window.
    #[serde(serialize_with = "exactly")]
    pub timestamp: Option<Instant>,
    /// Its length.
    #[serde(deserialize_with = "nullable")]
    pub window: Duration,
    /// Usage by container.
    #[serde(deserialize_with = "nullable")]
    pub containers: Vec<ContainerMetrics>,
}

/// The metadata of a sample. It has neither writers nor owners, and there are as many samples as pods.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SampleMeta {
    /// Name.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub name: String,
    /// Namespace.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub namespace: Text,
    /// When it was made.
    #[serde(serialize_with = "exactly")]
    pub creation_timestamp: Option<Instant>,
    /// Labels.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub labels: Labels,
}

impl From<ObjectMeta> for SampleMeta {
    fn from(metadata: ObjectMeta) -> Self {
        let ObjectMeta { name, namespace, creation_timestamp, labels, .. } = metadata;
        Self { name, namespace, creation_timestamp, labels }
    }
}

/// `ContainerMetrics`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContainerMetrics {
    /// The container's name.
    #[serde(deserialize_with = "nullable")]
    pub name: Text,
    /// Usage by resource.
    #[serde(deserialize_with = "nullable")]
    pub usage: ResourceList,
}

/// custom.metrics.k8s.io/v1beta2 `MetricValue`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MetricValue {
    /// The object that the value describes.
    #[serde(deserialize_with = "nullable")]
    pub described_object: ObjectReference,
    /// The metric.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub metric: MetricIdentifier,
    /// When it was measured.
    #[serde(serialize_with = "exactly")]
    pub timestamp: Option<Instant>,
    /// Over how many seconds.
    pub window_seconds: Option<i64>,
    /// The value.
    #[serde(deserialize_with = "nullable")]
    pub value: Quantity,
}

/// external.metrics.k8s.io/v1beta1 `ExternalMetricValue`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ExternalMetricValue {
    /// Name.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub metric_name: String,
    /// Labels of the series.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub metric_labels: Labels,
    /// When it was measured.
    #[serde(serialize_with = "exactly")]
    pub timestamp: Option<Instant>,
    /// The value.
    #[serde(deserialize_with = "nullable")]
    pub value: Quantity,
}

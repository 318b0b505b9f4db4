//! `status` of an autoscaling/v2 HorizontalPodAutoscaler, printed as Go prints it: what is left out when zero,
//! and what is null, follows upstream's field tags.

use serde::{Deserialize, Serialize};

use super::{ConditionReason, ConditionType, MetricIdentifier, ObjectReference, is_zero, nullable};
use crate::model::{Instant, Quantity, Text};

/// `HorizontalPodAutoscalerStatus`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HpaStatus {
    /// The generation that the controller saw.
    pub observed_generation: Option<i64>,
    /// When the controller last changed the replicas.
    pub last_scale_time: Option<Instant>,
    /// `scale.spec.replicas` as the controller found it.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub current_replicas: i32,
    /// What the controller asked for.
    #[serde(deserialize_with = "nullable")]
    pub desired_replicas: i32,
    /// The metrics as they stood; null before the first.
    #[serialize_always]
    pub current_metrics: Option<Vec<MetricStatus>>,
    /// Conditions in the order of their first appearance.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub conditions: Vec<Condition>,
}

impl HpaStatus {
    /// Keeps once what it has in common with another.
    pub fn share(&mut self, other: &Self) {
        for (condition, other) in self.conditions.iter_mut().zip(&other.conditions) {
            condition.kind.share(&other.kind);
            condition.status.share(&other.status);
            condition.reason.share(&other.reason);
        }
    }

    /// The condition of a type; of several the first counts, as upstream.
    #[must_use]
    pub fn condition(&self, kind: impl AsRef<str>) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.kind == kind.as_ref())
    }

    /// ScalingActive if it is False: the controller could not decide, or was not to.
    #[must_use]
    pub fn inactive(&self) -> Option<&Condition> {
        self.condition(ConditionType::ScalingActive).filter(|it| it.status == "False")
    }

    /// Whether the HPA set the 0 replicas itself, by its ScaledToZero condition.
    #[must_use]
    pub fn is_scaled_to_zero(&self) -> bool {
        self.condition(ConditionType::ScaledToZero).is_some_and(|it| it.status == "True")
    }

    /// Whether anything in it was ever written.
    #[must_use]
    pub const fn is_written(&self) -> bool {
        let Self {
            observed_generation,
            last_scale_time,
            current_replicas,
            desired_replicas,
            current_metrics: _,
            conditions,
        } = self;
        let has_counts = *current_replicas != 0 || *desired_replicas != 0;
        has_counts || observed_generation.is_some() || last_scale_time.is_some() || !conditions.is_empty()
    }
}

/// `HorizontalPodAutoscalerCondition`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Condition {
    /// Type.
    #[serde(rename = "type", deserialize_with = "nullable")]
    pub kind: Text,
    /// True, False or Unknown.
    #[serde(deserialize_with = "nullable")]
    pub status: Text,
    /// When the status changed last; null where it was never set.
    pub last_transition_time: Option<Instant>,
    /// Reason.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub reason: Text,
    /// Message.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub message: String,
}

impl Condition {
    /// The reason; `None` if nothing depends on it.
    #[must_use]
    pub fn known_reason(&self) -> Option<ConditionReason> {
        ConditionReason::of(&self.reason)
    }
}

/// `MetricStatus`; a metric that failed leaves an empty one.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MetricStatus {
    /// Type.
    #[serde(rename = "type", deserialize_with = "nullable")]
    pub kind: String,
    /// Object.
    pub object: Option<Box<ObjectStatus>>,
    /// Pods.
    pub pods: Option<Box<PodsStatus>>,
    /// Resource.
    pub resource: Option<Box<ResourceStatus>>,
    /// `ContainerResource`.
    pub container_resource: Option<Box<ContainerResourceStatus>>,
    /// External.
    pub external: Option<Box<ExternalStatus>>,
}

/// `ObjectMetricStatus`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectStatus {
    /// The metric.
    #[serde(deserialize_with = "nullable")]
    pub metric: MetricIdentifier,
    /// Its value.
    #[serde(deserialize_with = "nullable")]
    pub current: ValueStatus,
    /// The object.
    #[serde(deserialize_with = "nullable")]
    pub described_object: ObjectReference,
}

/// `PodsMetricStatus`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PodsStatus {
    /// The metric.
    #[serde(deserialize_with = "nullable")]
    pub metric: MetricIdentifier,
    /// Its value.
    #[serde(deserialize_with = "nullable")]
    pub current: ValueStatus,
}

/// `ResourceMetricStatus`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResourceStatus {
    /// The resource.
    #[serde(deserialize_with = "nullable")]
    pub name: String,
    /// Its value.
    #[serde(deserialize_with = "nullable")]
    pub current: ValueStatus,
}

/// `ContainerResourceMetricStatus`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContainerResourceStatus {
    /// The resource.
    #[serde(deserialize_with = "nullable")]
    pub name: String,
    /// Its value.
    #[serde(deserialize_with = "nullable")]
    pub current: ValueStatus,
    /// The container.
    #[serde(deserialize_with = "nullable")]
    pub container: String,
}

/// `ExternalMetricStatus`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExternalStatus {
    /// The metric.
    #[serde(deserialize_with = "nullable")]
    pub metric: MetricIdentifier,
    /// Its value.
    #[serde(deserialize_with = "nullable")]
    pub current: ValueStatus,
}

/// `MetricValueStatus`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ValueStatus {
    /// Value.
    pub value: Option<Quantity>,
    /// Average value.
    pub average_value: Option<Quantity>,
    /// Average utilization in percent.
    pub average_utilization: Option<i32>,
}

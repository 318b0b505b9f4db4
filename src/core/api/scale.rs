//! autoscaling/v1 Scale.

use serde::{Deserialize, Serialize};

use super::{ObjectMeta, is_zero, nullable};

/// The scale subresource.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Scale {
    /// Metadata of the scaled object.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub metadata: ObjectMeta,
    /// What is asked for.
    #[serde(deserialize_with = "nullable")]
    pub spec: ScaleSpec,
    /// What is there.
    #[serde(deserialize_with = "nullable")]
    pub status: ScaleStatus,
}

/// `ScaleSpec`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScaleSpec {
    /// Replicas asked for; absent is zero.
    #[serde(deserialize_with = "nullable")]
    pub replicas: i32,
}

/// `ScaleStatus`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScaleStatus {
    /// Replicas seen by the target's controller.
    #[serde(deserialize_with = "nullable")]
    pub replicas: i32,
    /// The pods' selector in string form.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub selector: String,
}

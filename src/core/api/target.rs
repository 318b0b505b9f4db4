//! The object that an HPA scales.

use serde::{Deserialize, Serialize};

use super::{ObjectMeta, PodSpec, is_zero, nullable};

/// A scale target of any kind, cut down to its metadata: who set `spec.replicas` last, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Target {
    /// Kind.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub kind: String,
    /// Metadata.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
}

/// The replicas and pods that the manifest of a workload asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    /// `spec.replicas`, by default 1.
    pub replicas: i32,
    /// `spec.template.spec`, cut down to what pods request.
    pub pods: PodSpec,
}

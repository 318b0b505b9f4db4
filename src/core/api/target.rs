//! The object that an HPA scales.

use serde::{Deserialize, Serialize};

use super::{ObjectMeta, is_zero, nullable};

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

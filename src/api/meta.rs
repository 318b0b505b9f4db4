//! Object metadata.

use serde::{Deserialize, Serialize};

use super::{exactly, is_zero, nullable};
use crate::model::{Instant, Labels};

/// `ObjectMeta`, without annotations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectMeta {
    /// Name.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub name: String,
    /// Namespace.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub namespace: String,
    /// Raised by the API server at each change of the spec.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub generation: i64,
    /// Raised at each write.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub resource_version: String,
    /// When the object was created.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "exactly")]
    pub creation_timestamp: Option<Instant>,
    /// When the object will be gone.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "exactly")]
    pub deletion_timestamp: Option<Instant>,
    /// Labels.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub labels: Labels,
    /// Owners.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub owner_references: Vec<OwnerReference>,
    /// Who wrote last, and when.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub managed_fields: Vec<ManagedFields>,
}

/// `OwnerReference`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OwnerReference {
    /// Kind of the owner.
    #[serde(deserialize_with = "nullable")]
    pub kind: String,
    /// Its name.
    #[serde(deserialize_with = "nullable")]
    pub name: String,
    /// Whether it is the one controller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controller: Option<bool>,
}

/// `ManagedFieldsEntry`, without the fields themselves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ManagedFields {
    /// Who wrote.
    #[serde(deserialize_with = "nullable")]
    pub manager: String,
    /// How: Apply or Update.
    #[serde(deserialize_with = "nullable")]
    pub operation: String,
    /// Through which subresource.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub subresource: String,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "exactly")]
    pub time: Option<Instant>,
}

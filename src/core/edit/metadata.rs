//! The metadata of an object that is about to be written.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::api::{ObjectMeta, OwnerReference, nullable};

/// What tells who else writes an object. Annotations are read here alone, and only of an object that a person is about to
/// change: a case never holds them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Metadata {
    /// Labels.
    #[serde(deserialize_with = "nullable")]
    pub labels: BTreeMap<String, String>,
    /// Annotations.
    #[serde(deserialize_with = "nullable")]
    pub annotations: BTreeMap<String, String>,
    /// Owners.
    #[serde(deserialize_with = "nullable")]
    pub owner_references: Vec<OwnerReference>,
    /// Who set which field.
    #[serde(deserialize_with = "nullable")]
    pub managed_fields: Vec<Manager>,
    /// The object itself, however it is named.
    #[serde(deserialize_with = "nullable")]
    pub uid: String,
    /// Raised at each write.
    #[serde(deserialize_with = "nullable")]
    pub resource_version: String,
}

/// `ManagedFieldsEntry`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Manager {
    /// Who.
    #[serde(rename = "manager", deserialize_with = "nullable")]
    pub name: String,
    /// `Apply` or `Update`.
    #[serde(deserialize_with = "nullable")]
    pub operation: String,
    /// Which fields: `{"f:spec": {"f:maxReplicas": {}}}`.
    #[serde(rename = "fieldsV1")]
    pub fields: Value,
}

impl Metadata {
    /// The metadata of an HPA in a case, which has no annotations.
    #[must_use]
    pub fn of_case(metadata: &ObjectMeta) -> Self {
        serde_json::to_value(metadata).ok().and_then(|it| Self::deserialize(it).ok()).unwrap_or_default()
    }

    /// The metadata of a stored object. What is malformed in it tells nothing.
    #[must_use]
    pub fn of(object: &Value) -> Self {
        object.get("metadata").and_then(|it| Self::deserialize(it).ok()).unwrap_or_default()
    }
}

impl Manager {
    /// Whether it set a field, or something of it.
    pub(super) fn has(&self, path: &[String]) -> bool {
        let mut fields = &self.fields;
        path.iter().all(|name| match fields.get(format!("f:{name}")) {
            Some(below) => {
                fields = below;
                true
            }
            None => false,
        })
    }
}

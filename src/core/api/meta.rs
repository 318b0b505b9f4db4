//! Object metadata.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{exactly, is_zero, nullable};
use crate::model::{Instant, Labels};

/// `ObjectMeta`, without annotations.
#[serde_with::skip_serializing_none]
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
    #[serde(serialize_with = "exactly")]
    pub creation_timestamp: Option<Instant>,
    /// When the object will be gone.
    #[serde(serialize_with = "exactly")]
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
#[serde_with::skip_serializing_none]
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
    pub controller: Option<bool>,
}

/// `ManagedFieldsEntry`: of the fields themselves only which parts of the spec they are.
#[serde_with::skip_serializing_none]
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
    #[serde(serialize_with = "exactly")]
    pub time: Option<Instant>,
    /// What.
    #[serde(rename = "fieldsV1")]
    pub fields: Option<FieldSet>,
}

impl ManagedFields {
    /// Whether this manager set a field of the spec; `None` if the entry does not say which fields it is about.
    #[must_use]
    pub fn sets(&self, field: &str) -> Option<bool> {
        self.fields.as_ref().map(|fields| fields.spec.contains(&format!("f:{field}")))
    }

    /// Whether this manager set any field of the spec, as far as the entry says.
    #[must_use]
    pub fn sets_spec(&self) -> bool {
        self.fields.as_ref().is_none_or(|fields| !fields.spec.is_empty())
    }
}

/// `FieldsV1`, cut down to the names of the fields right below the spec (`f:replicas`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FieldSet {
    /// The names, each with its prefix `f:`.
    #[serde(
        rename = "f:spec",
        deserialize_with = "names",
        serialize_with = "empty_maps",
        skip_serializing_if = "BTreeSet::is_empty"
    )]
    pub spec: BTreeSet<String>,
}

/// The keys of a map; what is below them is passed over.
struct Names;

impl<'de> Visitor<'de> for Names {
    type Value = BTreeSet<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a map of fields")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(BTreeSet::new())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut names = BTreeSet::new();
        while let Some((name, IgnoredAny)) = map.next_entry::<String, _>()? {
            if name.starts_with("f:") {
                names.insert(name);
            }
        }
        Ok(names)
    }
}

fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeSet<String>, D::Error> {
    deserializer.deserialize_any(Names)
}

#[derive(Serialize)]
struct Nothing {}

fn empty_maps<S: Serializer>(names: &BTreeSet<String>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(names.iter().map(|name| (name, Nothing {})))
}

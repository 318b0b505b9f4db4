//! Object metadata.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{exactly, is_zero, nullable};
use crate::model::{Instant, Labels, Text};

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
    pub namespace: Text,
    /// Raised by the API server at each change of the spec.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub generation: i64,
    /// Raised at each write.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub resource_version: Text,
    /// When the object was created.
    #[serde(serialize_with = "exactly")]
    pub creation_timestamp: Option<Instant>,
    /// When the object will be gone.
    #[serde(serialize_with = "exactly")]
    pub deletion_timestamp: Option<Instant>,
    /// Labels.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub labels: Labels,
    /// Owners; pods of one template share them.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub owner_references: Arc<[OwnerReference]>,
    /// Who wrote last, and when.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub managed_fields: Vec<ManagedFields>,
}

impl ObjectMeta {
    /// Keeps once what it has in common with another.
    pub fn share(&mut self, other: &Self) {
        self.namespace.share(&other.namespace);
        self.labels.share(&other.labels);
        if self.owner_references == other.owner_references {
            self.owner_references.clone_from(&other.owner_references);
        }
        for (entry, other) in self.managed_fields.iter_mut().zip(&other.managed_fields) {
            entry.manager.share(&other.manager);
            entry.operation.share(&other.operation);
            entry.subresource.share(&other.subresource);
        }
    }
}

/// `OwnerReference`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OwnerReference {
    /// Kind of the owner.
    #[serde(deserialize_with = "nullable")]
    pub kind: Text,
    /// Its name.
    #[serde(deserialize_with = "nullable")]
    pub name: Text,
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
    pub manager: Text,
    /// How: Apply or Update.
    #[serde(deserialize_with = "nullable")]
    pub operation: Text,
    /// Through which subresource.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub subresource: Text,
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

/// `FieldsV1`, cut down to the names of the fields right below the spec (`f:replicas`): those of v2, too, that older versions of
/// the API have as annotations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "WrittenFields")]
pub struct FieldSet {
    /// The names, each with its prefix `f:`.
    #[serde(rename = "f:spec", serialize_with = "empty_maps", skip_serializing_if = "BTreeSet::is_empty")]
    pub spec: BTreeSet<String>,
}

/// The fields that tell of the spec.
#[derive(Default, Deserialize)]
#[serde(default)]
struct WrittenFields {
    #[serde(rename = "f:spec", deserialize_with = "names")]
    spec: BTreeSet<String>,
    #[serde(rename = "f:metadata")]
    metadata: WrittenMetadata,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WrittenMetadata {
    #[serde(rename = "f:annotations", deserialize_with = "names")]
    annotations: BTreeSet<String>,
}

/// Source: `BehaviorSpecsAnnotation` and `MetricSpecsAnnotation` of Kubernetes' `pkg/apis/autoscaling`.
const ANNOTATIONS: [(&str, &str); 2] = [
    ("f:autoscaling.alpha.kubernetes.io/behavior", "f:behavior"),
    ("f:autoscaling.alpha.kubernetes.io/metrics", "f:metrics"),
];

impl From<WrittenFields> for FieldSet {
    fn from(WrittenFields { mut spec, metadata }: WrittenFields) -> Self {
        let set = ANNOTATIONS.into_iter().filter(|(name, _)| metadata.annotations.contains(*name));
        spec.extend(set.map(|(_, field)| field.to_owned()));
        Self { spec }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen on 1.37.1.
    #[test]
    fn what_is_an_annotation_in_v1_is_a_field_of_the_spec() {
        let of = |text: &str| serde_json::from_str::<ManagedFields>(text).expect("an entry");
        let old = of(
            r#"{"manager": "old", "operation": "Update", "apiVersion": "autoscaling/v1", "fieldsV1": {"f:metadata":
            {"f:annotations": {".": {}, "f:autoscaling.alpha.kubernetes.io/behavior": {}, "f:touched": {}}}}}"#,
        );
        assert_eq!(
            (old.sets_spec(), old.sets("behavior"), old.sets("metrics")),
            (true, Some(true), Some(false))
        );
        let other =
            of(r#"{"manager": "other", "fieldsV1": {"f:metadata": {"f:annotations": {"f:touched": {}}}}}"#);
        assert!(!other.sets_spec());
        let both =
            of(r#"{"manager": "both", "fieldsV1": {"f:metadata": {}, "f:spec": {"f:maxReplicas": {}}}}"#);
        assert_eq!(both.fields.map(|fields| fields.spec), Some(["f:maxReplicas".to_owned()].into()));
    }
}

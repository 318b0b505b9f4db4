//! The HPA as it is written in a case, in any version of the API.
//!
//! One type holds the fields of v2, v2beta2 and v1, and another one those of v2beta1, so that nothing is buffered and
//! every error keeps its place in the file; `apiVersion` says which of them count.

use std::fmt::{self, Formatter};

use serde::de::{Error, IgnoredAny, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use super::case::HpaCase;
use super::v1;
use crate::api::{self, nullable};
use crate::model::{Instant, Labels};

impl<'de> Deserialize<'de> for HpaCase {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const FIELDS: &[&str] = &["apiVersion", "kind", "metadata", "spec", "status"];
        let written = deserializer.deserialize_struct("HorizontalPodAutoscaler", FIELDS, WrittenVisitor)?;
        let Written { version, metadata, mut spec, mut status, .. } = written;
        match version {
            Version::V1 => v1::convert(&metadata.annotations, &mut spec, &mut status),
            Version::V2beta1 => spec.v2.behavior = metadata.annotations.behavior().map(without_defaults),
            Version::V2beta2 | Version::V2 => {}
        }
        if matches!(version, Version::V2beta1 | Version::V2beta2) {
            drop_tolerances(&mut spec.v2);
        }
        Ok(Self(api::Hpa {
            api_version: "autoscaling/v2".to_owned(),
            kind: "HorizontalPodAutoscaler".to_owned(),
            metadata: metadata.into(),
            spec: spec.v2,
            status: status.v2,
        }))
    }
}

/// No API server fills in a behavior that is an annotation.
fn without_defaults(mut behavior: api::Behavior) -> api::Behavior {
    for rules in [&mut behavior.scale_up, &mut behavior.scale_down].into_iter().flatten() {
        rules.policies.get_or_insert_default();
    }
    behavior
}

/// The versions that were gone before there were tolerances do not know them.
fn drop_tolerances(spec: &mut api::HpaSpec) {
    let rules = spec.behavior.iter_mut().flat_map(|it| [&mut it.scale_up, &mut it.scale_down]);
    rules.flatten().for_each(|rules| rules.tolerance = None);
}

#[derive(Default)]
struct Written {
    version: Version,
    kind: Kind,
    metadata: Metadata,
    spec: v1::SpecParts,
    status: v1::StatusParts,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(field_identifier, rename_all = "camelCase")]
enum Field {
    ApiVersion,
    Kind,
    Metadata,
    Spec,
    Status,
    #[serde(other)]
    Other,
}

impl Field {
    const fn name(self) -> &'static str {
        match self {
            Self::ApiVersion => "apiVersion",
            Self::Kind => "kind",
            Self::Metadata => "metadata",
            Self::Spec => "spec",
            Self::Status => "status",
            Self::Other => "",
        }
    }
}

/// Reads the fields as they come. Of v2beta1, whose fields have other types under the same names, `apiVersion` must
/// come first, as everything writes it.
struct WrittenVisitor;

impl<'de> Visitor<'de> for WrittenVisitor {
    type Value = Written;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a HorizontalPodAutoscaler")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Written, A::Error> {
        let mut written = Written::default();
        let mut seen = Vec::new();
        while let Some(field) = map.next_key::<Field>()? {
            if field != Field::Other && seen.contains(&field) {
                return Err(Error::duplicate_field(field.name()));
            }
            written.read(field, &mut map)?;
            let is_late = seen.iter().any(|field| matches!(field, Field::Spec | Field::Status));
            if is_late && field == Field::ApiVersion && written.version == Version::V2beta1 {
                return Err(Error::custom("autoscaling/v2beta1 must stand before `spec` and `status`"));
            }
            seen.push(field);
        }
        Ok(written)
    }
}

impl Written {
    fn read<'de, A: MapAccess<'de>>(&mut self, field: Field, map: &mut A) -> Result<(), A::Error> {
        let is_beta = self.version == Version::V2beta1;
        match field {
            Field::ApiVersion => self.version = map.next_value()?,
            Field::Kind => self.kind = map.next_value()?,
            Field::Metadata => self.metadata = value(map)?,
            Field::Spec if is_beta => self.spec.v2 = value::<v1::beta::BetaSpec, A>(map)?.into(),
            Field::Spec => self.spec = value::<WrittenSpec, A>(map)?.split(),
            Field::Status if is_beta => self.status.v2 = value::<v1::beta::BetaStatus, A>(map)?.into(),
            Field::Status => self.status = value::<WrittenStatus, A>(map)?.split(),
            Field::Other => drop(map.next_value::<IgnoredAny>()?),
        }
        Ok(())
    }
}

/// A value that may be null.
fn value<'de, T: Deserialize<'de> + Default, A: MapAccess<'de>>(map: &mut A) -> Result<T, A::Error> {
    Ok(map.next_value::<Option<T>>()?.unwrap_or_default())
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Version {
    V1,
    V2beta1,
    V2beta2,
    #[default]
    V2,
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Option::<String>::deserialize(deserializer)?.as_deref() {
            None | Some("" | "autoscaling/v2") => Ok(Self::V2),
            Some("autoscaling/v2beta2") => Ok(Self::V2beta2),
            // The first form of v2beta1, of 1.6 and 1.7.
            Some("autoscaling/v2beta1" | "autoscaling/v2alpha1") => Ok(Self::V2beta1),
            Some("autoscaling/v1") => Ok(Self::V1),
            Some(other) => Err(Error::invalid_value(
                Unexpected::Str(other),
                &"autoscaling/v2, v2beta2, v2beta1 or v1 (`kubectl get hpa.v2.autoscaling NAME -o yaml` prints one)",
            )),
        }
    }
}

/// The one kind.
#[derive(Default)]
struct Kind;

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Option::<String>::deserialize(deserializer)?.as_deref() {
            None | Some("" | "HorizontalPodAutoscaler") => Ok(Self),
            Some(other) => Err(Error::invalid_value(Unexpected::Str(other), &"HorizontalPodAutoscaler")),
        }
    }
}

/// [`api::ObjectMeta`] and the annotations that stand for fields of v2.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Metadata {
    #[serde(deserialize_with = "nullable")]
    name: String,
    #[serde(deserialize_with = "nullable")]
    namespace: String,
    #[serde(deserialize_with = "nullable")]
    generation: i64,
    #[serde(deserialize_with = "nullable")]
    resource_version: String,
    creation_timestamp: Option<Instant>,
    deletion_timestamp: Option<Instant>,
    #[serde(deserialize_with = "nullable")]
    labels: Labels,
    #[serde(deserialize_with = "nullable")]
    owner_references: Vec<api::OwnerReference>,
    #[serde(deserialize_with = "nullable")]
    managed_fields: Vec<api::ManagedFields>,
    #[serde(deserialize_with = "nullable")]
    annotations: v1::Annotations,
}

impl From<Metadata> for api::ObjectMeta {
    fn from(metadata: Metadata) -> Self {
        Self {
            name: metadata.name,
            namespace: metadata.namespace.into(),
            generation: metadata.generation,
            resource_version: metadata.resource_version.into(),
            creation_timestamp: metadata.creation_timestamp,
            deletion_timestamp: metadata.deletion_timestamp,
            labels: metadata.labels,
            owner_references: metadata.owner_references.into(),
            managed_fields: metadata.managed_fields,
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WrittenSpec {
    #[serde(deserialize_with = "nullable")]
    scale_target_ref: api::ObjectReference,
    min_replicas: Option<i32>,
    #[serde(deserialize_with = "nullable")]
    max_replicas: i32,
    #[serde(rename = "targetCPUUtilizationPercentage")]
    target_cpu: Option<i32>,
    #[serde(deserialize_with = "nullable")]
    metrics: Vec<api::MetricSpec>,
    behavior: Option<api::Behavior>,
}

impl WrittenSpec {
    fn split(self) -> v1::SpecParts {
        let Self { scale_target_ref, min_replicas, max_replicas, target_cpu, metrics, behavior } = self;
        let v2 = api::HpaSpec { scale_target_ref, min_replicas, max_replicas, metrics, behavior };
        v1::SpecParts { v2, target_cpu }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WrittenStatus {
    observed_generation: Option<i64>,
    last_scale_time: Option<Instant>,
    #[serde(deserialize_with = "nullable")]
    current_replicas: i32,
    #[serde(deserialize_with = "nullable")]
    desired_replicas: i32,
    #[serde(rename = "currentCPUUtilizationPercentage")]
    current_cpu: Option<i32>,
    current_metrics: Option<Vec<api::MetricStatus>>,
    #[serde(deserialize_with = "nullable")]
    conditions: Vec<api::Condition>,
}

impl WrittenStatus {
    fn split(self) -> v1::StatusParts {
        let v2 = api::HpaStatus {
            observed_generation: self.observed_generation,
            last_scale_time: self.last_scale_time,
            current_replicas: self.current_replicas,
            desired_replicas: self.desired_replicas,
            current_metrics: self.current_metrics,
            conditions: self.conditions,
        };
        v1::StatusParts { v2, current_cpu: self.current_cpu }
    }
}

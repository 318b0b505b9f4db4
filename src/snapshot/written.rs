//! The autoscaler as it is written in a case, in either version of the API.
//!
//! One type holds the fields of both versions, so that nothing is buffered and every error keeps its place in the
//! file; `apiVersion` then says which of them count.

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};

use super::case::HpaCase;
use super::v1;
use crate::api::{self, nullable};
use crate::model::{Instant, Labels};

impl<'de> Deserialize<'de> for HpaCase {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { api_version, kind: Kind, metadata, spec, status } = Written::deserialize(deserializer)?;
        let (mut spec, mut status) = (spec.split(), status.split());
        if api_version == Version::V1 {
            v1::convert(&metadata.annotations, &mut spec, &mut status);
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

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, expecting = "a HorizontalPodAutoscaler")]
struct Written {
    api_version: Version,
    kind: Kind,
    #[serde(deserialize_with = "nullable")]
    metadata: Metadata,
    #[serde(deserialize_with = "nullable")]
    spec: Spec,
    #[serde(deserialize_with = "nullable")]
    status: Status,
}

#[derive(Default, PartialEq)]
enum Version {
    V1,
    #[default]
    V2,
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Option::<String>::deserialize(deserializer)?.as_deref() {
            None | Some("" | "autoscaling/v2") => Ok(Self::V2),
            Some("autoscaling/v1") => Ok(Self::V1),
            Some(other) => Err(Error::invalid_value(
                Unexpected::Str(other),
                &"autoscaling/v2 or autoscaling/v1 (`kubectl get hpa.v2.autoscaling NAME -o yaml` prints one)",
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
            namespace: metadata.namespace,
            generation: metadata.generation,
            resource_version: metadata.resource_version,
            creation_timestamp: metadata.creation_timestamp,
            deletion_timestamp: metadata.deletion_timestamp,
            labels: metadata.labels,
            owner_references: metadata.owner_references,
            managed_fields: metadata.managed_fields,
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Spec {
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

impl Spec {
    fn split(self) -> v1::Spec {
        let Self { scale_target_ref, min_replicas, max_replicas, target_cpu, metrics, behavior } = self;
        let v2 = api::HpaSpec { scale_target_ref, min_replicas, max_replicas, metrics, behavior };
        v1::Spec { v2, target_cpu }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Status {
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

impl Status {
    fn split(self) -> v1::Status {
        let v2 = api::HpaStatus {
            observed_generation: self.observed_generation,
            last_scale_time: self.last_scale_time,
            current_replicas: self.current_replicas,
            desired_replicas: self.desired_replicas,
            current_metrics: self.current_metrics,
            conditions: self.conditions,
        };
        v1::Status { v2, current_cpu: self.current_cpu }
    }
}

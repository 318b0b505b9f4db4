//! autoscaling/v1 Scale.

use serde::{Deserialize, Serialize};

use super::{ObjectMeta, is_zero, nullable};
use crate::model::LabelSelector;

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

/// Go's sort keeps the order of equal keys up to so many requirements; the text of more has no order of its own.
const ORDERED: usize = 12;

impl Scale {
    /// The metadata that the scale of an object has.
    #[must_use]
    pub fn metadata_of(object: &ObjectMeta) -> ObjectMeta {
        ObjectMeta {
            name: object.name.clone(),
            namespace: object.namespace.clone(),
            resource_version: object.resource_version.clone(),
            creation_timestamp: object.creation_timestamp,
            ..ObjectMeta::default()
        }
    }

    /// The scale of a Deployment, StatefulSet or ReplicaSet as its subresource has it: all three make it of these fields.
    /// `None` if only the subresource can tell.
    ///
    /// Source: `scaleFromDeployment`, `scaleFromStatefulSet` and `scaleFromReplicaSet` of kube-apiserver's
    /// `pkg/registry/apps/*/storage/storage.go`.
    #[must_use]
    pub fn of(
        metadata: &ObjectMeta,
        replicas: Option<i32>,
        selector: Option<&LabelSelector>,
        observed: i32,
    ) -> Option<Self> {
        let selector = selector?;
        if selector.match_labels.len() + selector.match_expressions.len() > ORDERED {
            return None;
        }
        let selector = selector.to_selector().ok()?;
        Some(Self {
            metadata: Self::metadata_of(metadata),
            spec: ScaleSpec { replicas: replicas? },
            status: ScaleStatus { replicas: observed, selector: selector.to_string() },
        })
    }
}

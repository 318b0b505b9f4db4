//! core/v1 Pod.

use serde::{Deserialize, Serialize};

use super::{ObjectMeta, ResourceList, exactly, is_zero, nullable};
use crate::model::Instant;

/// A pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pod {
    /// Metadata.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What it requests.
    #[serde(deserialize_with = "nullable")]
    pub spec: PodSpec,
    /// How it is.
    #[serde(deserialize_with = "nullable")]
    pub status: PodStatus,
}

/// `PodSpec`: only what bears on requests.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodSpec {
    /// Containers.
    #[serde(deserialize_with = "nullable")]
    pub containers: Vec<Container>,
    /// Init containers; those with `restartPolicy: Always` run on as sidecars.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub init_containers: Vec<Container>,
    /// Requests of the pod as a whole.
    pub resources: Option<ResourceRequirements>,
    /// What the runtime needs on top.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub overhead: ResourceList,
}

/// A container: its name, requests and limits.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Container {
    /// Name.
    #[serde(deserialize_with = "nullable")]
    pub name: String,
    /// Requests.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub resources: ResourceRequirements,
    /// `Always` makes an init container a sidecar.
    pub restart_policy: Option<String>,
}

/// `ResourceRequirements`: requests, and limits for those who think in them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResourceRequirements {
    /// Requests.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub requests: ResourceList,
    /// Limits: no decision depends on them.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub limits: ResourceList,
}

/// `PodStatus`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodStatus {
    /// Phase.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub phase: String,
    /// When the kubelet saw the pod first.
    #[serde(serialize_with = "exactly")]
    pub start_time: Option<Instant>,
    /// Conditions; of a live pod those of type Ready are kept, and PodScheduled where it is False.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub conditions: Vec<PodCondition>,
}

/// `PodCondition`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodCondition {
    /// Type.
    #[serde(rename = "type", deserialize_with = "nullable")]
    pub kind: String,
    /// True, False or Unknown.
    #[serde(deserialize_with = "nullable")]
    pub status: String,
    /// Why, in a word for machines. Of a live pod it is kept where PodScheduled is False.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub reason: String,
    /// Since when.
    #[serde(serialize_with = "exactly")]
    pub last_transition_time: Option<Instant>,
}

impl PodCondition {
    /// Whether the pod is not bound to a node yet (`PodScheduled` is False).
    #[must_use]
    pub fn is_unscheduled(&self) -> bool {
        self.kind == "PodScheduled" && self.status == "False"
    }
}

impl PodSpec {
    /// The containers that run on: all, and the init containers that are sidecars.
    pub fn running(&self) -> impl Iterator<Item = &Container> {
        self.containers.iter().chain(self.init_containers.iter().filter(|it| it.is_sidecar()))
    }
}

impl Container {
    /// An init container that runs on (`isRestartableInitContainer`).
    #[must_use]
    pub fn is_sidecar(&self) -> bool {
        self.restart_policy.as_deref() == Some("Always")
    }
}

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
    /// Conditions; of a live pod those of type Ready and PodResizePending are kept, and PodScheduled where it is False.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub conditions: Vec<PodCondition>,
    /// What containers have; of a live pod those are kept that have other requests than the spec.
    pub container_statuses: Option<Box<ContainerStatuses>>,
}

/// `ContainerStatus` of several containers. Most pods keep none, so that it is boxed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContainerStatuses(pub Vec<ContainerStatus>);

/// `ContainerStatus`: what a container has, which during an in-place resize is not yet what its spec says.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContainerStatus {
    /// Name.
    #[serde(deserialize_with = "nullable")]
    pub name: String,
    /// Its requests and limits as they are configured now.
    pub resources: Option<ResourceRequirements>,
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

    /// Whether the kubelet has not begun an in-place resize (`PodResizePending`); the reason is Deferred or Infeasible.
    #[must_use]
    pub fn is_resize_pending(&self) -> bool {
        self.kind == "PodResizePending" && self.status == "True"
    }
}

impl Pod {
    /// The containers of the spec that have other requests than it says, with what they have: an in-place resize is not done.
    pub fn resizing(&self) -> impl Iterator<Item = (&Container, &ResourceList)> {
        let statuses = self.status.container_statuses.iter().flat_map(|statuses| &statuses.0);
        statuses.filter_map(|status| {
            let actual = &status.resources.as_ref()?.requests;
            let spec = self.spec.containers.iter().find(|it| it.name == status.name)?;
            (spec.resources.requests != *actual).then_some((spec, actual))
        })
    }

    /// Drops the statuses of containers that have what the spec says.
    pub fn keep_resizing(&mut self) {
        let names: Vec<String> = self.resizing().map(|(container, _)| container.name.clone()).collect();
        if let Some(statuses) = &mut self.status.container_statuses {
            statuses.0.retain(|status| names.contains(&status.name));
        }
        self.status.container_statuses.take_if(|statuses| statuses.0.is_empty());
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

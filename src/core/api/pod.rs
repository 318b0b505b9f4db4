//! core/v1 Pod.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ObjectMeta, ResourceList, exactly, is_zero, nullable};
use crate::model::{Instant, Text};

/// A pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pod {
    /// Metadata.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// What it requests; pods of one template share it.
    #[serde(deserialize_with = "nullable")]
    pub spec: Arc<PodSpec>,
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
    pub phase: Text,
    /// When the kubelet saw the pod first.
    #[serde(serialize_with = "exactly")]
    pub start_time: Option<Instant>,
    /// Conditions; of a live pod those of type Ready and PodResizePending are kept, and PodScheduled where it is False.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub conditions: Vec<PodCondition>,
    /// The state and resources of containers; of a live pod those are kept that wait, or have other requests than the spec.
    pub container_statuses: Option<Box<ContainerStatuses>>,
    /// The state of init containers; of a live pod those are kept that wait.
    pub init_container_statuses: Option<Box<ContainerStatuses>>,
}

/// `ContainerStatus` of several containers. Most pods keep none, so that it is boxed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContainerStatuses(pub Vec<ContainerStatus>);

/// `ContainerStatus`: what a container has, which during an in-place resize is not yet what its spec says, and waits for.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContainerStatus {
    /// Name.
    #[serde(deserialize_with = "nullable")]
    pub name: String,
    /// Its requests and limits as they are configured now.
    pub resources: Option<ResourceRequirements>,
    /// Of its states only the one in which it waits.
    pub state: Option<ContainerState>,
}

/// `ContainerState`: only of a container that waits.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContainerState {
    /// It does not run yet, or not again.
    pub waiting: Option<ContainerStateWaiting>,
}

/// `ContainerStateWaiting`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContainerStateWaiting {
    /// Why, in a word for machines, for example `ImagePullBackOff`.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub reason: String,
}

/// The reasons for which every container waits before it first runs.
const STARTING: [&str; 2] = ["ContainerCreating", "PodInitializing"];

impl ContainerStatus {
    /// Why the container waits; `None` if it does not, or no reason is given.
    #[must_use]
    pub fn waits_for(&self) -> Option<&str> {
        let waiting = self.state.as_ref()?.waiting.as_ref()?;
        Some(waiting.reason.as_str()).filter(|reason| !reason.is_empty())
    }
}

/// `PodCondition`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodCondition {
    /// Type.
    #[serde(rename = "type", deserialize_with = "nullable")]
    pub kind: Text,
    /// True, False or Unknown.
    #[serde(deserialize_with = "nullable")]
    pub status: Text,
    /// Why, in a word for machines. Of a live pod it is kept where PodScheduled is False.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub reason: String,
    /// Since when.
    #[serde(serialize_with = "exactly")]
    pub last_transition_time: Option<Instant>,
}

impl PodStatus {
    /// Keeps once what it has in common with another.
    pub fn share(&mut self, other: &Self) {
        self.phase.share(&other.phase);
        for (condition, other) in self.conditions.iter_mut().zip(&other.conditions) {
            condition.kind.share(&other.kind);
            condition.status.share(&other.status);
        }
    }
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

    /// The container that keeps the pod from running, and why it waits: the first one that waits for more than its start,
    /// init containers before the others, as they run.
    #[must_use]
    pub fn stuck(&self) -> Option<(&str, &str)> {
        let status = &self.status;
        let statuses = status.init_container_statuses.iter().chain(&status.container_statuses);
        let mut waiting = statuses.flat_map(|it| &it.0).filter_map(|it| Some((&*it.name, it.waits_for()?)));
        waiting.find(|(_, reason)| !STARTING.contains(reason))
    }

    /// True if each container that runs on waits, so that nothing of the pod runs.
    #[must_use]
    pub fn waits(&self) -> bool {
        let status = &self.status;
        let statuses = status.init_container_statuses.iter().chain(&status.container_statuses);
        let waiting: Vec<&str> =
            statuses.flat_map(|it| &it.0).filter(|it| it.waits_for().is_some()).map(|it| &*it.name).collect();
        !waiting.is_empty() && self.spec.running().all(|container| waiting.contains(&&*container.name))
    }

    /// Drops from the statuses of containers what is neither a reason to wait nor other requests than the spec's.
    pub fn trim_container_statuses(&mut self) {
        let resizing: Vec<String> = self.resizing().map(|(container, _)| container.name.clone()).collect();
        let status = &mut self.status;
        for statuses in [&mut status.init_container_statuses, &mut status.container_statuses] {
            for it in statuses.iter_mut().flat_map(|statuses| &mut statuses.0) {
                it.resources.take_if(|_| !resizing.contains(&it.name));
                if it.waits_for().is_none() {
                    it.state = None;
                }
            }
            if let Some(statuses) = statuses {
                statuses.0.retain(|it| it.resources.is_some() || it.state.is_some());
            }
            statuses.take_if(|statuses| statuses.0.is_empty());
        }
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

//! Pods as the decision sees them, with their samples already joined to them.

use std::sync::Arc;

use super::pod_requests::{Container, Names};
use crate::api::OwnerReference;
use crate::model::{Amounts, Duration, Instant, Labels, Milli, ResourceName, Source};

/// One pod that the scale's selector matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pod {
    /// `metadata.name`.
    pub name: Arc<str>,
    /// `metadata.labels`: other HPAs' selectors are matched against them.
    pub labels: Labels,
    /// The controlling owner.
    pub owner: Option<Owner>,
    /// `status.phase`.
    pub phase: Phase,
    /// `metadata.deletionTimestamp` is set.
    pub deleting: bool,
    /// `status.startTime`.
    pub started: Option<Instant>,
    /// The first condition of type Ready.
    pub ready: Option<Readiness>,
    /// The condition PodScheduled, if it is False. No decision depends on it.
    pub unscheduled: Option<Unscheduled>,
    /// The container that keeps it from running, unless it has ended. No decision depends on it.
    pub stuck: Option<StuckContainer>,
    /// Containers whose requests are not yet those of the spec. No decision depends on them.
    pub resizing: Vec<ResizingContainer>,
    /// Containers in order, then the restartable init containers; pods of one template share them.
    pub containers: Arc<Vec<Container>>,
    /// Requests of the pod as a whole, where `spec.resources.requests` sets any.
    pub pod_requests: Option<Amounts>,
    /// The pod's item of the resource metrics API.
    pub usage: Option<PodUsage>,
}

impl Pod {
    /// The container at a place, which has no request, and for a resource of whole pods those behind it that have none; sidecars
    /// only if their requests count. The controller names the first alone, and the next fails the next sync.
    pub fn without_request<'a>(
        &'a self,
        source: &Source,
        first: usize,
        sidecars_count: bool,
    ) -> impl Iterator<Item = &'a Container> {
        let lacks = move |it: &&Container| match source {
            Source::Resource(resource) => it.counts(sidecars_count) && it.requests.get(resource).is_none(),
            _ => false,
        };
        let (one, others) = self.containers.get(first..).and_then(<[Container]>::split_first).unzip();
        one.into_iter().chain(others.into_iter().flatten().filter(lacks))
    }

    /// Whether it waits for a node: Pending, and the scheduler has not placed it although no scheduling gate forbids it.
    #[must_use]
    pub fn waits_for_node(&self) -> bool {
        self.why_unscheduled().is_some_and(|reason| reason != UnscheduledReason::SchedulingGated)
    }

    /// Whether scheduling gates hold it back: Pending, and the scheduler does not look at it.
    #[must_use]
    pub fn is_gated(&self) -> bool {
        self.why_unscheduled() == Some(UnscheduledReason::SchedulingGated)
    }

    fn why_unscheduled(&self) -> Option<UnscheduledReason> {
        self.unscheduled.filter(|_| self.phase == Phase::Pending).map(|unscheduled| unscheduled.reason)
    }

    /// What it requests of a resource: as a whole, or all containers added up; `None` if nothing does.
    #[must_use]
    pub fn requested(&self, resource: &ResourceName) -> Option<Milli> {
        if let Some(amounts) = &self.pod_requests {
            return amounts.get(resource);
        }
        self.containers.iter().filter_map(|container| container.requests.get(resource)).reduce(Milli::plus)
    }

    /// True if it counts as one of its owner's replicas (upstream `IsPodActive`).
    #[must_use]
    pub fn is_active(&self) -> bool {
        !self.deleting && !self.phase.has_ended()
    }

    /// True if its containers may run, so that something can be measured of it.
    #[must_use]
    pub fn may_run(&self) -> bool {
        // Whose node is lost may run on.
        self.phase == Phase::Unknown
            || self.phase == Phase::Running && !self.stuck.as_ref().is_some_and(|it| it.is_all)
    }

    /// Running with a Ready condition that is true (what Value targets count, upstream `getReadyPodsCount`).
    #[must_use]
    pub fn is_running_and_ready(&self) -> bool {
        self.phase == Phase::Running && self.ready.is_some_and(|ready| ready.status == ConditionStatus::True)
    }
}

/// The controlling owner reference of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Kind, as ReplicaSet.
    pub kind: Arc<str>,
    /// Name; ten thousand pods share one text.
    pub name: Arc<str>,
}

impl Owner {
    /// The one reference that controls.
    pub(super) fn controlling(references: &[OwnerReference], names: &mut Names) -> Option<Self> {
        let owner = references.iter().find(|owner| owner.controller == Some(true))?;
        Some(Self { kind: names.shared(&owner.kind), name: names.shared(&owner.name) })
    }
}

/// `status.phase`; anything else than the five phases counts like Unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Not all containers have started.
    Pending,
    /// Bound to a node, containers started.
    Running,
    /// All containers ended well.
    Succeeded,
    /// A container ended badly.
    Failed,
    /// Not known, or not set.
    Unknown,
}

impl Phase {
    /// True if no container of the pod will run again (upstream `IsPodPhaseTerminal`).
    #[must_use]
    pub fn has_ended(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed)
    }
}

/// The condition PodScheduled while it is False.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unscheduled {
    /// `lastTransitionTime`; Go's zero time where it is missing.
    pub since: Instant,
    /// `reason`.
    pub reason: UnscheduledReason,
}

/// Why a pod is not bound to a node (core/v1 `PodReason…`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnscheduledReason {
    /// The scheduler found no node for it.
    Unschedulable,
    /// The scheduler waits until `spec.schedulingGates` is empty.
    SchedulingGated,
    /// The scheduler itself failed.
    SchedulerError,
    /// None is given, as in cases from before it was read, or another.
    Other,
}

/// A container that waits for more than its start, as with `ImagePullBackOff` or `CrashLoopBackOff`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StuckContainer {
    /// Name.
    pub name: Box<str>,
    /// `status.containerStatuses[].state.waiting.reason`, or that of `initContainerStatuses`.
    pub reason: Arc<str>,
    /// All other containers of the pod wait, too.
    pub is_all: bool,
}

/// The Ready condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readiness {
    /// Its status.
    pub status: ConditionStatus,
    /// `lastTransitionTime`; Go's zero time where it is missing.
    pub since: Instant,
}

/// A condition's status. The controller distinguishes False from everything else, and True from everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionStatus {
    /// True.
    True,
    /// False.
    False,
    /// Unknown, or any other text.
    Unknown,
}

/// A container that an in-place resize has not reached: the controller divides by the requests of the spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResizingContainer {
    /// Name.
    pub name: Box<str>,
    /// `spec.containers[].resources.requests`.
    pub spec: Amounts,
    /// `status.containerStatuses[].resources.requests`.
    pub actual: Amounts,
    /// The reason of the pod's PodResizePending condition, as Deferred or Infeasible.
    pub pending: Option<Box<str>>,
}

/// One item of `metrics.k8s.io`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodUsage {
    /// End of the measured window.
    pub at: Instant,
    /// Its length.
    pub window: Duration,
    /// Usage by container; pods that are played share what they use alike.
    pub containers: Arc<[ContainerUsage]>,
    /// Its place in the API's answer.
    pub place: usize,
}

/// Usage of one container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerUsage {
    /// Name; ten thousand pods share one text.
    pub name: Arc<str>,
    /// Usage by resource.
    pub usage: Amounts,
}

impl PodUsage {
    /// The pod's usage of a resource: all containers added up, none if one of them lacks it or there is none
    /// (upstream `getPodMetrics`).
    #[must_use]
    pub fn of_pod(&self, resource: &ResourceName) -> Option<Milli> {
        let mut usages = self.containers.iter().map(|container| container.usage.get(resource));
        let first = usages.next()??;
        usages.try_fold(first, |sum, usage| Some(sum.plus(usage?)))
    }

    /// The usage of the first container of a name (upstream `getContainerMetrics`).
    #[must_use]
    pub fn of_container(&self, resource: &ResourceName, name: &str) -> Option<Milli> {
        self.container(name)?.usage.get(resource)
    }

    /// The first container of a name.
    #[must_use]
    pub fn container(&self, name: &str) -> Option<&ContainerUsage> {
        self.containers.iter().find(|container| &*container.name == name)
    }
}

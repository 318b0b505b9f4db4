//! Pods at the door: selected once, and their samples joined to them once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::pod_requests::{Names, counted_containers, pod_requests};
use super::{
    CaseError, ConditionStatus, ContainerUsage, Owner, Phase, Pod, PodSamples, PodUsage, Readiness,
    ResizingContainer, StuckContainer, Unscheduled, UnscheduledReason, Usages,
};
use crate::api;
use crate::model::{Amounts, Instant, Labels, Milli, Selector};

/// The pods of the case, and which of them the selector matches.
#[derive(Default)]
pub(super) struct PodIndex {
    /// The matched ones, in list order.
    pub pods: Vec<Pod>,
    /// Every pod of the namespace by name.
    places: BTreeMap<Box<str>, PodPlace>,
    names: Names,
}

/// Where a pod of the namespace stands.
#[derive(Clone, Copy)]
enum PodPlace {
    /// Among the matched ones, at this place.
    Matched(usize),
    /// The selector does not match it.
    Elsewhere,
}

impl PodPlace {
    fn index(self) -> Option<usize> {
        match self {
            Self::Matched(index) => Some(index),
            Self::Elsewhere => None,
        }
    }
}

impl PodIndex {
    /// Selects. Without a selector no pod is matched.
    pub fn select(
        items: &[Arc<api::Pod>],
        namespace: &str,
        selector: Option<&Selector>,
    ) -> Result<Self, CaseError> {
        let mut pod_index = Self { pods: Vec::with_capacity(items.len()), ..Self::default() };
        for (index, item) in items.iter().enumerate() {
            if !is_in(&item.metadata.namespace, namespace) {
                continue;
            }
            let name: Box<str> = item.metadata.name.as_str().into();
            let is_matched = selector.is_some_and(|selector| selector.matches(&item.metadata.labels));
            let place =
                if is_matched { PodPlace::Matched(pod_index.pods.len()) } else { PodPlace::Elsewhere };
            if pod_index.places.insert(name, place).is_some() {
                let problem = format!("pod {} is listed twice", item.metadata.name);
                return Err(CaseError::new(format!("pods.items[{index}].metadata.name"), problem));
            }
            if is_matched {
                let mut found = pod(item, &mut pod_index.names);
                if let Some(last) = pod_index.pods.last().filter(|last| last.containers == found.containers) {
                    found.containers = Arc::clone(&last.containers);
                }
                pod_index.pods.push(found);
            }
        }
        Ok(pod_index)
    }

    /// As before anything was joined.
    pub fn forget_usages(&mut self) {
        for pod in &mut self.pods {
            pod.usage = None;
        }
    }

    /// Joins the resource metrics API's items to their pods. What the selector does not match is passed over: the
    /// controller asks for matching items only.
    pub fn join_usages(
        &mut self,
        items: &[Arc<api::PodMetrics>],
        namespace: &str,
        selector: Option<&Selector>,
    ) -> Result<Usages, CaseError> {
        let mut usages = Usages::default();
        let mut foreign = BTreeSet::new();
        // Both lists come sorted from the API server: mostly the next item is of the next pod.
        let mut next = 0;
        for (index, item) in items.iter().enumerate() {
            let name = item.metadata.name.as_str();
            let is_next = self.pods.get(next).is_some_and(|pod| *pod.name == *name);
            let place = if is_next { Some(PodPlace::Matched(next)) } else { self.places.get(name).copied() };
            next = place.and_then(PodPlace::index).map_or(next, |index| index + 1);
            if !is_in(&item.metadata.namespace, namespace)
                || !is_selected(&item.metadata.labels, place, selector)
            {
                continue;
            }
            let usage = usage(item, usages.items, &mut self.names);
            usages.items += 1;
            let pod = place.and_then(PodPlace::index).and_then(|index| self.pods.get_mut(index));
            let twice = if let Some(pod) = pod {
                pod.usage.replace(usage).is_some()
            } else {
                usages.foreign.push((name.into(), usage));
                !foreign.insert(name)
            };
            if twice {
                let problem = format!("metrics of pod {name} are listed twice");
                return Err(CaseError::new(format!("podMetrics.items[{index}].metadata.name"), problem));
            }
        }
        Ok(usages)
    }

    /// Joins a custom metric's items to their pods; of several for one pod the last counts.
    pub fn join_samples(&self, items: &[api::MetricValue]) -> PodSamples {
        let mut samples =
            PodSamples { items: items.len(), own: vec![None; self.pods.len()], foreign: Vec::new() };
        let mut foreign: BTreeMap<&str, usize> = BTreeMap::new();
        for item in items {
            let name = item.described_object.name.as_str();
            let value = Milli(item.value.milli_value());
            let place = self.places.get(name).copied().and_then(PodPlace::index);
            if let Some(slot) = place.and_then(|place| samples.own.get_mut(place)) {
                *slot = Some(value);
            } else if let Some(known) = foreign.get(name).and_then(|index| samples.foreign.get_mut(*index)) {
                known.1 = value;
            } else {
                foreign.insert(name, samples.foreign.len());
                samples.foreign.push((name.into(), value));
            }
        }
        samples
    }
}

/// Objects without a namespace are taken for the HPA's.
fn is_in(own: &str, namespace: &str) -> bool {
    own.is_empty() || own == namespace
}

/// An item is selected by its own labels, else by those of its pod; without either it is taken as it came.
fn is_selected(labels: &Labels, place: Option<PodPlace>, selector: Option<&Selector>) -> bool {
    match (selector, place) {
        (None, _) => false,
        (Some(selector), _) if !labels.is_empty() => selector.matches(labels),
        (Some(_), Some(place)) => place.index().is_some(),
        (Some(_), None) => true,
    }
}

impl From<api::Pod> for Pod {
    fn from(item: api::Pod) -> Self {
        pod(&item, &mut Names::default())
    }
}

fn pod(pod: &api::Pod, names: &mut Names) -> Pod {
    Pod {
        pod_requests: pod_requests(&pod.spec),
        containers: counted_containers(&pod.spec, names).into(),
        name: pod.metadata.name.as_str().into(),
        labels: pod.metadata.labels.clone(),
        owner: Owner::controlling(&pod.metadata.owner_references, names),
        phase: phase(&pod.status.phase),
        deleting: pod.metadata.deletion_timestamp.is_some(),
        started: pod.status.start_time,
        ready: pod.status.conditions.iter().find(|condition| condition.kind == "Ready").map(readiness),
        unscheduled: pod.status.conditions.iter().find(|it| it.is_unscheduled()).map(unscheduled),
        stuck: stuck(pod, names),
        resizing: resizing(pod),
        usage: None,
    }
}

fn stuck(pod: &api::Pod, names: &mut Names) -> Option<StuckContainer> {
    if phase(&pod.status.phase).has_ended() {
        return None;
    }
    let (name, reason) = pod.stuck()?;
    Some(StuckContainer { name: name.into(), reason: names.shared(reason), is_all: pod.waits() })
}

fn resizing(pod: &api::Pod) -> Vec<ResizingContainer> {
    let pending = pod.status.conditions.iter().find(|condition| condition.is_resize_pending());
    let container = |(container, actual): (&api::Container, &api::ResourceList)| ResizingContainer {
        name: container.name.as_str().into(),
        spec: container.resources.requests.iter().collect(),
        actual: actual.iter().collect(),
        pending: pending.map(|condition| condition.reason.as_str().into()),
    };
    pod.resizing().map(container).collect()
}

fn unscheduled(condition: &api::PodCondition) -> Unscheduled {
    let reason = match condition.reason.as_str() {
        "Unschedulable" => UnscheduledReason::Unschedulable,
        "SchedulingGated" => UnscheduledReason::SchedulingGated,
        "SchedulerError" => UnscheduledReason::SchedulerError,
        _ => UnscheduledReason::Other,
    };
    Unscheduled { since: since(condition), reason }
}

/// `lastTransitionTime`; Go's zero time where it is missing.
fn since(condition: &api::PodCondition) -> Instant {
    condition.last_transition_time.unwrap_or(Instant::ZERO)
}

fn phase(phase: &str) -> Phase {
    match phase {
        "Pending" => Phase::Pending,
        "Running" => Phase::Running,
        "Succeeded" => Phase::Succeeded,
        "Failed" => Phase::Failed,
        _ => Phase::Unknown,
    }
}

fn readiness(condition: &api::PodCondition) -> Readiness {
    let status = match condition.status.as_str() {
        "True" => ConditionStatus::True,
        "False" => ConditionStatus::False,
        _ => ConditionStatus::Unknown,
    };
    Readiness { status, since: since(condition) }
}

fn usage(item: &api::PodMetrics, place: usize, names: &mut Names) -> PodUsage {
    let container = |container: &api::ContainerMetrics| ContainerUsage {
        usage: container.usage.iter().collect::<Amounts>(),
        name: names.shared(&container.name),
    };
    PodUsage {
        at: item.timestamp.unwrap_or(Instant::ZERO),
        window: item.window,
        containers: item.containers.iter().map(container).collect(),
        place,
    }
}

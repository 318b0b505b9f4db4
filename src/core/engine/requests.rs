//! What pods request (upstream `calculateRequests`).

use crate::model::{Milli, ResourceName};
use crate::rules::{AbsentContainer, Rules};
use crate::snapshot::{Container, Pod};
use crate::trace::RequestGapKind;

/// What of a pod is measured.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    /// The resource.
    pub resource: &'a ResourceName,
    /// One container, or the whole pod.
    pub container: Option<&'a str>,
}

/// The request of one pod, in milli-units.
///
/// A named container's own request; else the request of the pod as a whole where it has any such
/// (`calculatePodLevelRequests`, gate `PodLevelResources`); else the sum over its containers and restartable init
/// containers (`calculatePodRequestsFromContainers`).
pub(super) fn request(pod: &Pod, part: Part<'_>, rules: &Rules) -> Result<Milli, RequestGapKind> {
    match (part.container, &pod.pod_requests) {
        (Some(name), _) => request_of_container(pod, part.resource, name, rules),
        // `IsPodLevelRequestsSet` asks for any resource: a pod with only a memory request at pod level is measured this
        // way for cpu, too, and fails if no container requests cpu. A named container ignores pod-level requests.
        (None, Some(requests)) if rules.pod_level_resources => {
            requests.get(part.resource).ok_or(RequestGapKind::PodLevel)
        }
        (None, _) => request_of_containers(pod, part.resource, rules),
    }
}

fn request_of_container(
    pod: &Pod,
    resource: &ResourceName,
    name: &str,
    rules: &Rules,
) -> Result<Milli, RequestGapKind> {
    let mut containers = counted(pod, rules);
    match (containers.find(|(_, container)| &*container.name == name), rules.absent_container) {
        (Some((place, container)), _) => {
            container.requests.get(resource).ok_or(RequestGapKind::Container(place))
        }
        // Up to 1.34 the loop over the containers ended without a match, and its sum was still 0.
        (None, AbsentContainer::Zero) => Ok(Milli(0)),
        (None, AbsentContainer::FailsMetric) => Err(RequestGapKind::NoSuchContainer),
    }
}

fn request_of_containers(pod: &Pod, resource: &ResourceName, rules: &Rules) -> Result<Milli, RequestGapKind> {
    let mut sum = Milli(0);
    for (place, container) in counted(pod, rules) {
        sum = sum.plus(container.requests.get(resource).ok_or(RequestGapKind::Container(place))?);
    }
    Ok(sum)
}

/// The containers whose requests count, with their places.
fn counted<'a>(pod: &'a Pod, rules: &Rules) -> impl Iterator<Item = (usize, &'a Container)> {
    let sidecars = rules.sidecar_requests;
    pod.containers.iter().enumerate().filter(move |(_, container)| container.counts(sidecars))
}

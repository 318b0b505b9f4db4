//! What pods request (upstream `calculateRequests`).

use crate::model::{Milli, ResourceName};
use crate::rules::Rules;
use crate::snapshot::Pod;
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
        (Some(name), _) => request_of_container(pod, part.resource, name),
        (None, Some(requests)) if rules.pod_level_resources => {
            requests.get(part.resource).ok_or(RequestGapKind::PodLevel)
        }
        (None, _) => request_of_containers(pod, part.resource),
    }
}

fn request_of_container(pod: &Pod, resource: &ResourceName, name: &str) -> Result<Milli, RequestGapKind> {
    let place = pod.containers.iter().position(|container| &*container.name == name);
    let place = place.ok_or(RequestGapKind::NoSuchContainer)?;
    pod.containers[place].requests.get(resource).ok_or(RequestGapKind::Container(place))
}

fn request_of_containers(pod: &Pod, resource: &ResourceName) -> Result<Milli, RequestGapKind> {
    let mut sum = Milli(0);
    for (place, container) in pod.containers.iter().enumerate() {
        sum = sum.plus(container.requests.get(resource).ok_or(RequestGapKind::Container(place))?);
    }
    Ok(sum)
}

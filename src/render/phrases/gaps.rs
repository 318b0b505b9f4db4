//! Pods without the request that a utilization needs.

use super::failure;
use crate::render::units::{count, few, list};
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::Source;
use kubectl_hpa_core::trace::{RequestGap, RequestGapKind};

/// The most names of containers.
const NAMES: usize = 5;

/// What is needed, and who has it not.
pub(in crate::render) fn sentences(
    explanation: &Explanation,
    metric: Metric<'_>,
    gaps: &[RequestGap],
) -> Vec<String> {
    let selector = explanation.selector();
    let needs = match &metric.spec.source {
        Source::Resource(resource) => {
            let resource = resource.as_str();
            format!(
                "{resource} utilization needs a {resource} request in every container of every pod that {selector} matches."
            )
        }
        Source::ContainerResource { resource, container } => {
            let resource = resource.as_str();
            format!(
                "{resource} utilization of container {container} needs that container, with a {resource} request, in every pod that {selector} matches."
            )
        }
        Source::Pods(_) | Source::Object { .. } | Source::External(_) => String::new(),
    };
    let none = no_such_container(explanation, metric);
    vec![needs, none.unwrap_or_else(|| lacking(explanation, gaps))]
}

/// The container that a metric names, where no pod has it, and those that there are.
pub(in crate::render) fn no_such_container(explanation: &Explanation, metric: Metric<'_>) -> Option<String> {
    let Source::ContainerResource { container, .. } = &metric.spec.source else { return None };
    let mut there: Vec<&str> = Vec::new();
    for name in explanation.pods().iter().flat_map(|pod| pod.containers.iter()).map(|it| &*it.name) {
        if !there.contains(&name) {
            there.push(name);
        }
    }
    let is = if there.len() == 1 { "is" } else { "are" };
    (!there.is_empty() && !there.contains(&&**container))
        .then(|| format!("No pod has a container {container}; there {is} {}.", few(&there, NAMES)))
}

fn lacking(explanation: &Explanation, gaps: &[RequestGap]) -> String {
    let mut places: Vec<(GapPlace<'_>, usize)> = Vec::new();
    for gap in gaps {
        let place = place(explanation, gap);
        match places.iter_mut().find(|(known, _)| *known == place) {
            Some((_, pods)) => *pods += 1,
            None => places.push((place, 1)),
        }
    }
    let mut sentences = Vec::new();
    let without: Vec<String> =
        places.iter().filter_map(|(place, pods)| without_request(place, *pods)).collect();
    if !without.is_empty() {
        sentences.push(format!("It is missing in {}.", list(&without)));
    }
    if let Some((_, pods)) = places.iter().find(|(place, _)| *place == GapPlace::NoContainer) {
        sentences.push(format!("{}.", failure::lacking(*pods, "such container")));
    }
    sentences.join(" ")
}

/// Where a request is missing.
#[derive(PartialEq)]
enum GapPlace<'a> {
    Container(&'a str),
    Pod,
    NoContainer,
}

fn place<'a>(explanation: &'a Explanation, gap: &RequestGap) -> GapPlace<'a> {
    match gap.kind {
        RequestGapKind::Container(place) => {
            let container = explanation.pods().get(gap.pod).and_then(|pod| pod.containers.get(place));
            container.map_or(GapPlace::Pod, |container| GapPlace::Container(&container.name))
        }
        RequestGapKind::PodLevel => GapPlace::Pod,
        RequestGapKind::NoSuchContainer => GapPlace::NoContainer,
    }
}

fn without_request(place: &GapPlace<'_>, pods: usize) -> Option<String> {
    match place {
        GapPlace::Container(name) => Some(format!("container {name} of {}", count(pods, "pod"))),
        GapPlace::Pod => Some(format!("the pod-level requests of {}", count(pods, "pod"))),
        GapPlace::NoContainer => None,
    }
}

/// Where a request is missing, for a column.
pub(in crate::render) fn brief(explanation: &Explanation, gap: &RequestGap) -> String {
    match place(explanation, gap) {
        GapPlace::Container(name) => format!("container {name}"),
        GapPlace::Pod => "pod-level requests".to_owned(),
        GapPlace::NoContainer => "no such container".to_owned(),
    }
}

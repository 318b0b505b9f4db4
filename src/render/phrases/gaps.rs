//! Pods without the request that a utilization needs.

use crate::render::claims::{Claim, PodsWithout};
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::Source;
use kubectl_hpa_core::trace::{RequestGap, RequestGapKind};

/// What is needed, and who has it not.
pub(in crate::render) fn claims(
    explanation: &Explanation,
    metric: Metric<'_>,
    gaps: &[RequestGap],
) -> Vec<Claim> {
    let selector = explanation.selector().to_owned();
    let needed = match &metric.spec.source {
        Source::Resource(resource) => {
            Some(Claim::RequestsNeeded { resource: resource.as_str().to_owned(), container: None, selector })
        }
        Source::ContainerResource { resource, container } => Some(Claim::RequestsNeeded {
            resource: resource.as_str().to_owned(),
            container: Some(container.to_string()),
            selector,
        }),
        Source::Pods(_) | Source::Object { .. } | Source::External(_) => None,
    };
    let none = no_such_container(explanation, metric);
    needed.into_iter().chain([none.unwrap_or_else(|| lacking(explanation, gaps))]).collect()
}

/// The container that a metric names, where no pod has it, and those that there are.
pub(in crate::render) fn no_such_container(explanation: &Explanation, metric: Metric<'_>) -> Option<Claim> {
    let Source::ContainerResource { container, .. } = &metric.spec.source else { return None };
    let mut containers: Vec<String> = Vec::new();
    for name in explanation.pods().iter().flat_map(|pod| pod.containers.iter()).map(|it| &*it.name) {
        if !containers.iter().any(|known| known == name) {
            containers.push(name.to_owned());
        }
    }
    let is_missing = !containers.is_empty() && !containers.iter().any(|known| **known == **container);
    is_missing.then(|| Claim::ContainerMissing { container: container.to_string(), containers })
}

fn lacking(explanation: &Explanation, gaps: &[RequestGap]) -> Claim {
    let mut containers: Vec<PodsWithout> = Vec::new();
    let (mut pod_level, mut no_container) = (0, 0);
    for gap in gaps {
        match place(explanation, gap) {
            GapPlace::Container(name) => match containers.iter_mut().find(|it| it.container == name) {
                Some(known) => known.pods += 1,
                None => containers.push(PodsWithout { container: name.to_owned(), pods: 1 }),
            },
            GapPlace::Pod => pod_level += 1,
            GapPlace::NoContainer => no_container += 1,
        }
    }
    Claim::RequestsMissing { containers, pod_level, no_container }
}

/// Where a request is missing.
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

/// Where a request is missing, for a column.
pub(in crate::render) fn brief(explanation: &Explanation, gap: &RequestGap) -> String {
    match place(explanation, gap) {
        GapPlace::Container(name) => format!("container {name}"),
        GapPlace::Pod => "pod-level requests".to_owned(),
        GapPlace::NoContainer => "no such container".to_owned(),
    }
}

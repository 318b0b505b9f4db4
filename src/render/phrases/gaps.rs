//! Pods without the request that a utilization needs.

use crate::render::claims::{Claim, PodsWithout};
use crate::render::units::list;
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
    let (resource, container) = match &metric.spec.source {
        Source::Resource(resource) => (resource.as_str().to_owned(), None),
        Source::ContainerResource { resource, container } => {
            (resource.as_str().to_owned(), Some(container.to_string()))
        }
        Source::Pods(_) | Source::Object { .. } | Source::External(_) => return Vec::new(),
    };
    if let Some(none) = no_such_container(explanation, metric) {
        return vec![Claim::RequestsNeeded { resource, container, selector }, none];
    }
    let (containers, pod_level, no_container) = lacking(explanation, metric, gaps);
    vec![Claim::RequestsMissing { resource, container, selector, containers, pod_level, no_container }]
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

/// The containers without the request, and how many pods lack it as a whole or have no such container.
fn lacking(
    explanation: &Explanation,
    metric: Metric<'_>,
    gaps: &[RequestGap],
) -> (Vec<PodsWithout>, usize, usize) {
    let mut containers: Vec<PodsWithout> = Vec::new();
    let (mut pod_level, mut no_container) = (0, 0);
    for gap in gaps {
        match place(explanation, metric, gap) {
            GapPlace::Containers(names) => {
                for name in names {
                    match containers.iter_mut().find(|it| it.container == name) {
                        Some(known) => known.pods += 1,
                        None => containers.push(PodsWithout { container: name.to_owned(), pods: 1 }),
                    }
                }
            }
            GapPlace::Pod => pod_level += 1,
            GapPlace::NoContainer => no_container += 1,
        }
    }
    (containers, pod_level, no_container)
}

/// Where a request is missing.
enum GapPlace<'a> {
    Containers(Vec<&'a str>),
    Pod,
    NoContainer,
}

fn place<'a>(explanation: &'a Explanation, metric: Metric<'_>, gap: &RequestGap) -> GapPlace<'a> {
    match gap.kind {
        RequestGapKind::Container(first) => {
            let pod = explanation.pods().get(gap.pod);
            let sidecars_count = explanation.rules().sidecar_requests;
            let lacking = pod.map(|pod| pod.without_request(&metric.spec.source, first, sidecars_count));
            GapPlace::Containers(lacking.into_iter().flatten().map(|it| &*it.name).collect())
        }
        RequestGapKind::PodLevel => GapPlace::Pod,
        RequestGapKind::NoSuchContainer => GapPlace::NoContainer,
    }
}

/// Where a request is missing, for a column.
pub(in crate::render) fn brief(explanation: &Explanation, metric: Metric<'_>, gap: &RequestGap) -> String {
    match place(explanation, metric, gap) {
        GapPlace::Containers(names) if names.len() > 1 => format!("containers {}", list(&names)),
        GapPlace::Containers(names) => format!("container {}", names.concat()),
        GapPlace::Pod => "pod-level requests".to_owned(),
        GapPlace::NoContainer => "no such container".to_owned(),
    }
}

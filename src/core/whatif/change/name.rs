//! What the metrics of a spec are called on a command line.

use super::Problem;
use crate::api::{MetricSpec, MetricTarget};

/// A metric's short name: of the resource, or of the metric.
pub(super) fn short(metric: &MetricSpec) -> &str {
    let name = match metric.kind.as_str() {
        "Resource" => metric.resource.as_ref().map(|it| &it.name),
        "ContainerResource" => metric.container_resource.as_ref().map(|it| &it.name),
        "Pods" => metric.pods.as_ref().map(|it| &it.metric.name),
        "Object" => metric.object.as_ref().map(|it| &it.metric.name),
        "External" => metric.external.as_ref().map(|it| &it.metric.name),
        _ => None,
    };
    name.map_or("", String::as_str)
}

/// A name that no other metric has: `cpu`, `app/cpu`, `rps`, `rps@Service/web`.
pub(super) fn full(metric: &MetricSpec) -> String {
    let name = short(metric);
    if let Some(it) = metric.container_resource.as_ref().filter(|_| metric.kind == "ContainerResource") {
        return format!("{}/{name}", it.container);
    }
    match metric.object.as_ref().filter(|_| metric.kind == "Object") {
        Some(it) => format!("{name}@{}/{}", it.described_object.kind, it.described_object.name),
        None => name.to_owned(),
    }
}

/// The target of a metric.
pub(super) fn target(metric: &mut MetricSpec) -> Option<&mut MetricTarget> {
    match metric.kind.as_str() {
        "Resource" => metric.resource.as_mut().map(|it| &mut it.target),
        "ContainerResource" => metric.container_resource.as_mut().map(|it| &mut it.target),
        "Pods" => metric.pods.as_mut().map(|it| &mut it.target),
        "Object" => metric.object.as_mut().map(|it| &mut it.target),
        "External" => metric.external.as_mut().map(|it| &mut it.target),
        _ => None,
    }
}

/// The place of the one metric of a name, short or full.
pub(super) fn find(metrics: &[MetricSpec], name: &str) -> Result<usize, Problem> {
    let places = |is: &dyn Fn(&MetricSpec) -> bool| -> Vec<usize> {
        (0..metrics.len()).filter(|place| is(&metrics[*place])).collect()
    };
    let full_places = places(&|metric| full(metric) == name);
    let short_places = places(&|metric| short(metric) == name);
    match (full_places.as_slice(), short_places.as_slice()) {
        ([only], _) | ([], [only]) => Ok(*only),
        ([], []) => Err(Problem::NoSuchMetric(name.to_owned(), list(metrics))),
        _ => Err(Problem::SeveralMetrics(name.to_owned(), list(metrics))),
    }
}

/// All names, for an error.
pub(super) fn list(metrics: &[MetricSpec]) -> String {
    metrics.iter().map(full).collect::<Vec<_>>().join(", ")
}

/// What each metric is called: its short name, or its full one where several have that.
#[must_use]
pub fn metric_names(metrics: &[MetricSpec]) -> Vec<String> {
    let is_shared = |name: &str| metrics.iter().filter(|metric| short(metric) == name).count() > 1;
    let name = |metric| if is_shared(short(metric)) { full(metric) } else { short(metric).to_owned() };
    metrics.iter().map(name).collect()
}

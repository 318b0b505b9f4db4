//! How much memory is kept of an item of a list: about as many bytes as are allocated.

use super::size;
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::Labels;

/// An allocation of its own, and the pointer to it.
const ENTRY: usize = 64;

pub(super) fn pod(pod: &api::Pod) -> usize {
    let containers = pod.spec.containers.iter().chain(&pod.spec.init_containers);
    let overhead = [&pod.spec.overhead].into_iter();
    let statuses = pod.status.init_container_statuses.iter().chain(&pod.status.container_statuses);
    let own = pod.spec.resources.iter().flat_map(|resources| [&resources.requests, &resources.limits]);
    size_of::<api::Pod>()
        + metadata(&pod.metadata)
        + containers.map(container).sum::<usize>()
        + overhead.chain(own).map(resources).sum::<usize>()
        + pod.status.conditions.iter().map(condition).sum::<usize>()
        + statuses.flat_map(|it| &it.0).map(container_status).sum::<usize>()
}

fn container_status(status: &api::ContainerStatus) -> usize {
    let lists = status.resources.iter().flat_map(|it| [&it.requests, &it.limits]);
    let reason = status.waits_for().map_or(0, |reason| ENTRY + reason.len());
    size_of::<api::ContainerStatus>()
        + ENTRY
        + status.name.len()
        + reason
        + lists.map(resources).sum::<usize>()
}

fn condition(condition: &api::PodCondition) -> usize {
    let reason = if condition.reason.is_empty() { 0 } else { ENTRY + condition.reason.len() };
    size_of::<api::PodCondition>() + reason
}

pub(super) fn pod_metrics(metrics: &api::PodMetrics) -> usize {
    let container = |it: &api::ContainerMetrics| {
        size_of::<api::ContainerMetrics>() + ENTRY + it.name.len() + resources(&it.usage)
    };
    size_of::<api::PodMetrics>()
        + metrics.metadata.name.len()
        + metrics.metadata.namespace.len()
        + 2 * ENTRY
        + labels(&metrics.metadata.labels)
        + metrics.containers.iter().map(container).sum::<usize>()
}

pub(super) fn event(event: &api::Event) -> usize {
    size_of::<api::Event>() + metadata(&event.metadata) + event.message.len() + event.reason.len() + 4 * ENTRY
}

/// Of a metric of an HPA the source, and its texts.
const SOURCE: usize = 512;

pub(super) fn hpa(hpa: &api::Hpa, length: usize) -> usize {
    let status = &hpa.status;
    let specs = hpa.spec.metrics.iter().map(|it| {
        let (object, pods, external) = (it.object.as_ref(), it.pods.as_ref(), it.external.as_ref());
        let metrics = [object.map(|it| &it.metric), pods.map(|it| &it.metric), external.map(|it| &it.metric)];
        size_of_val(it) + source(metrics)
    });
    let current = status.current_metrics.iter().flatten().map(|it| {
        let (object, pods, external) = (it.object.as_ref(), it.pods.as_ref(), it.external.as_ref());
        let metrics = [object.map(|it| &it.metric), pods.map(|it| &it.metric), external.map(|it| &it.metric)];
        size_of_val(it) + source(metrics)
    });
    let rules = hpa.spec.behavior.iter().flat_map(|it| [&it.scale_up, &it.scale_down]).flatten();
    let policies = rules.filter_map(|it| it.policies.as_ref()).map(Vec::len).sum::<usize>();
    let conditions = status.conditions.len() * (size_of::<api::Condition>() + 3 * ENTRY);
    let writes = hpa.metadata.managed_fields.len() * (size_of::<api::ManagedFields>() + 3 * ENTRY);
    // Half of what came is managed field names, which are not kept.
    size_of::<api::Hpa>()
        + metadata(&hpa.metadata)
        + specs.chain(current).sum::<usize>()
        + policies * (size_of::<api::Policy>() + ENTRY)
        + conditions
        + writes
        + length / 2
}

fn source(metrics: [Option<&api::MetricIdentifier>; 3]) -> usize {
    let selectors = metrics.into_iter().flatten().filter_map(|metric| metric.selector.as_ref());
    let texts = selectors.map(|selector| {
        let values = selector.match_expressions.iter().map(|it| 3 + it.values.len()).sum::<usize>();
        2 * selector.match_labels.len() + values
    });
    SOURCE + ENTRY * texts.sum::<usize>()
}

/// What may be kept of anything else: of each object and list a little, and of its strings all.
pub(super) fn text(text: &[u8]) -> usize {
    4 * text.len() + 2 * ENTRY * size::count(text)
}

pub(super) fn external(value: &api::ExternalMetricValue) -> usize {
    size_of::<api::ExternalMetricValue>() + value.metric_name.len() + labels(&value.metric_labels) + ENTRY
}

fn metadata(metadata: &api::ObjectMeta) -> usize {
    let owner = |it: &api::OwnerReference| {
        size_of::<api::OwnerReference>() + 2 * ENTRY + it.kind.len() + it.name.len()
    };
    metadata.name.len()
        + metadata.namespace.len()
        + 2 * ENTRY
        + labels(&metadata.labels)
        + metadata.owner_references.iter().map(owner).sum::<usize>()
}

fn labels(labels: &Labels) -> usize {
    labels.iter().map(|(key, value)| 2 * ENTRY + key.len() + value.len()).sum()
}

fn container(container: &api::Container) -> usize {
    let lists = [&container.resources.requests, &container.resources.limits].into_iter();
    size_of::<api::Container>() + ENTRY + container.name.len() + lists.map(resources).sum::<usize>()
}

fn resources(list: &api::ResourceList) -> usize {
    list.iter().map(|(name, _)| 2 * ENTRY + name.len()).sum()
}

//! What comes back of a spec that an API server stores in autoscaling/v1, as those before 1.27 do
//! (`Convert_autoscaling_HorizontalPodAutoscaler_To_v1_HorizontalPodAutoscaler`, and back). The zero that they leave
//! beside an average of an object's metric, which means nothing and is refused where it is written, is left out.

use super::source::{ExternalSource, MetricSource, ObjectSource, PodsSource, ResourceSource};
use crate::api;
use crate::snapshot::defaults::{cpu_target, default_metric};

/// The spec as it is read again: the first utilization of cpu has a field of its own, so it comes last, and any other
/// is lost; each target has the type that its values say.
#[must_use]
pub fn stored_in_v1(spec: api::HpaSpec) -> api::HpaSpec {
    let cpu = spec.metrics.iter().find_map(cpu_utilization).map(cpu_target);
    let others = spec.metrics.into_iter().filter(|metric| cpu_utilization(metric).is_none());
    let others = others.map(|metric| MetricSource::from(metric).into());
    let mut metrics: Vec<api::MetricSpec> = others.chain(cpu).collect();
    if metrics.is_empty() {
        metrics.push(default_metric());
    }
    api::HpaSpec { metrics, ..spec }
}

fn cpu_utilization(metric: &api::MetricSpec) -> Option<i32> {
    let resource = metric.resource.as_ref().filter(|it| metric.kind == "Resource" && it.name == "cpu")?;
    resource.target.average_utilization
}

impl From<api::MetricSpec> for MetricSource {
    fn from(spec: api::MetricSpec) -> Self {
        Self {
            kind: spec.kind,
            object: spec.object.map(|it| (*it).into()),
            pods: spec.pods.map(|it| (*it).into()),
            resource: spec.resource.map(|it| resource(it.name, it.target, String::new())),
            container_resource: spec.container_resource.map(|it| resource(it.name, it.target, it.container)),
            external: spec.external.map(|it| (*it).into()),
        }
    }
}

fn resource(name: String, target: api::MetricTarget, container: String) -> ResourceSource {
    ResourceSource {
        name,
        target_average_utilization: target.average_utilization,
        target_average_value: target.average_value,
        container,
    }
}

impl From<api::ObjectSource> for ObjectSource {
    fn from(source: api::ObjectSource) -> Self {
        Self {
            target: source.described_object,
            metric_name: source.metric.name,
            target_value: source.target.value.unwrap_or_default(),
            selector: source.metric.selector,
            average_value: source.target.average_value,
        }
    }
}

impl From<api::PodsSource> for PodsSource {
    fn from(source: api::PodsSource) -> Self {
        Self {
            metric_name: source.metric.name,
            target_average_value: source.target.average_value.unwrap_or_default(),
            selector: source.metric.selector,
        }
    }
}

impl From<api::ExternalSource> for ExternalSource {
    fn from(source: api::ExternalSource) -> Self {
        Self {
            metric_name: source.metric.name,
            metric_selector: source.metric.selector,
            target_value: source.target.value,
            target_average_value: source.target.average_value,
        }
    }
}

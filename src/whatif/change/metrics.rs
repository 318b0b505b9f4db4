//! The metrics of the spec and their targets.

use super::{name, number};
use crate::api::{ContainerResourceSource, HpaSpec, MetricSpec, MetricTarget, ResourceSource};
use crate::snapshot::{Case, default_metric};

/// `NAME`.
pub(super) fn remove(spec: &mut HpaSpec, text: &str) -> Result<(), String> {
    fill(spec);
    let place = name::find(&spec.metrics, text)?;
    if spec.metrics.len() == 1 {
        return Err("it is the only metric; the API server would put cpu at 80 % in its place".to_owned());
    }
    spec.metrics.remove(place);
    Ok(())
}

/// `cpu=60`, `memory=500Mi`, or a whole `MetricSpec`.
pub(super) fn add(spec: &mut HpaSpec, text: &str) -> Result<(), String> {
    let metric = if text.starts_with('{') {
        serde_json::from_str(text).map_err(|error| {
            format!("is no metric in JSON: {error}; expected an entry of spec.metrics, or NAME=TARGET for a resource")
        })?
    } else {
        resource(text)?
    };
    fill(spec);
    if spec.metrics.iter().any(|other| name::full(other) == name::full(&metric)) {
        return Err("the spec has such a metric already; --target changes its target".to_owned());
    }
    spec.metrics.push(metric);
    Ok(())
}

/// A Resource metric: a utilization where the target is a whole number, else a mean value.
fn resource(text: &str) -> Result<MetricSpec, String> {
    let (name, value) = number::pair(text)?;
    let target = match number::percent(value) {
        Ok(percent) => MetricTarget {
            kind: "Utilization".to_owned(),
            average_utilization: Some(percent),
            ..MetricTarget::default()
        },
        Err(_) => MetricTarget {
            kind: "AverageValue".to_owned(),
            average_value: Some(number::quantity(value)?),
            ..MetricTarget::default()
        },
    };
    let resource = ResourceSource { name: name.to_owned(), target };
    Ok(MetricSpec { kind: "Resource".to_owned(), resource: Some(resource), ..MetricSpec::default() })
}

/// `CONTAINER`.
pub(super) fn of_container(case: &mut Case, container: &str) -> Result<(), String> {
    let pods = case.pods.iter().flat_map(|pods| &pods.items).flatten();
    let mut names: Vec<&str> =
        pods.flat_map(super::usage::running).map(|container| container.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    if !names.is_empty() && !names.contains(&container) {
        return Err(format!("no pod has such a container; there is {}", names.join(", ")));
    }
    let spec = &mut case.hpa.0.spec;
    fill(spec);
    let mut turned = 0;
    for metric in spec.metrics.iter_mut().filter(|metric| metric.kind == "Resource") {
        let Some(resource) = metric.resource.take() else { continue };
        let source = ContainerResourceSource {
            name: resource.name,
            target: resource.target,
            container: container.to_owned(),
        };
        *metric = MetricSpec {
            kind: "ContainerResource".to_owned(),
            container_resource: Some(source),
            ..MetricSpec::default()
        };
        turned += 1;
    }
    if turned == 0 {
        return Err(format!("there is no Resource metric to turn; there is {}", name::list(&spec.metrics)));
    }
    Ok(())
}

/// `80` for the one utilization, else `NAME=VALUE`.
pub(super) fn target(spec: &mut HpaSpec, text: &str) -> Result<(), String> {
    fill(spec);
    let (place, value) = match text.split_once('=') {
        Some(_) => {
            let (name, value) = number::pair(text)?;
            (name::find(&spec.metrics, name)?, value)
        }
        None => (only_utilization(&spec.metrics)?, text),
    };
    let Some(target) = name::target(&mut spec.metrics[place]) else {
        return Err("the metric has no target".to_owned());
    };
    match target.kind.as_str() {
        "Utilization" => target.average_utilization = Some(number::percent(value)?),
        "AverageValue" => target.average_value = Some(number::quantity(value)?),
        _ => target.value = Some(number::quantity(value)?),
    }
    Ok(())
}

fn only_utilization(metrics: &[MetricSpec]) -> Result<usize, String> {
    let is_utilization = |metric: &MetricSpec| {
        let resource = metric.resource.as_ref().map(|it| &it.target);
        let target = resource.or_else(|| metric.container_resource.as_ref().map(|it| &it.target));
        target.is_some_and(|target| target.kind == "Utilization")
    };
    let mut places = (0..metrics.len()).filter(|place| is_utilization(&metrics[*place]));
    let all = name::list(metrics);
    match (places.next(), places.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => Err(format!("several metrics have a utilization; say NAME=VALUE, of {all}")),
        (None, _) => Err(format!("no metric has a utilization; say NAME=VALUE, of {all}")),
    }
}

/// An empty list is what the API server fills in.
fn fill(spec: &mut HpaSpec) {
    if spec.metrics.is_empty() {
        spec.metrics.push(default_metric());
    }
}

//! The metrics of the spec and their targets.

use super::{Change, Knob, name, number, usage};
use crate::api::{
    ContainerResourceSource, ExternalSource, HpaSpec, MetricSpec, MetricTarget, ObjectSource, ResourceSource,
};
use crate::snapshot::{Case, default_metric};

/// What is to become of the metrics as a whole.
#[derive(Clone, Copy)]
pub(super) struct Metrics {
    /// Whether some are added, so that all that are there may go.
    is_added: bool,
}

/// Before any change of the metrics: an empty list is what the API server fills in.
pub(super) fn begin(spec: &mut HpaSpec, changes: &[Change]) -> Metrics {
    let has = |is: &dyn Fn(Knob) -> bool| changes.iter().any(|change| is(change.knob));
    if spec.metrics.is_empty() && has(&|knob| knob <= Knob::Target) {
        spec.metrics.push(default_metric());
    }
    Metrics { is_added: has(&|knob| knob == Knob::AddMetric) }
}

/// `NAME`.
pub(super) fn remove(spec: &mut HpaSpec, text: &str, metrics: Metrics) -> Result<(), String> {
    let place = name::find(&spec.metrics, text)?;
    if spec.metrics.len() == 1 && !metrics.is_added {
        return Err("it is the only metric; the API server would put cpu at 80 % in its place".to_owned());
    }
    spec.metrics.remove(place);
    Ok(())
}

/// `cpu=60`, `memory=500Mi`, or a whole `MetricSpec` in JSON.
pub(super) fn read(text: &str) -> Result<MetricSpec, String> {
    if !text.starts_with('{') {
        return resource(text);
    }
    serde_json::from_str(text).map_err(|error| {
        format!(
            "is no metric in JSON: {error}; expected an entry of spec.metrics, or NAME=TARGET for a resource"
        )
    })
}

/// At the end of the list; none of its full name may be there.
pub(super) fn add(spec: &mut HpaSpec, metric: MetricSpec) -> Result<(), String> {
    if spec.metrics.iter().any(|other| name::full(other) == name::full(&metric)) {
        return Err("the spec has such a metric already; --target changes its target".to_owned());
    }
    spec.metrics.push(metric);
    Ok(())
}

/// A Resource metric: a utilization where the target is a whole number of int32, with or without `%`, else a mean value.
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

/// Some of the target's pods has the container, one that runs as long as the pod; as far as pods are known.
pub(super) fn has_container(case: &Case, container: &str) -> Result<(), String> {
    let names = usage::container_names(case).unwrap_or_default();
    if !names.is_empty() && !names.iter().any(|name| name == container) {
        return Err(format!("no pod has such a container; there is {}", names.join(", ")));
    }
    Ok(())
}

/// `CONTAINER`.
pub(super) fn of_container(spec: &mut HpaSpec, container: &str) -> Result<(), String> {
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
    let (place, value) = match text.split_once('=') {
        Some(_) => {
            let (name, value) = number::pair(text)?;
            (name::find(&spec.metrics, name)?, value)
        }
        None => (only_utilization(&spec.metrics)?, text),
    };
    set(&mut spec.metrics[place], value)
}

/// Sets the value that the controller compares with.
fn set(metric: &mut MetricSpec, text: &str) -> Result<(), String> {
    let compared = compared(metric);
    let target = name::target(metric).ok_or("the metric has no target")?;
    match compared {
        Compared::Utilization => target.average_utilization = Some(number::percent(text)?),
        Compared::Average => target.average_value = Some(number::quantity(text)?),
        Compared::Value => target.value = Some(number::quantity(text)?),
    }
    Ok(())
}

#[derive(PartialEq, Eq)]
enum Compared {
    Utilization,
    Average,
    Value,
}

/// Which value of a target the controller compares with (`computeReplicasForMetric`). The target's type counts for
/// Object metrics only; with others it may say anything.
fn compared(metric: &MetricSpec) -> Compared {
    let of_resource = |target: &MetricTarget| match target.average_value {
        Some(_) => Compared::Average,
        None => Compared::Utilization,
    };
    let is_average = |source: &ObjectSource| source.target.kind == "AverageValue";
    let is_per_pod = |source: &ExternalSource| source.target.average_value.is_some();
    match metric.kind.as_str() {
        "Resource" => metric.resource.as_ref().map_or(Compared::Utilization, |it| of_resource(&it.target)),
        "ContainerResource" => {
            metric.container_resource.as_ref().map_or(Compared::Utilization, |it| of_resource(&it.target))
        }
        "Object" if !metric.object.as_ref().is_some_and(is_average) => Compared::Value,
        "External" if !metric.external.as_ref().is_some_and(is_per_pod) => Compared::Value,
        _ => Compared::Average,
    }
}

fn only_utilization(metrics: &[MetricSpec]) -> Result<usize, String> {
    let mut places = (0..metrics.len()).filter(|place| compared(&metrics[*place]) == Compared::Utilization);
    match (places.next(), places.next()) {
        (Some(only), None) => Ok(only),
        (Some(first), Some(second)) => {
            let others = [first, second].into_iter().chain(places).map(|place| metrics[place].clone());
            let others = name::list(&others.collect::<Vec<_>>());
            Err(format!("several metrics have a utilization; say NAME=VALUE, of {others}"))
        }
        (None, _) => Err(format!("no metric has a utilization; say NAME=VALUE, of {}", name::list(metrics))),
    }
}

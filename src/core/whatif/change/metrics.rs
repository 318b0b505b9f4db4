//! The metrics of the spec and their targets.

use super::number::Named;
use super::{Knob, Problem, name, number, usage};
use crate::api::{
    ContainerResourceSource, ExternalSource, HpaSpec, MetricSpec, MetricTarget, ObjectSource, ResourceSource,
};
use crate::model::Quantity;
use crate::snapshot::{Case, default_metric};

/// What is to become of the metrics as a whole.
#[derive(Clone, Copy)]
pub(super) struct Metrics {
    /// Whether some are added, so that all that are there may go.
    is_added: bool,
}

/// Before any change of the metrics: an empty list is what the API server fills in.
pub(super) fn begin(spec: &mut HpaSpec, knobs: &[Knob]) -> Metrics {
    if spec.metrics.is_empty() && knobs.iter().any(|knob| *knob <= Knob::Target) {
        spec.metrics.push(default_metric());
    }
    Metrics { is_added: knobs.contains(&Knob::AddMetric) }
}

/// `NAME`.
pub(super) fn remove(spec: &mut HpaSpec, text: &str, metrics: Metrics) -> Result<(), Problem> {
    let place = name::find(&spec.metrics, text)?;
    if spec.metrics.len() == 1 && !metrics.is_added {
        return Err(Problem::OnlyMetric);
    }
    spec.metrics.remove(place);
    Ok(())
}

/// A metric that is added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Addition {
    /// An entry of `spec.metrics` in JSON.
    Json(Box<MetricSpec>),
    /// `cpu=60`, `memory=500Mi`.
    Short(Named<MetricTarget>),
}

impl From<Addition> for MetricSpec {
    fn from(added: Addition) -> Self {
        match added {
            Addition::Json(metric) => *metric,
            Addition::Short(Named { name, value: target, .. }) => Self {
                kind: "Resource".to_owned(),
                resource: Some(ResourceSource { name, target }.into()),
                ..Self::default()
            },
        }
    }
}

/// `cpu=60`, `memory=500Mi`, or a whole `MetricSpec` in JSON.
pub(super) fn addition(text: &str) -> Result<Addition, Problem> {
    if !text.starts_with('{') {
        return Ok(Addition::Short(number::named(text, resource_target)?));
    }
    let metric = serde_json::from_str(text).map_err(|error| Problem::NotAMetric(error.to_string()))?;
    Ok(Addition::Json(Box::new(metric)))
}

/// At the end of the list; none that is asked for by the same name may be there.
pub(super) fn add(spec: &mut HpaSpec, metric: MetricSpec) -> Result<(), Problem> {
    if spec.metrics.iter().any(|other| name::is_same(other, &metric)) {
        return Err(Problem::MetricExists);
    }
    spec.metrics.push(metric);
    Ok(())
}

/// A utilization where the target is a whole number of int32, with or without `%`, else a mean value.
fn resource_target(text: &str) -> Result<MetricTarget, Problem> {
    Ok(match number::percent(text) {
        Ok(percent) => MetricTarget {
            kind: "Utilization".to_owned(),
            average_utilization: Some(percent),
            ..MetricTarget::default()
        },
        Err(_) => MetricTarget {
            kind: "AverageValue".to_owned(),
            average_value: Some(number::quantity(text)?),
            ..MetricTarget::default()
        },
    })
}

/// Some of the target's pods has the container, one that runs as long as the pod; as far as pods are known.
pub(super) fn has_container(case: &Case, container: &str) -> Result<(), Problem> {
    let names = usage::container_names(case).unwrap_or_default();
    if !names.is_empty() && !names.iter().any(|name| name == container) {
        return Err(Problem::NoPodHasContainer(names.join(", ")));
    }
    Ok(())
}

/// `CONTAINER`.
pub(super) fn of_container(spec: &mut HpaSpec, container: &str) -> Result<(), Problem> {
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
            container_resource: Some(source.into()),
            ..MetricSpec::default()
        };
        turned += 1;
    }
    if turned == 0 {
        return Err(Problem::NoResourceMetric(name::list(&spec.metrics)));
    }
    Ok(())
}

/// What a target is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// `80`: of the only metric that has a utilization.
    OnlyUtilization(i32),
    /// `NAME=VALUE`.
    Of(Named<TargetValue>),
}

/// Whether a number is a percentage or a quantity hangs on the metric: what it can be, at least one of both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TargetValue {
    pub percent: Option<i32>,
    pub quantity: Option<Quantity>,
}

/// `80` for the one utilization, else `NAME=VALUE`.
pub(super) fn target(text: &str) -> Result<Target, Problem> {
    if text.contains('=') {
        return Ok(Target::Of(number::named(text, target_value)?));
    }
    Ok(Target::OnlyUtilization(number::percent(text)?))
}

fn target_value(text: &str) -> Result<TargetValue, Problem> {
    let value = TargetValue { percent: number::percent(text).ok(), quantity: number::quantity(text).ok() };
    match (value.percent, &value.quantity) {
        (None, None) => Err(Problem::NotATarget(text.to_owned())),
        _ => Ok(value),
    }
}

/// Sets the value that the controller compares with.
pub(super) fn set_target(spec: &mut HpaSpec, target: &Target) -> Result<(), Problem> {
    let Named { name, typed, value } = match target {
        Target::OnlyUtilization(percent) => {
            let place = only_utilization(&spec.metrics)?;
            target_of(&mut spec.metrics[place])?.average_utilization = Some(*percent);
            return Ok(());
        }
        Target::Of(named) => named,
    };
    let place = name::find(&spec.metrics, name)?;
    let metric = &mut spec.metrics[place];
    let compared = compared(metric);
    let target = target_of(metric)?;
    let quantity = || value.quantity.clone().ok_or_else(|| Problem::NotAQuantity(typed.clone()));
    match compared {
        Compared::Utilization => {
            let percent = value.percent.ok_or_else(|| Problem::NotAPercentage(typed.clone()))?;
            target.average_utilization = Some(percent);
        }
        Compared::Average => target.average_value = Some(quantity()?),
        Compared::Value => target.value = Some(quantity()?),
    }
    Ok(())
}

fn target_of(metric: &mut MetricSpec) -> Result<&mut MetricTarget, Problem> {
    name::target(metric).ok_or(Problem::NoTarget)
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
        "Object" if !metric.object.as_deref().is_some_and(is_average) => Compared::Value,
        "External" if !metric.external.as_deref().is_some_and(is_per_pod) => Compared::Value,
        _ => Compared::Average,
    }
}

fn only_utilization(metrics: &[MetricSpec]) -> Result<usize, Problem> {
    let mut places = (0..metrics.len()).filter(|place| compared(&metrics[*place]) == Compared::Utilization);
    match (places.next(), places.next()) {
        (Some(only), None) => Ok(only),
        (Some(first), Some(second)) => {
            let others = [first, second].into_iter().chain(places).map(|place| metrics[place].clone());
            let others = name::list(&others.collect::<Vec<_>>());
            Err(Problem::SeveralUtilizations(others))
        }
        (None, _) => Err(Problem::NoUtilization(name::list(metrics))),
    }
}

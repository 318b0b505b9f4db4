//! The HPA at the door: the API server's defaults, then the model's types.

use super::defaults::{fill_in, fill_in_behavior};
use super::pod_requests::Names;
use super::{CaseError, Hpa, HpaKey, Owner};
use crate::api;
use crate::model::{
    Behavior, LabelSelector, MetricIdentifier, MetricSpec, ObjectReference, Percent, Policy, PolicyType,
    Replicas, ResourceName, ScalingRules, SelectPolicy, Source, Target, TargetType,
};

/// Fills in what the API server fills in and parses the rest. The object has passed validation.
pub(super) fn hpa(hpa: api::Hpa) -> Result<Hpa, CaseError> {
    let mut spec = hpa.spec;
    let has_default_metrics = spec.metrics.is_empty();
    fill_in(&mut spec);
    let metrics = spec.metrics.into_iter().enumerate();
    let metrics = metrics.map(|(index, metric)| metric_spec(metric, &format!("hpa.spec.metrics[{index}]")));
    let mut metrics: Vec<MetricSpec> = metrics.collect::<Result<_, _>>()?;
    MetricSpec::mark_shared_names(&mut metrics);
    Ok(Hpa {
        key: HpaKey { namespace: hpa.metadata.namespace.as_str().into(), name: hpa.metadata.name.into() },
        generation: hpa.metadata.generation,
        created: hpa.metadata.creation_timestamp,
        deleted: hpa.metadata.deletion_timestamp,
        owner: Owner::controlling(&hpa.metadata.owner_references, &mut Names::default()),
        target: reference(spec.scale_target_ref),
        min: Replicas(spec.min_replicas.unwrap_or(1)),
        max: Replicas(spec.max_replicas),
        metrics,
        has_default_metrics,
        behavior: spec.behavior.map(behavior).transpose()?,
        status: hpa.status,
    })
}

pub(super) fn reference(reference: api::ObjectReference) -> ObjectReference {
    ObjectReference {
        api_version: reference.api_version.into(),
        kind: reference.kind.into(),
        name: reference.name.into(),
    }
}

fn metric_spec(spec: api::MetricSpec, place: &str) -> Result<MetricSpec, CaseError> {
    let missing = |part: &str| {
        CaseError::new(format!("{place}.{part}"), "must populate information for the given metric source")
    };
    let (source, written) = match spec.kind.as_str() {
        "Resource" => {
            let resource = spec.resource.ok_or_else(|| missing("resource"))?;
            (Source::Resource(ResourceName::from(resource.name.as_str())), resource.target)
        }
        "ContainerResource" => {
            let part = spec.container_resource.ok_or_else(|| missing("containerResource"))?;
            let resource = ResourceName::from(part.name.as_str());
            (Source::ContainerResource { resource, container: part.container.into() }, part.target)
        }
        "Pods" => {
            let pods = spec.pods.ok_or_else(|| missing("pods"))?;
            (Source::Pods(identifier(pods.metric)), pods.target)
        }
        "Object" => {
            let part = spec.object.ok_or_else(|| missing("object"))?;
            let object = reference(part.described_object);
            (Source::Object { metric: identifier(part.metric), object }, part.target)
        }
        "External" => {
            let external = spec.external.ok_or_else(|| missing("external"))?;
            (Source::External(identifier(external.metric)), external.target)
        }
        other => {
            return Err(CaseError::new(
                format!("{place}.type"),
                format!(
                    "invalid metric source \"{other}\": expected ContainerResource, External, Object, Pods or Resource"
                ),
            ));
        }
    };
    Ok(MetricSpec { source, target: target(written, place)? })
}

fn identifier(metric: api::MetricIdentifier) -> MetricIdentifier {
    let selector: Option<LabelSelector> = metric.selector;
    MetricIdentifier { name: metric.name.into(), selector, shares_name: false }
}

fn target(target: api::MetricTarget, place: &str) -> Result<Target, CaseError> {
    let kind = match target.kind.as_str() {
        "Utilization" => TargetType::Utilization,
        "Value" => TargetType::Value,
        "AverageValue" => TargetType::AverageValue,
        other => {
            let problem = format!(
                "invalid target type \"{other}\": must be either Utilization, Value, or AverageValue"
            );
            return Err(CaseError::new(format!("{place} target.type"), problem));
        }
    };
    Ok(Target {
        kind,
        value: target.value,
        average_value: target.average_value,
        average_utilization: target.average_utilization.map(Percent),
    })
}

/// With the defaults, as soon as `behavior` is set.
pub(super) fn behavior(mut behavior: api::Behavior) -> Result<Behavior, CaseError> {
    fill_in_behavior(&mut behavior);
    Ok(Behavior {
        up: rules(behavior.scale_up.unwrap_or_default(), "hpa.spec.behavior.scaleUp")?,
        down: rules(behavior.scale_down.unwrap_or_default(), "hpa.spec.behavior.scaleDown")?,
    })
}

fn rules(written: api::ScalingRules, place: &str) -> Result<ScalingRules, CaseError> {
    let policies = written.policies.unwrap_or_default().into_iter().enumerate();
    Ok(ScalingRules {
        window_seconds: written.stabilization_window_seconds,
        select: select_policy(&written.select_policy.unwrap_or_default(), place)?,
        policies: policies
            .map(|(index, written)| policy(&written, &format!("{place}.policies[{index}]")))
            .collect::<Result<_, _>>()?,
        tolerance: written.tolerance,
    })
}

fn select_policy(name: &str, place: &str) -> Result<SelectPolicy, CaseError> {
    match name {
        "Max" => Ok(SelectPolicy::Max),
        "Min" => Ok(SelectPolicy::Min),
        "Disabled" => Ok(SelectPolicy::Disabled),
        other => Err(CaseError::new(
            format!("{place}.selectPolicy"),
            format!("invalid policy \"{other}\": expected Disabled, Max or Min"),
        )),
    }
}

fn policy(written: &api::Policy, place: &str) -> Result<Policy, CaseError> {
    let kind = match written.kind.as_str() {
        "Pods" => PolicyType::Pods,
        "Percent" => PolicyType::Percent,
        other => {
            let problem = format!("invalid policy type \"{other}\": expected Percent or Pods");
            return Err(CaseError::new(format!("{place}.type"), problem));
        }
    };
    Ok(Policy { kind, value: written.value, period_seconds: written.period_seconds })
}

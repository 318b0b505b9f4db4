//! `status.currentMetrics`: the first pass of each metric, an empty entry for one that failed.

use crate::api;
use crate::model::{
    Format, LabelSelector, MetricIdentifier, MetricSpec, Milli, ObjectReference, Quantity, ResourceName,
    Source,
};
use crate::rules::Rules;
use crate::trace::{Calculation, MetricTrace, Pass, Verdict};

/// The entry of one metric.
pub(super) fn metric_status(spec: &MetricSpec, trace: &MetricTrace, rules: &Rules) -> api::MetricStatus {
    match &trace.verdict {
        Verdict::Proposal(proposal) => proposed(spec, &proposal.calculation, rules),
        // Upstream makes one entry for each metric in advance and fills only those that succeed
        // (`computeReplicasForMetrics`).
        Verdict::Failed(_) | Verdict::Unknown(_) => api::MetricStatus::default(),
    }
}

fn proposed(spec: &MetricSpec, calculation: &Calculation, rules: &Rules) -> api::MetricStatus {
    let current = current(spec, calculation, rules);
    let empty = api::MetricStatus::default();
    match &spec.source {
        Source::Resource(resource) => {
            let name = resource.as_str().to_owned();
            let resource = Some(api::ResourceStatus { name, current }.into());
            api::MetricStatus { kind: "Resource".to_owned(), resource, ..empty }
        }
        Source::ContainerResource { resource, container } => {
            let (name, container) = (resource.as_str().to_owned(), container.to_string());
            let container_resource = Some(api::ContainerResourceStatus { name, current, container }.into());
            api::MetricStatus { kind: "ContainerResource".to_owned(), container_resource, ..empty }
        }
        Source::Pods(metric) => {
            let pods = Some(api::PodsStatus { metric: identifier(metric), current }.into());
            api::MetricStatus { kind: "Pods".to_owned(), pods, ..empty }
        }
        Source::Object { metric, object } => {
            // Up to 1.32 upstream forgot the object in the AverageValue branch; the API then shows an empty kind and
            // name.
            let is_named = rules.names_average_object || !matches!(calculation, Calculation::PerReplica(_));
            let described_object = if is_named { reference(object) } else { api::ObjectReference::default() };
            let object = api::ObjectStatus { metric: identifier(metric), current, described_object };
            api::MetricStatus { kind: "Object".to_owned(), object: Some(object.into()), ..empty }
        }
        Source::External(metric) => {
            let external = Some(api::ExternalStatus { metric: identifier(metric), current }.into());
            api::MetricStatus { kind: "External".to_owned(), external, ..empty }
        }
    }
}

fn reference(object: &ObjectReference) -> api::ObjectReference {
    api::ObjectReference {
        kind: object.kind.to_string(),
        name: object.name.to_string(),
        api_version: object.api_version.to_string(),
    }
}

fn identifier(metric: &MetricIdentifier) -> api::MetricIdentifier {
    let selector: Option<LabelSelector> = metric.selector.clone();
    api::MetricIdentifier { name: metric.name.to_string(), selector }
}

fn current(spec: &MetricSpec, calculation: &Calculation, rules: &Rules) -> api::ValueStatus {
    match calculation {
        // The status reports the first pass, even if filled-in pods then decided otherwise (`GetResourceReplicas`
        // returns its first utilization).
        Calculation::PerPod(per_pod) => of_pass(spec, per_pod.first, rules),
        Calculation::Total(total) => {
            api::ValueStatus { value: Some(decimal(total.usage)), ..api::ValueStatus::default() }
        }
        Calculation::PerReplica(per_replica) => {
            api::ValueStatus { average_value: Some(decimal(per_replica.mean)), ..api::ValueStatus::default() }
        }
    }
}

fn of_pass(spec: &MetricSpec, pass: Pass, rules: &Rules) -> api::ValueStatus {
    let is_binary = rules.binary_memory && spec.source.resource() == Some(&ResourceName::Memory);
    let format = if is_binary { Format::BinarySI } else { Format::DecimalSI };
    api::ValueStatus {
        value: None,
        average_value: Some(Quantity::from_milli(pass.mean.0, format)),
        average_utilization: pass.utilization.map(|percent| percent.0),
    }
}

fn decimal(value: Milli) -> Quantity {
    Quantity::from_milli(value.0, Format::DecimalSI)
}

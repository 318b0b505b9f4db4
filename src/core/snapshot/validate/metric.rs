//! `validateMetricSpec` and the five sources.

use super::findings::Findings;
use super::reference::{reference, segment};
use super::resource_name::container_resource;
use super::target;
use crate::api;
use crate::model::GroupVersion;
use crate::model::go_text::{json_quote, quote};
use crate::model::naming::dns_label;

const TYPES: [&str; 5] = ["ContainerResource", "External", "Object", "Pods", "Resource"];

pub(super) fn metric(spec: &api::MetricSpec, path: &str, findings: &mut Findings) {
    let kind = spec.kind.as_str();
    if kind.is_empty() {
        findings.required(format!("{path}.type"), "must specify a metric source type");
    }
    if !TYPES.contains(&kind) {
        findings.unsupported(format!("{path}.type"), json_quote(kind), &TYPES);
    }
    first_source(spec, path, findings);
    let expected = part_of(kind);
    let parts = present(spec);
    if !expected.is_empty() && !parts.contains(&expected) {
        findings
            .required(format!("{path}.{expected}"), "must populate information for the given metric source");
    }
    if parts.len() != 1 {
        for part in parts.into_iter().filter(|part| *part != expected) {
            findings.forbidden(format!("{path}.{part}"), "must populate the given metric source only");
        }
    }
}

fn part_of(kind: &str) -> &'static str {
    match kind {
        "Object" => "object",
        "Pods" => "pods",
        "Resource" => "resource",
        "External" => "external",
        "ContainerResource" => "containerResource",
        _ => "",
    }
}

/// The sources that are there, by name: upstream reports the superfluous ones in the order of a Go map.
fn present(spec: &api::MetricSpec) -> Vec<&'static str> {
    let parts = [
        ("containerResource", spec.container_resource.is_some()),
        ("external", spec.external.is_some()),
        ("object", spec.object.is_some()),
        ("pods", spec.pods.is_some()),
        ("resource", spec.resource.is_some()),
    ];
    parts.into_iter().filter_map(|(part, is_there)| is_there.then_some(part)).collect()
}

/// Only the first source is looked into, whatever the type says.
fn first_source(spec: &api::MetricSpec, path: &str, findings: &mut Findings) {
    if let Some(source) = &spec.object {
        object(source, &format!("{path}.object"), findings);
    } else if let Some(source) = &spec.external {
        let path = format!("{path}.external");
        identifier(&source.metric, &path, findings);
        target::of_external(&source.target, &path, findings);
    } else if let Some(source) = &spec.pods {
        let path = format!("{path}.pods");
        identifier(&source.metric, &path, findings);
        target::of_pods(&source.target, &path, findings);
    } else if let Some(source) = &spec.resource {
        let path = format!("{path}.resource");
        if source.name.is_empty() {
            findings.required(format!("{path}.name"), "must specify a resource name");
        }
        target::of_resource(&source.target, &path, findings);
    } else if let Some(source) = &spec.container_resource {
        let path = format!("{path}.containerResource");
        resource(&source.name, &path, findings);
        container(&source.container, &path, findings);
        target::of_resource(&source.target, &path, findings);
    }
}

fn object(source: &api::ObjectSource, path: &str, findings: &mut Findings) {
    let described = &source.described_object;
    reference(&described.kind, &described.name, &format!("{path}.describedObject"), findings);
    if let Err(error) = GroupVersion::parse(&described.api_version) {
        let path = format!("{path}.describedObject.apiVersion");
        findings.invalid(path, quote(&described.api_version), &error.to_string());
    }
    identifier(&source.metric, path, findings);
    target::of_object(&source.target, path, findings);
}

fn resource(name: &str, path: &str, findings: &mut Findings) {
    let path = format!("{path}.name");
    if name.is_empty() {
        return findings.required(path, "must specify a resource name");
    }
    for problem in container_resource(name) {
        findings.invalid(path.clone(), json_quote(name), &problem);
    }
}

fn container(name: &str, path: &str, findings: &mut Findings) {
    let path = format!("{path}.container");
    if name.is_empty() {
        return findings.required(path, "must specify a container");
    }
    for problem in dns_label(name) {
        findings.invalid(path.clone(), quote(name), &problem);
    }
}

fn identifier(metric: &api::MetricIdentifier, path: &str, findings: &mut Findings) {
    let path = format!("{path}.metric.name");
    if metric.name.is_empty() {
        findings.required(path, "must specify a metric name");
    } else {
        segment(&metric.name, &path, findings);
    }
}

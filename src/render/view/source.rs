//! A metric's source and target.

use serde::Serialize;

use crate::render::phrases::metric;
use kubectl_hpa_core::model::{LabelSelector, MetricIdentifier, MetricSpec, Source};

/// Where a metric comes from.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SourceView<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    name: String,
    container: Option<&'a str>,
    selector: Option<&'a LabelSelector>,
    described_object: Option<ObjectView<'a>>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ObjectView<'a> {
    api_version: &'a str,
    kind: &'a str,
    name: &'a str,
}

impl<'a> SourceView<'a> {
    pub fn of(source: &'a Source) -> Self {
        let plain = |name: &str| Self {
            kind: metric::kind(source),
            name: name.to_owned(),
            container: None,
            selector: None,
            described_object: None,
        };
        let of_metric =
            |metric: &'a MetricIdentifier| Self { selector: metric.selector.as_ref(), ..plain(&metric.name) };
        match source {
            Source::Resource(resource) => plain(resource.as_str()),
            Source::ContainerResource { resource, container } => {
                Self { container: Some(container), ..plain(resource.as_str()) }
            }
            Source::Pods(metric) | Source::External(metric) => of_metric(metric),
            Source::Object { metric, object } => {
                let object =
                    ObjectView { api_version: &object.api_version, kind: &object.kind, name: &object.name };
                Self { described_object: Some(object), ..of_metric(metric) }
            }
        }
    }
}

/// What it is compared with.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TargetView {
    #[serde(rename = "type")]
    kind: &'static str,
    value_milli: Option<i64>,
    average_value_milli: Option<i64>,
    average_utilization_percent: Option<i32>,
}

impl TargetView {
    pub fn of(spec: &MetricSpec) -> Self {
        Self {
            kind: spec.target.kind.as_str(),
            value_milli: spec.target.value_milli().map(|value| value.0),
            average_value_milli: spec.target.average_milli().map(|value| value.0),
            average_utilization_percent: spec.target.average_utilization.map(|percent| percent.0),
        }
    }
}

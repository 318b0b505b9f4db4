//! Metrics in the form of the annotation, which is that of v2beta1 too, and what v2 makes of them.

use serde::Deserialize;

use crate::api::{self, nullable};
use crate::model::{LabelSelector, Quantity};

/// `MetricSpec` of v1.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct MetricSource {
    #[serde(rename = "type", deserialize_with = "nullable")]
    pub(super) kind: String,
    pub(super) object: Option<ObjectSource>,
    pub(super) pods: Option<PodsSource>,
    pub(super) resource: Option<ResourceSource>,
    pub(super) container_resource: Option<ResourceSource>,
    pub(super) external: Option<ExternalSource>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ObjectSource {
    #[serde(deserialize_with = "nullable")]
    pub(super) target: api::ObjectReference,
    #[serde(deserialize_with = "nullable")]
    pub(super) metric_name: String,
    pub(super) target_value: Quantity,
    pub(super) selector: Option<LabelSelector>,
    pub(super) average_value: Option<Quantity>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PodsSource {
    #[serde(deserialize_with = "nullable")]
    pub(super) metric_name: String,
    pub(super) target_average_value: Quantity,
    pub(super) selector: Option<LabelSelector>,
}

/// Of a pod, and of one container.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ResourceSource {
    #[serde(deserialize_with = "nullable")]
    pub(super) name: String,
    pub(super) target_average_utilization: Option<i32>,
    pub(super) target_average_value: Option<Quantity>,
    #[serde(deserialize_with = "nullable")]
    pub(super) container: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ExternalSource {
    #[serde(deserialize_with = "nullable")]
    pub(super) metric_name: String,
    pub(super) metric_selector: Option<LabelSelector>,
    pub(super) target_value: Option<Quantity>,
    pub(super) target_average_value: Option<Quantity>,
}

impl From<MetricSource> for api::MetricSpec {
    fn from(source: MetricSource) -> Self {
        Self {
            kind: source.kind,
            object: source.object.map(|it| Box::new(it.into())),
            pods: source.pods.map(|it| Box::new(it.into())),
            resource: source.resource.map(|source| {
                let target = source.target();
                Box::new(api::ResourceSource { name: source.name, target })
            }),
            container_resource: source.container_resource.map(|source| {
                let target = source.target();
                let container = source.container;
                Box::new(api::ContainerResourceSource { name: source.name, target, container })
            }),
            external: source.external.map(|it| Box::new(it.into())),
        }
    }
}

impl MetricSource {
    /// What v2beta1 makes of it: of an object's metric even a zero stays beside an average, and the name of a container
    /// gets lost (`Convert_v2beta1_ContainerResourceMetricSource_To_autoscaling_ContainerResourceMetricSource`).
    pub(super) fn in_v2beta1(self) -> api::MetricSpec {
        let value = self.object.as_ref().map(|source| source.target_value.clone());
        let mut spec = api::MetricSpec::from(self);
        if let Some(source) = &mut spec.object {
            source.target.value = value;
        }
        if let Some(source) = &mut spec.container_resource {
            source.container.clear();
        }
        spec
    }
}

impl ResourceSource {
    fn target(&self) -> api::MetricTarget {
        let percent = self.target_average_utilization;
        api::MetricTarget {
            kind: if percent.is_some() { "Utilization" } else { "AverageValue" }.to_owned(),
            value: None,
            average_value: self.target_average_value.clone(),
            average_utilization: percent,
        }
    }
}

impl From<ObjectSource> for api::ObjectSource {
    /// v1 cannot leave the value out, so beside an average a zero is none.
    fn from(source: ObjectSource) -> Self {
        let (value, average) = (source.target_value, source.average_value);
        let kind = if average.is_some() { "AverageValue" } else { "Value" };
        let value = Some(value).filter(|value| average.is_none() || *value != Quantity::default());
        Self {
            described_object: source.target,
            target: target(kind, value, average),
            metric: api::MetricIdentifier { name: source.metric_name, selector: source.selector },
        }
    }
}

impl From<PodsSource> for api::PodsSource {
    fn from(source: PodsSource) -> Self {
        Self {
            metric: api::MetricIdentifier { name: source.metric_name, selector: source.selector },
            target: target("AverageValue", None, Some(source.target_average_value)),
        }
    }
}

impl From<ExternalSource> for api::ExternalSource {
    fn from(source: ExternalSource) -> Self {
        let kind = if source.target_value.is_some() { "Value" } else { "AverageValue" };
        Self {
            metric: api::MetricIdentifier { name: source.metric_name, selector: source.metric_selector },
            target: target(kind, source.target_value, source.target_average_value),
        }
    }
}

fn target(kind: &str, value: Option<Quantity>, average_value: Option<Quantity>) -> api::MetricTarget {
    api::MetricTarget { kind: kind.to_owned(), value, average_value, average_utilization: None }
}

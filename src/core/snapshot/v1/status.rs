//! Current metrics in the form of the annotation, and what v2 makes of them: values that v1 cannot leave out are
//! there, as zero.

use serde::Deserialize;

use crate::api::{self, MetricIdentifier, ValueStatus, nullable};
use crate::model::{LabelSelector, Quantity};

/// `MetricStatus` of v1.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct MetricStatus {
    #[serde(rename = "type", deserialize_with = "nullable")]
    kind: String,
    object: Option<ObjectStatus>,
    pods: Option<PodsStatus>,
    resource: Option<ResourceStatus>,
    container_resource: Option<ResourceStatus>,
    external: Option<ExternalStatus>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ObjectStatus {
    #[serde(deserialize_with = "nullable")]
    target: api::ObjectReference,
    #[serde(deserialize_with = "nullable")]
    metric_name: String,
    current_value: Quantity,
    selector: Option<LabelSelector>,
    average_value: Option<Quantity>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PodsStatus {
    #[serde(deserialize_with = "nullable")]
    metric_name: String,
    current_average_value: Quantity,
    selector: Option<LabelSelector>,
}

/// Of pods, and of one container of them.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ResourceStatus {
    #[serde(deserialize_with = "nullable")]
    name: String,
    current_average_utilization: Option<i32>,
    current_average_value: Quantity,
    #[serde(deserialize_with = "nullable")]
    container: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ExternalStatus {
    #[serde(deserialize_with = "nullable")]
    metric_name: String,
    metric_selector: Option<LabelSelector>,
    current_value: Quantity,
    current_average_value: Option<Quantity>,
}

impl From<MetricStatus> for api::MetricStatus {
    fn from(status: MetricStatus) -> Self {
        Self {
            kind: status.kind,
            object: status.object.map(|it| Box::new(it.into())),
            pods: status.pods.map(|it| Box::new(it.into())),
            resource: status.resource.map(|status| {
                let current = status.current();
                Box::new(api::ResourceStatus { name: status.name, current })
            }),
            container_resource: status.container_resource.map(|status| {
                let current = status.current();
                let container = status.container;
                Box::new(api::ContainerResourceStatus { name: status.name, current, container })
            }),
            external: status.external.map(|it| Box::new(it.into())),
        }
    }
}

impl ResourceStatus {
    fn current(&self) -> ValueStatus {
        ValueStatus {
            value: None,
            average_value: Some(self.current_average_value.clone()),
            average_utilization: self.current_average_utilization,
        }
    }
}

impl From<ObjectStatus> for api::ObjectStatus {
    fn from(status: ObjectStatus) -> Self {
        Self {
            metric: MetricIdentifier { name: status.metric_name, selector: status.selector },
            current: values(Some(status.current_value), status.average_value),
            described_object: status.target,
        }
    }
}

impl From<PodsStatus> for api::PodsStatus {
    fn from(status: PodsStatus) -> Self {
        Self {
            metric: MetricIdentifier { name: status.metric_name, selector: status.selector },
            current: values(None, Some(status.current_average_value)),
        }
    }
}

impl From<ExternalStatus> for api::ExternalStatus {
    fn from(status: ExternalStatus) -> Self {
        Self {
            metric: MetricIdentifier { name: status.metric_name, selector: status.metric_selector },
            current: values(Some(status.current_value), status.current_average_value),
        }
    }
}

fn values(value: Option<Quantity>, average_value: Option<Quantity>) -> ValueStatus {
    ValueStatus { value, average_value, average_utilization: None }
}

//! autoscaling/v2 `HorizontalPodAutoscaler`. What is an empty list here is no list: no API server keeps the difference.

use super::fields::{Fields, Malformed, Value};
use super::objects::{add, label_selector, metadata_and_writes, quantity};
use kubectl_hpa_core::api;

/// The object.
pub(in crate::cluster::wire) fn hpa(message: &[u8]) -> Result<api::Hpa, Malformed> {
    let mut hpa = api::Hpa::default();
    for field in Fields::of(message) {
        match field? {
            (1, value) => hpa.metadata = metadata_and_writes(value.bytes()?)?,
            (2, value) => hpa.spec = spec(value)?,
            (3, value) => hpa.status = status(value)?,
            _ => {}
        }
    }
    Ok(hpa)
}

/// Defines the reader of a message: its name, what it makes, and what is done with the fields of these numbers.
macro_rules! message {
    ($name:ident: $made:ident, $it:ident, $value:ident { $($number:literal => $put:expr,)+ }) => {
        fn $name(message: Value<'_>) -> Result<api::$made, Malformed> {
            let mut $it = api::$made::default();
            for field in Fields::of(message.bytes()?) {
                let (number, $value) = field?;
                match number {
                    $($number => $put,)+
                    _ => {}
                }
            }
            Ok($it)
        }
    };
}

fn boxed<T>(read: Result<T, Malformed>) -> Result<Option<Box<T>>, Malformed> {
    read.map(|it| Some(Box::new(it)))
}

message!(spec: HpaSpec, it, value {
    1 => it.scale_target_ref = reference(value)?,
    2 => it.min_replicas = Some(value.short()?),
    3 => it.max_replicas = value.short()?,
    4 => add(&mut it.metrics, metric(value)?)?,
    5 => it.behavior = Some(behavior(value)?),
});

// `CrossVersionObjectReference`.
message!(reference: ObjectReference, it, value {
    1 => it.kind = value.text()?,
    2 => it.name = value.text()?,
    3 => it.api_version = value.text()?,
});

message!(metric: MetricSpec, it, value {
    1 => it.kind = value.text()?,
    2 => it.object = boxed(object_source(value))?,
    3 => it.pods = boxed(pods_source(value))?,
    4 => it.resource = boxed(resource_source(value))?,
    5 => it.external = boxed(external_source(value))?,
    7 => it.container_resource = boxed(container_source(value))?,
});

message!(object_source: ObjectSource, it, value {
    1 => it.described_object = reference(value)?,
    2 => it.target = target(value)?,
    3 => it.metric = identifier(value)?,
});

message!(pods_source: PodsSource, it, value {
    1 => it.metric = identifier(value)?,
    2 => it.target = target(value)?,
});

message!(resource_source: ResourceSource, it, value {
    1 => it.name = value.text()?,
    2 => it.target = target(value)?,
});

message!(container_source: ContainerResourceSource, it, value {
    1 => it.name = value.text()?,
    2 => it.target = target(value)?,
    3 => it.container = value.text()?,
});

message!(external_source: ExternalSource, it, value {
    1 => it.metric = identifier(value)?,
    2 => it.target = target(value)?,
});

message!(identifier: MetricIdentifier, it, value {
    1 => it.name = value.text()?,
    2 => it.selector = Some(label_selector(value.bytes()?)?),
});

message!(target: MetricTarget, it, value {
    1 => it.kind = value.text()?,
    2 => it.value = Some(quantity(value.bytes()?)?),
    3 => it.average_value = Some(quantity(value.bytes()?)?),
    4 => it.average_utilization = Some(value.short()?),
});

message!(behavior: Behavior, it, value {
    1 => it.scale_up = Some(rules(value)?),
    2 => it.scale_down = Some(rules(value)?),
});

message!(rules: ScalingRules, it, value {
    1 => it.select_policy = Some(value.text()?),
    2 => add(it.policies.get_or_insert_default(), policy(value)?)?,
    3 => it.stabilization_window_seconds = Some(value.short()?),
    4 => it.tolerance = Some(quantity(value.bytes()?)?),
});

message!(policy: Policy, it, value {
    1 => it.kind = value.text()?,
    2 => it.value = value.short()?,
    3 => it.period_seconds = value.short()?,
});

message!(status: HpaStatus, it, value {
    1 => it.observed_generation = Some(value.integer()?),
    2 => it.last_scale_time = value.time()?,
    3 => it.current_replicas = value.short()?,
    4 => it.desired_replicas = value.short()?,
    5 => add(it.current_metrics.get_or_insert_default(), current_metric(value)?)?,
    6 => add(&mut it.conditions, condition(value)?)?,
});

message!(condition: Condition, it, value {
    1 => it.kind = value.text()?.into(),
    2 => it.status = value.text()?.into(),
    3 => it.last_transition_time = value.time()?,
    4 => it.reason = value.text()?.into(),
    5 => it.message = value.text()?,
});

message!(current_metric: MetricStatus, it, value {
    1 => it.kind = value.text()?,
    2 => it.object = boxed(object_status(value))?,
    3 => it.pods = boxed(pods_status(value))?,
    4 => it.resource = boxed(resource_status(value))?,
    5 => it.external = boxed(external_status(value))?,
    7 => it.container_resource = boxed(container_status(value))?,
});

message!(object_status: ObjectStatus, it, value {
    1 => it.metric = identifier(value)?,
    2 => it.current = current(value)?,
    3 => it.described_object = reference(value)?,
});

message!(pods_status: PodsStatus, it, value {
    1 => it.metric = identifier(value)?,
    2 => it.current = current(value)?,
});

message!(resource_status: ResourceStatus, it, value {
    1 => it.name = value.text()?,
    2 => it.current = current(value)?,
});

message!(container_status: ContainerResourceStatus, it, value {
    1 => it.name = value.text()?,
    2 => it.current = current(value)?,
    3 => it.container = value.text()?,
});

message!(external_status: ExternalStatus, it, value {
    1 => it.metric = identifier(value)?,
    2 => it.current = current(value)?,
});

// `MetricValueStatus`.
message!(current: ValueStatus, it, value {
    1 => it.value = Some(quantity(value.bytes()?)?),
    2 => it.average_value = Some(quantity(value.bytes()?)?),
    3 => it.average_utilization = Some(value.short()?),
});

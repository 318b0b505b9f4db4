//! The messages that are kept, field by field. The numbers are those of upstream's `generated.proto`.

use super::fields::{Fields, Malformed, Value, number};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::{
    Duration, LabelSelector, LabelSelectorRequirement, Labels, Quantity, ResourceName, Text,
};

/// More is in no list of an object: two bytes would else stand for an empty container, and a few megabytes for millions.
const MOST: usize = 10_000;

pub(super) fn add<T>(list: &mut Vec<T>, item: T) -> Result<(), Malformed> {
    if list.len() >= MOST {
        return Err(Malformed::TooMany(MOST));
    }
    // Most lists have one.
    if list.is_empty() {
        list.reserve_exact(1);
    }
    list.push(item);
    Ok(())
}

/// The types of conditions that are kept of a pod.
const CONDITIONS: [&[u8]; 3] = [b"Ready", b"PodScheduled", b"PodResizePending"];

/// core/v1 `Pod`.
pub(in crate::cluster::wire) fn pod(message: &[u8]) -> Result<api::Pod, Malformed> {
    let mut pod = api::Pod::default();
    for field in Fields::of(message) {
        match field? {
            (1, value) => pod.metadata = metadata(value.bytes()?)?,
            (2, value) => pod.spec = pod_spec(value.bytes()?)?.into(),
            (3, value) => pod.status = pod_status(value.bytes()?)?,
            _ => {}
        }
    }
    Ok(pod)
}

/// metrics.k8s.io/v1beta1 `PodMetrics`.
pub(in crate::cluster::wire) fn pod_metrics(message: &[u8]) -> Result<api::PodMetrics, Malformed> {
    let mut metrics = api::PodMetrics::default();
    for field in Fields::of(message) {
        match field? {
            (1, value) => metrics.metadata = metadata(value.bytes()?)?.into(),
            (2, value) => metrics.timestamp = value.time()?,
            (3, value) => metrics.window = duration(value.bytes()?)?,
            (4, value) => add(&mut metrics.containers, container_metrics(value.bytes()?)?)?,
            _ => {}
        }
    }
    Ok(metrics)
}

/// external.metrics.k8s.io/v1beta1 `ExternalMetricValue`.
pub(in crate::cluster::wire) fn external(message: &[u8]) -> Result<api::ExternalMetricValue, Malformed> {
    let mut metric = api::ExternalMetricValue { metric_labels: labels(message, 2)?, ..Default::default() };
    for field in Fields::of(message) {
        match field? {
            (1, value) => metric.metric_name = value.text()?,
            (3, value) => metric.timestamp = value.time()?,
            (5, value) => metric.value = quantity(value.bytes()?)?,
            _ => {}
        }
    }
    Ok(metric)
}

/// Neither who wrote the object nor which write was the last: what is read as protobuf is trimmed of both.
fn metadata(message: &[u8]) -> Result<api::ObjectMeta, Malformed> {
    let (mut metadata, mut pairs, mut owners) = (api::ObjectMeta::default(), Vec::new(), Vec::new());
    for field in Fields::of(message) {
        match field? {
            (1, value) => metadata.name = value.text()?,
            (3, value) => metadata.namespace = value.text()?.into(),
            (7, value) => metadata.generation = value.integer()?,
            (8, value) => metadata.creation_timestamp = value.time()?,
            (9, value) => metadata.deletion_timestamp = value.time()?,
            (11, value) => add(&mut pairs, label(value.bytes()?)?)?,
            (13, value) => add(&mut owners, owner(value.bytes()?)?)?,
            _ => {}
        }
    }
    metadata.labels = pairs.into_iter().collect();
    metadata.owner_references = owners.into();
    Ok(metadata)
}

/// That of any object, whatever else is in it.
pub(in crate::cluster::wire) fn metadata_of(message: &[u8]) -> Result<api::ObjectMeta, Malformed> {
    for field in Fields::of(message) {
        if let (1, value) = field? {
            return metadata(value.bytes()?);
        }
    }
    Ok(api::ObjectMeta::default())
}

/// The same with who wrote the object, and which write was the last.
pub(in crate::cluster) fn metadata_and_writes(message: &[u8]) -> Result<api::ObjectMeta, Malformed> {
    let mut metadata = metadata(message)?;
    for field in Fields::of(message) {
        match field? {
            (6, value) => metadata.resource_version = value.text()?.into(),
            (17, value) => add(&mut metadata.managed_fields, writes(value.bytes()?)?)?,
            _ => {}
        }
    }
    Ok(metadata)
}

fn writes(message: &[u8]) -> Result<api::ManagedFields, Malformed> {
    let mut writes = api::ManagedFields::default();
    for field in Fields::of(message) {
        match field? {
            (1, value) => writes.manager = value.text()?.into(),
            (2, value) => writes.operation = value.text()?.into(),
            (4, value) => writes.time = value.time()?,
            (7, value) => writes.fields = field_set(value.bytes()?)?,
            (8, value) => writes.subresource = value.text()?.into(),
            _ => {}
        }
    }
    Ok(writes)
}

/// `metav1.FieldsV1`: a message of one text, which is JSON.
fn field_set(message: &[u8]) -> Result<Option<api::FieldSet>, Malformed> {
    let mut set = None;
    for field in Fields::of(message) {
        if let (1, value) = field?
            && let json = value.bytes()?
            && !json.is_empty()
        {
            set = serde_json::from_slice(json).map_err(|error| Malformed::Text(error.to_string()))?;
        }
    }
    Ok(set)
}

fn owner(message: &[u8]) -> Result<api::OwnerReference, Malformed> {
    let mut owner = api::OwnerReference::default();
    for field in Fields::of(message) {
        match field? {
            (1, value) => owner.kind = value.text()?.into(),
            (3, value) => owner.name = value.text()?.into(),
            (6, value) => owner.controller = Some(value.flag()?),
            _ => {}
        }
    }
    Ok(owner)
}

fn pod_spec(message: &[u8]) -> Result<api::PodSpec, Malformed> {
    let (mut spec, mut overhead) = (api::PodSpec::default(), Vec::new());
    for field in Fields::of(message) {
        match field? {
            (2, value) => add(&mut spec.containers, container(value.bytes()?)?)?,
            (20, value) => add(&mut spec.init_containers, container(value.bytes()?)?)?,
            (32, value) => add(&mut overhead, amount(value.bytes()?)?)?,
            (40, value) => spec.resources = Some(resources(value.bytes()?)?),
            _ => {}
        }
    }
    spec.overhead = overhead.into_iter().collect();
    Ok(spec)
}

fn container(message: &[u8]) -> Result<api::Container, Malformed> {
    let mut container = api::Container::default();
    for field in Fields::of(message) {
        match field? {
            (1, value) => container.name = value.text()?,
            (8, value) => container.resources = resources(value.bytes()?)?,
            (24, value) => container.restart_policy = Some(value.text()?),
            _ => {}
        }
    }
    Ok(container)
}

fn resources(message: &[u8]) -> Result<api::ResourceRequirements, Malformed> {
    let (mut limits, mut requests) = (Vec::new(), Vec::new());
    for field in Fields::of(message) {
        match field? {
            (1, value) => add(&mut limits, amount(value.bytes()?)?)?,
            (2, value) => add(&mut requests, amount(value.bytes()?)?)?,
            _ => {}
        }
    }
    Ok(api::ResourceRequirements {
        requests: requests.into_iter().collect(),
        limits: limits.into_iter().collect(),
    })
}

fn pod_status(message: &[u8]) -> Result<api::PodStatus, Malformed> {
    let mut status = api::PodStatus::default();
    for field in Fields::of(message) {
        match field? {
            (1, value) => status.phase = value.text()?.into(),
            (2, value) => {
                if let Some(condition) = condition(value.bytes()?)? {
                    add(&mut status.conditions, condition)?;
                }
            }
            (7, value) => status.start_time = value.time()?,
            (8, value) => {
                let statuses = status.container_statuses.get_or_insert_default();
                add(&mut statuses.0, container_status(value.bytes()?)?)?;
            }
            (10, value) => {
                let statuses = status.init_container_statuses.get_or_insert_default();
                add(&mut statuses.0, container_status(value.bytes()?)?)?;
            }
            _ => {}
        }
    }
    Ok(status)
}

fn container_status(message: &[u8]) -> Result<api::ContainerStatus, Malformed> {
    let mut status = api::ContainerStatus::default();
    for field in Fields::of(message) {
        match field? {
            (1, value) => status.name = value.text()?,
            (2, value) => status.state = Some(container_state(value.bytes()?)?),
            (11, value) => status.resources = Some(resources(value.bytes()?)?),
            _ => {}
        }
    }
    Ok(status)
}

fn container_state(message: &[u8]) -> Result<api::ContainerState, Malformed> {
    let mut state = api::ContainerState::default();
    for field in Fields::of(message) {
        if let (1, value) = field? {
            state.waiting = Some(waiting(value.bytes()?)?);
        }
    }
    Ok(state)
}

fn waiting(message: &[u8]) -> Result<api::ContainerStateWaiting, Malformed> {
    let mut waiting = api::ContainerStateWaiting::default();
    for field in Fields::of(message) {
        if let (1, value) = field? {
            waiting.reason = value.text()?;
        }
    }
    Ok(waiting)
}

/// `None` of the types that no decision depends on.
fn condition(message: &[u8]) -> Result<Option<api::PodCondition>, Malformed> {
    let mut condition = api::PodCondition::default();
    for field in Fields::of(message) {
        match field? {
            (1, value) if !CONDITIONS.contains(&value.bytes()?) => return Ok(None),
            (1, value) => condition.kind = value.text()?.into(),
            (2, value) => condition.status = value.text()?.into(),
            (4, value) => condition.last_transition_time = value.time()?,
            (5, value) => condition.reason = value.text()?,
            _ => {}
        }
    }
    Ok(Some(condition))
}

fn container_metrics(message: &[u8]) -> Result<api::ContainerMetrics, Malformed> {
    let (mut name, mut usage) = (Text::default(), Vec::new());
    for field in Fields::of(message) {
        match field? {
            (1, value) => name = value.text()?.into(),
            (2, value) => add(&mut usage, amount(value.bytes()?)?)?,
            _ => {}
        }
    }
    Ok(api::ContainerMetrics { name, usage: usage.into_iter().collect() })
}

/// The key and the value of an entry of a map, which is a message of two fields.
fn entry(message: &[u8]) -> Result<[Option<Value<'_>>; 2], Malformed> {
    let mut entry = [None; 2];
    for field in Fields::of(message) {
        match field? {
            (1, key) => entry[0] = Some(key),
            (2, value) => entry[1] = Some(value),
            _ => {}
        }
    }
    Ok(entry)
}

fn label(message: &[u8]) -> Result<(String, String), Malformed> {
    let [key, value] = entry(message)?;
    let text = |value: Option<Value<'_>>| value.map_or(Ok(String::new()), Value::text);
    Ok((text(key)?, text(value)?))
}

fn amount(message: &[u8]) -> Result<(ResourceName, Quantity), Malformed> {
    let [name, amount] = entry(message)?;
    let name = match name {
        // `cpu` and `memory` need no text of their own.
        Some(name) => match str::from_utf8(name.bytes()?) {
            Ok(name) => name.into(),
            Err(_) => name.text()?.as_str().into(),
        },
        None => "".into(),
    };
    let amount = amount.map_or(Ok(Quantity::default()), |amount| quantity(amount.bytes()?))?;
    Ok((name, amount))
}

/// `resource.Quantity`: one that has no text is zero.
pub(in crate::cluster) fn quantity(message: &[u8]) -> Result<Quantity, Malformed> {
    let mut quantity = Quantity::default();
    for field in Fields::of(message) {
        if let (1, value) = field? {
            let text = String::from_utf8_lossy(value.bytes()?);
            quantity = Quantity::parse(&text).map_err(|error| Malformed::Text(error.to_string()))?;
        }
    }
    Ok(quantity)
}

fn duration(message: &[u8]) -> Result<Duration, Malformed> {
    number(message).map(Duration::from_nanoseconds)
}

/// The entries of a map of texts, in the fields of this number.
fn labels(message: &[u8], number: u32) -> Result<Labels, Malformed> {
    let mut pairs = Vec::new();
    for field in Fields::of(message) {
        let (found, value) = field?;
        if found == number {
            add(&mut pairs, label(value.bytes()?)?)?;
        }
    }
    Ok(pairs.into_iter().collect())
}

/// `metav1.LabelSelector`.
pub(in crate::cluster) fn label_selector(message: &[u8]) -> Result<LabelSelector, Malformed> {
    let mut selector = LabelSelector { match_labels: labels(message, 1)?, ..LabelSelector::default() };
    for field in Fields::of(message) {
        if let (2, value) = field? {
            add(&mut selector.match_expressions, requirement(value.bytes()?)?)?;
        }
    }
    Ok(selector)
}

fn requirement(message: &[u8]) -> Result<LabelSelectorRequirement, Malformed> {
    let mut requirement = LabelSelectorRequirement::default();
    for field in Fields::of(message) {
        match field? {
            (1, value) => requirement.key = value.text()?.into(),
            (2, value) => requirement.operator = Box::<str>::from(value.text()?).into(),
            (3, value) => add(&mut requirement.values, value.text()?.into())?,
            _ => {}
        }
    }
    Ok(requirement)
}

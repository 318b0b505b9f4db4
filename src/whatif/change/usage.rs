//! What pods request and use, and what the metrics APIs say.

use std::collections::BTreeMap;

use super::name;
use super::number::{self, of_milli, share};
use crate::api::{Container, ExternalMetricValue, MetricValue, Pod, PodMetrics};
use crate::model::Quantity;
use crate::snapshot::Case;
use crate::snapshot::case::Answer;

/// `cpu=500m` for pods of one container, `CONTAINER/cpu=500m` else.
pub(super) fn request(case: &mut Case, text: &str) -> Result<(), String> {
    let (name, value) = number::pair(text)?;
    let amount = number::quantity(value)?;
    let (container, resource) = match name.split_once('/') {
        Some((container, resource)) => (Some(container), resource),
        None => (None, name),
    };
    let pods = case.pods.as_mut().and_then(|pods| pods.items.as_mut()).ok_or("the pods could not be read")?;
    let mut names: Vec<String> = pods.iter().flat_map(running).map(|it| it.name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    let container = match (container, names.as_slice()) {
        (Some(name), _) if names.iter().any(|other| other == name) => name.to_owned(),
        (None, [only]) => only.clone(),
        (Some(name), _) => {
            return Err(format!("no container is called {name}; there is {}", names.join(", ")));
        }
        (None, _) => {
            return Err(format!(
                "say which container: CONTAINER/{resource}={value}, of {}",
                names.join(", ")
            ));
        }
    };
    for pod in pods {
        for it in running_mut(pod).filter(|it| it.name == container) {
            it.resources.requests.set(resource, amount.clone());
        }
    }
    Ok(())
}

/// The containers whose requests count: all, and the init containers that run on.
pub(super) fn running(pod: &Pod) -> impl Iterator<Item = &Container> {
    pod.spec.containers.iter().chain(pod.spec.init_containers.iter().filter(|it| it.is_sidecar()))
}

fn running_mut(pod: &mut Pod) -> impl Iterator<Item = &mut Container> {
    pod.spec.containers.iter_mut().chain(pod.spec.init_containers.iter_mut().filter(|it| it.is_sidecar()))
}

/// `cpu=90%` of the request, `cpu=150m`, or a Pods metric `NAME=VALUE`.
pub(super) fn usage(case: &mut Case, text: &str) -> Result<(), String> {
    let (name, value) = number::pair(text)?;
    let answers = case.custom_metrics.iter_mut();
    let mut of_pods =
        answers.filter(|it| it.query.described_object.is_none() && it.query.metric.name == name);
    if let Some(answer) = of_pods.next() {
        let value = number::quantity(value)?;
        let items = answer.items.as_mut().ok_or("the metric could not be read")?;
        for item in items {
            item.value.clone_from(&value);
        }
        return Ok(());
    }
    let items = case.pod_metrics.as_mut().and_then(|metrics| metrics.items.as_mut());
    let Some(items) = items.filter(|items| items.iter().any(|item| measures(item, name))) else {
        let known = name::list(&case.hpa.0.spec.metrics);
        return Err(format!("no pod has a sample of {name}; the metrics are {known}"));
    };
    if value.ends_with('%') {
        let percent = number::percent(value)?;
        let pods = case.pods.iter().flat_map(|pods| &pods.items).flatten();
        let requests = pods.map(|pod| (pod.metadata.name.as_str(), pod)).collect();
        return of_requests(items, name, percent, &requests);
    }
    let total = number::quantity(value)?.milli_value();
    for item in items {
        spread(item, name, total);
    }
    Ok(())
}

fn measures(item: &PodMetrics, resource: &str) -> bool {
    item.containers.iter().any(|it| it.usage.get(resource).is_some())
}

/// Each container uses a percentage of its request.
fn of_requests(
    items: &mut [PodMetrics],
    resource: &str,
    percent: i32,
    pods: &BTreeMap<&str, &Pod>,
) -> Result<(), String> {
    for item in items {
        let Some(pod) = pods.get(item.metadata.name.as_str()) else { continue };
        for measured in &mut item.containers {
            let container = running(pod).find(|it| it.name == measured.name);
            let request = container.and_then(|it| it.resources.requests.get(resource)).ok_or_else(|| {
                format!("container {} of pod {} has no {resource} request", measured.name, pod.metadata.name)
            })?;
            let used = share(request.milli_value(), percent.into(), 100);
            measured.usage.set(resource, of_milli(used));
        }
    }
    Ok(())
}

/// A pod's usage, divided among its containers as it is now; where nothing is used, it goes to the first.
fn spread(item: &mut PodMetrics, resource: &str, total: i64) {
    let used = |it: &crate::api::ContainerMetrics| it.usage.get(resource).map_or(0, Quantity::milli_value);
    let now: i64 = item.containers.iter().map(used).fold(0, i64::saturating_add);
    let mut left = total;
    let last = item.containers.len().saturating_sub(1);
    for (place, container) in item.containers.iter_mut().enumerate() {
        let part = match now {
            _ if place == last => left,
            0 if place == 0 => total,
            0 => 0,
            _ => share(total, used(container), now).min(left),
        };
        left -= part;
        container.usage.set(resource, of_milli(part));
    }
}

/// The one value of an Object metric, or the sum of an External one.
pub(super) fn metric(case: &mut Case, text: &str) -> Result<(), String> {
    let (name, value) = number::pair(text)?;
    let value = number::quantity(value)?;
    let mut found = false;
    for answer in case.custom_metrics.iter_mut().filter(|it| it.query.described_object.is_some()) {
        if is_called(answer, name) {
            found = true;
            let like = first(answer);
            give(answer, MetricValue { value: value.clone(), ..like });
        }
    }
    for answer in case.external_metrics.iter_mut().filter(|answer| answer.query.metric.name == name) {
        found = true;
        let like = first(answer);
        give(answer, ExternalMetricValue { value: value.clone(), ..like });
    }
    if found {
        return Ok(());
    }
    let known = name::list(&case.hpa.0.spec.metrics);
    Err(format!("no Object or External metric is called {name}; the metrics are {known}"))
}

/// `NAME`, or `NAME@KIND/OBJECT` where several objects have it.
fn is_called(answer: &Answer<MetricValue>, name: &str) -> bool {
    let metric = &answer.query.metric.name;
    let object = answer.query.described_object.as_ref();
    let full = object.map(|object| format!("{metric}@{}/{}", object.kind, object.name));
    metric == name || full.as_deref() == Some(name)
}

fn first<T: Clone + Default>(answer: &Answer<T>) -> T {
    answer.items.as_ref().and_then(|items| items.first()).cloned().unwrap_or_default()
}

/// One item instead of those that were there, or of the error.
fn give<T>(answer: &mut Answer<T>, item: T) {
    answer.items = Some(vec![item]);
    answer.error = None;
}

/// `+50%`: every sample and every value times one and a half, rounded up to a milli-unit.
pub(super) fn load(case: &mut Case, text: &str) -> Result<(), String> {
    let wrong = || format!("`{text}` is no change of load; expected one such as +50% or -20%");
    let percent = text.strip_suffix('%').ok_or_else(wrong)?;
    if !percent.starts_with(['+', '-']) {
        return Err(wrong());
    }
    let thousandths = Quantity::parse(percent).map_err(|_| wrong())?.milli_value();
    let parts = 100_000_i64.checked_add(thousandths).filter(|parts| *parts >= 0).ok_or_else(wrong)?;
    let scale = |value: &mut Quantity| *value = of_milli(share(value.milli_value(), parts, 100_000));
    for item in case.pod_metrics.iter_mut().flat_map(|metrics| &mut metrics.items).flatten() {
        item.containers.iter_mut().flat_map(|container| container.usage.values_mut()).for_each(scale);
    }
    let custom = case.custom_metrics.iter_mut().flat_map(|answer| &mut answer.items).flatten();
    custom.for_each(|item| scale(&mut item.value));
    let external = case.external_metrics.iter_mut().flat_map(|answer| &mut answer.items).flatten();
    external.for_each(|item| scale(&mut item.value));
    Ok(())
}

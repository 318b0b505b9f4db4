//! A pod without a sample, given what the others have.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::milli::of_milli;
use super::own_pods::own_pods;
use crate::api::{ContainerMetrics, MetricValue, Pod, PodMetrics, ResourceList};
use crate::model::Quantity;
use crate::snapshot::Case;
use crate::snapshot::case::MetricAnswer;

/// Whether others of the target's pods have a sample where this one has none.
pub(super) fn is_lacking(case: &Case, name: &str) -> bool {
    let Some((_, others)) = selected(case, name) else { return false };
    let lacks =
        |sampled: Vec<&str>| !sampled.contains(&name) && sampled.into_iter().any(|pod| others.contains(pod));
    let usage = case.pod_metrics.as_ref().and_then(|metrics| metrics.items.as_ref());
    let of_usage = usage.map(|items| items.iter().map(|item| item.metadata.name.as_str()).collect());
    let of_pods = case.custom_metrics.iter().filter(|answer| is_of_pods(answer));
    let of_pods = of_pods.filter_map(|answer| Some(answer.items.as_ref()?.iter().map(described).collect()));
    of_usage.into_iter().chain(of_pods).any(lacks)
}

/// Gives a pod the medians of what its target's other pods use, container by container, and of their Pods metrics.
/// Samples that it has stay.
pub(super) fn give(case: &mut Case, name: &str) {
    let Some((pod, others)) = selected(case, name) else { return };
    if let Some(items) = case.pod_metrics.as_mut().and_then(|metrics| metrics.items.as_mut())
        && items.iter().all(|item| item.metadata.name != name)
    {
        let like: Vec<&PodMetrics> =
            items.iter().map(Arc::as_ref).filter(|item| others.contains(&item.metadata.name)).collect();
        let sample = sample(&pod, &like);
        items.extend(sample.map(Arc::new));
    }
    for answer in case.custom_metrics.iter_mut().filter(|answer| is_of_pods(answer)) {
        let Some(items) = answer.items.as_mut().filter(|items| items.iter().all(|it| described(it) != name))
        else {
            continue;
        };
        let like: Vec<&MetricValue> = items.iter().filter(|item| others.contains(described(item))).collect();
        let Some(mut item) = like.first().map(|item| (*item).clone()) else { continue };
        item.value = median(like.iter().map(|item| &item.value));
        name.clone_into(&mut item.described_object.name);
        items.push(item);
    }
}

/// A pod that the target selects, and the names of the others.
fn selected(case: &Case, name: &str) -> Option<(Pod, BTreeSet<String>)> {
    let items = case.pods.as_ref()?.items.as_deref()?;
    let own = own_pods(case).ok()?.into_iter().filter_map(|place| items.get(place).map(Arc::as_ref));
    let (mut named, others): (Vec<&Pod>, Vec<&Pod>) = own.partition(|pod| pod.metadata.name == name);
    let others = others.into_iter().map(|pod| pod.metadata.name.clone()).collect();
    Some((named.pop()?.clone(), others))
}

fn is_of_pods(answer: &MetricAnswer<MetricValue>) -> bool {
    answer.query.described_object.is_none()
}

fn described(item: &MetricValue) -> &str {
    &item.described_object.name
}

/// `None` where none of the pod's containers is measured in another pod.
fn sample(pod: &Pod, others: &[&PodMetrics]) -> Option<PodMetrics> {
    let containers: Vec<ContainerMetrics> = pod
        .spec
        .running()
        .filter_map(|container| {
            let usage = usage_of(&container.name, others);
            usage.map(|usage| ContainerMetrics { name: container.name.as_str().into(), usage })
        })
        .collect();
    let like = others.iter().max_by_key(|item| item.timestamp).filter(|_| !containers.is_empty())?;
    let mut sample = PodMetrics { containers, ..(*like).clone() };
    sample.metadata.name.clone_from(&pod.metadata.name);
    sample.metadata.labels.clone_from(&pod.metadata.labels);
    Some(sample)
}

fn usage_of(container: &str, others: &[&PodMetrics]) -> Option<ResourceList> {
    let mut amounts: BTreeMap<&str, Vec<&Quantity>> = BTreeMap::new();
    let same = others.iter().flat_map(|item| &item.containers).filter(|it| it.name == container);
    for (resource, amount) in same.flat_map(|it| it.usage.iter()) {
        amounts.entry(resource).or_default().push(amount);
    }
    let mut usage = ResourceList::default();
    for (resource, amounts) in &amounts {
        usage.set(resource, median(amounts.iter().copied()));
    }
    (!amounts.is_empty()).then_some(usage)
}

/// Of an even number what lies in the middle of the two in the middle, rounded up to a milli-unit.
fn median<'a>(amounts: impl Iterator<Item = &'a Quantity>) -> Quantity {
    let mut amounts: Vec<i64> = amounts.map(Quantity::milli_value).collect();
    amounts.sort_unstable();
    let middle = |place: usize| i128::from(amounts.get(place).copied().unwrap_or_default());
    let (low, high) = (middle(amounts.len().saturating_sub(1) / 2), middle(amounts.len() / 2));
    let sum = low + high;
    of_milli(i64::try_from(sum.div_euclid(2) + sum.rem_euclid(2)).unwrap_or(i64::MAX))
}

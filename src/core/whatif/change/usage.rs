//! What pods request and use, and what the metrics APIs say.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::milli::{of_milli, share};
use super::name::{self, TypedName};
use super::number::{self, Named};
use super::own_pods::{items, named_pods, own_pods};
use super::{Knob, Problem};
use crate::api::{
    Container, ContainerMetrics, ExternalMetricValue, MetricSpec, MetricValue, Pod, PodMetrics,
};
use crate::model::{Quantity, shell_word};
use crate::snapshot::Case;
use crate::snapshot::case::{MetricAnswer, MetricQuery};

/// `cpu=500m` for pods of one container, `CONTAINER/cpu=500m` else: for that container of all the target's pods, whether
/// or not it had such a request.
pub(super) fn request(case: &mut Case, request: &Named<Quantity>) -> Result<(), Problem> {
    let Named { name, typed, value } = request;
    let names = container_names(case)?;
    if names.is_empty() {
        return Err(Problem::NoPodKnown);
    }
    let (container, resource) = match (name.split_once('/'), names.as_slice()) {
        (Some((container, resource)), _) if names.iter().any(|other| other == container) => {
            (container, resource)
        }
        (None, [only]) => (only.as_str(), name.as_str()),
        (Some((container, _)), _) => {
            return Err(Problem::NoSuchContainer(container.to_owned(), names.join(", ")));
        }
        (None, _) => {
            return Err(Problem::WhichContainer(format!("{name}={typed}"), names.join(", ")));
        }
    };
    let own = own_pods(case)?;
    let items = items(case)?;
    for place in own {
        for it in running_mut(Arc::make_mut(&mut items[place])).filter(|it| it.name == container) {
            it.resources.requests.set(resource, value.clone());
        }
    }
    Ok(())
}

/// The names of the containers that run in the target's pods.
pub(super) fn container_names(case: &Case) -> Result<Vec<String>, Problem> {
    let mut names: Vec<String> = pods_of_target(case)?
        .into_iter()
        .flat_map(|pod| pod.spec.running())
        .map(|it| it.name.clone())
        .collect();
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

/// The pods that the target's selector matches.
fn pods_of_target(case: &Case) -> Result<Vec<&Pod>, Problem> {
    let items = case.pods.as_ref().and_then(|pods| pods.items.as_deref()).unwrap_or_default();
    Ok(own_pods(case)?.into_iter().filter_map(|place| items.get(place).map(Arc::as_ref)).collect())
}

fn running_mut(pod: &mut Pod) -> impl Iterator<Item = &mut Container> {
    let spec = Arc::make_mut(&mut pod.spec);
    spec.containers.iter_mut().chain(spec.init_containers.iter_mut().filter(|it| it.is_sidecar()))
}

/// What is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    /// `90`, of the request in percent.
    Share(i64),
    /// `150m`.
    Quantity(Quantity),
}

/// `90%` or `150m`.
pub(super) fn amount(text: &str) -> Result<Amount, Problem> {
    if text.ends_with('%') {
        return Ok(Amount::Share(not_negative(number::percent(text)?.into())?));
    }
    Ok(Amount::Quantity(number::quantity(text)?))
}

/// `cpu=90%` of the request, `cpu=150m`, or a Pods metric `NAME=VALUE`; `cpu@POD=150m` of some of the target's pods. A Pods
/// metric of the name goes before a resource.
pub(super) fn usage(case: &mut Case, usage: &Named<Amount>) -> Result<(), Problem> {
    let Named { name, typed, value } = usage;
    let typed_name = TypedName::read(name)?;
    let metrics = &case.hpa.0.spec.metrics;
    let (of_all, pattern) = typed_name.clone().of_pods();
    let is_meant = |it: &&MetricSpec| typed_name.means(it) || is_of_pods_or_resource(it) && of_all.means(it);
    let of_spec = metrics.iter().find(is_meant);
    let is_of_metric = case.custom_metrics.iter().any(|answer| is_of_pods(answer, &of_all));
    if let Some(other) = of_spec.filter(|it| !is_of_metric && !is_of_pods_or_resource(it)) {
        return Err(other_flag(other, usage, Knob::Metric));
    }
    let pods = MeantPods::named(case, pattern)?;
    if is_of_metric {
        return match value {
            Amount::Quantity(value) => of_pods_metric(case, &of_all, value, &pods),
            Amount::Share(_) => Err(Problem::NotAQuantity(typed.clone())),
        };
    }
    let resource = of_all.name;
    let items = case.pod_metrics.as_ref().and_then(|metrics| metrics.items.as_deref()).unwrap_or_default();
    let mut measured = items.iter().filter(|item| measures(item, resource)).peekable();
    if measured.peek().is_none() {
        return Err(match of_spec {
            Some(_) => Problem::NoSampleOfMetric(name.clone()),
            None => Problem::NoSampleOf(name.clone(), name::list(metrics)),
        });
    }
    if !measured.any(|item| pods.has(&item.metadata.name)) {
        return Err(pods.without_sample(resource));
    }
    let total = match value {
        Amount::Share(percent) => return of_requests(case, resource, *percent, &pods),
        Amount::Quantity(total) => not_negative(total.milli_value())?,
    };
    for item in case.pod_metrics.iter_mut().flat_map(|metrics| &mut metrics.items).flatten() {
        if pods.has(&item.metadata.name) {
            spread(Arc::make_mut(item), resource, total);
        }
    }
    Ok(())
}

/// The pods whose usage is meant.
struct MeantPods<'a> {
    /// As they are typed, with their names; `None` for all that have a sample.
    named: Option<(&'a str, BTreeSet<String>)>,
}

impl<'a> MeantPods<'a> {
    fn named(case: &Case, pattern: Option<&'a str>) -> Result<Self, Problem> {
        let Some(pattern) = pattern else { return Ok(Self { named: None }) };
        let pods = case.pods.as_ref().and_then(|pods| pods.items.as_deref()).unwrap_or_default();
        let places = named_pods(case, pattern)?.into_iter();
        let names = places.map(|place| pods[place].metadata.name.clone()).collect();
        Ok(Self { named: Some((pattern, names)) })
    }

    fn has(&self, pod: &str) -> bool {
        self.named.as_ref().is_none_or(|(_, names)| names.contains(pod))
    }

    fn without_sample(&self, metric: &str) -> Problem {
        let pattern = self.named.as_ref().map_or("", |(pattern, _)| pattern);
        Problem::NoSampleOfPods(metric.to_owned(), pattern.to_owned())
    }
}

fn not_negative(amount: i64) -> Result<i64, Problem> {
    if amount < 0 { Err(Problem::NegativeUsage) } else { Ok(amount) }
}

/// Whether an answer is about a Pods metric that a name means.
pub(super) fn is_of_pods(answer: &MetricAnswer<MetricValue>, name: &TypedName<'_>) -> bool {
    answer.query.described_object.is_none() && name.means_query(&answer.query.metric, None)
}

/// The samples of every Pods metric that a name means.
fn of_pods_metric(
    case: &mut Case,
    name: &TypedName<'_>,
    value: &Quantity,
    pods: &MeantPods<'_>,
) -> Result<(), Problem> {
    let (mut is_read, mut is_set) = (false, pods.named.is_none());
    for answer in case.custom_metrics.iter_mut().filter(|answer| is_of_pods(answer, name)) {
        let Some(items) = &mut answer.items else { continue };
        is_read = true;
        for item in items.iter_mut().filter(|item| pods.has(&item.described_object.name)) {
            is_set = true;
            item.value.clone_from(value);
        }
    }
    match (is_read, is_set) {
        (true, true) => Ok(()),
        (true, false) => Err(pods.without_sample(name.name)),
        (false, _) => Err(Problem::NoSamples),
    }
}

fn measures(item: &PodMetrics, resource: &str) -> bool {
    item.containers.iter().any(|it| it.usage.get(resource).is_some())
}

/// Each measured container of the meant among the target's pods uses a percentage of its own request.
fn of_requests(case: &mut Case, resource: &str, percent: i64, meant: &MeantPods<'_>) -> Result<(), Problem> {
    let places = own_pods(case)?;
    let pods = case.pods.as_ref().and_then(|pods| pods.items.as_deref()).unwrap_or_default();
    let own = places.into_iter().filter_map(|place| pods.get(place));
    let own: BTreeMap<&str, &Pod> = own
        .filter(|pod| meant.has(&pod.metadata.name))
        .map(|pod| (pod.metadata.name.as_str(), pod.as_ref()))
        .collect();
    for item in case.pod_metrics.iter_mut().flat_map(|metrics| &mut metrics.items).flatten() {
        let Some(pod) = own.get(item.metadata.name.as_str()) else { continue };
        for measured in &mut Arc::make_mut(item).containers {
            let container = pod.spec.running().find(|it| measured.name == it.name);
            let request = container.and_then(|it| it.resources.requests.get(resource));
            let request = request.ok_or_else(|| Problem::NoRequest {
                container: measured.name.as_str().into(),
                pod: pod.metadata.name.as_str().into(),
                resource: resource.into(),
            })?;
            let used = share(request.milli_value(), percent, 100);
            measured.usage.set(resource, of_milli(used));
        }
    }
    Ok(())
}

/// A pod's usage, divided among its containers as it is now, each part rounded up to a milli-unit as long as there is
/// any left; the last one has the rest. Where nothing is used, all goes to the first.
fn spread(item: &mut PodMetrics, resource: &str, total: i64) {
    let used = |it: &ContainerMetrics| it.usage.get(resource).map_or(0, |usage| usage.milli_value().max(0));
    let now: i128 = item.containers.iter().map(|it| i128::from(used(it))).sum();
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

/// The one value of an Object metric, or the sum of an External one; also where there were several, none, or an error.
pub(super) fn metric(case: &mut Case, metric: &Named<Quantity>) -> Result<(), Problem> {
    let Named { name, value, .. } = metric;
    let typed_name = TypedName::read(name)?;
    let mut found = false;
    for answer in &mut case.custom_metrics {
        let MetricQuery { metric, described_object } = &answer.query;
        if described_object.is_some() && typed_name.means_query(metric, described_object.as_ref()) {
            found = true;
            let like = first(answer);
            give(answer, MetricValue { value: value.clone(), ..like });
        }
    }
    for answer in &mut case.external_metrics {
        if !typed_name.means_query(&answer.query.metric, None) {
            continue;
        }
        found = true;
        let like = first(answer);
        give(answer, ExternalMetricValue { value: value.clone(), ..like });
    }
    if found {
        return Ok(());
    }
    let metrics = &case.hpa.0.spec.metrics;
    Err(match metrics.iter().find(|it| typed_name.means(it)) {
        Some(of_pods) if is_of_pods_or_resource(of_pods) => other_flag(of_pods, metric, Knob::Usage),
        _ => Problem::NoSuchValue(name.clone(), name::list(metrics)),
    })
}

fn is_of_pods_or_resource(metric: &MetricSpec) -> bool {
    metric.object.is_none() && metric.external.is_none()
}

/// A metric whose values are typed with another knob.
fn other_flag<T>(metric: &MetricSpec, Named { name, typed, .. }: &Named<T>, knob: Knob) -> Problem {
    let flag = format!("{} {}", knob.flag(), shell_word(&format!("{name}={typed}")));
    Problem::OtherFlag(name::full(metric).into(), metric.kind.as_str().into(), flag.into())
}

fn first<T: Clone + Default>(answer: &MetricAnswer<T>) -> T {
    answer.items.as_ref().and_then(|items| items.first()).cloned().unwrap_or_default()
}

/// One item instead of those that were there, or of the error.
fn give<T>(answer: &mut MetricAnswer<T>, item: T) {
    answer.items = Some(vec![item]);
    answer.error = None;
}

/// `+50%`, `1.5x` or `150%` as thousandths of a percent of what there is, to one of which it is read: 150,000. Less than
/// 100% without a sign could be meant as more or as less, and is refused.
pub(super) fn parts(text: &str) -> Result<i64, Problem> {
    let wrong = || Problem::NotALoad(text.to_owned());
    let thousandths = |number: &str| Quantity::parse(number).ok()?.checked_milli_value();
    let plain = |number: &str| {
        let is_plain = number.chars().all(|it| it.is_ascii_digit() || it == '.');
        thousandths(number).filter(|_| is_plain)
    };
    if let Some(times) = text.strip_suffix(['x', 'X']) {
        return plain(times).and_then(|times| times.checked_mul(100)).ok_or_else(wrong);
    }
    let percent = text.strip_suffix('%').ok_or_else(wrong)?;
    if percent.starts_with(['+', '-']) {
        let more = thousandths(percent).and_then(|more| more.checked_add(100_000));
        return more.filter(|parts| *parts >= 0).ok_or_else(wrong);
    }
    match plain(percent) {
        Some(parts) if parts >= 100_000 => Ok(parts),
        Some(parts) => {
            let digits = format!("{parts:05}");
            let times = format!("0.{}", digits.trim_end_matches('0'));
            Err(Problem::LoadWithoutSign(text.to_owned(), times.trim_end_matches('.').to_owned()))
        }
        None => Err(wrong()),
    }
}

/// `+50%`: every sample and every value times one and a half, rounded up to a milli-unit and kept within int64.
pub(super) fn load(case: &mut Case, parts: i64) {
    let scale = |value: &mut Quantity| *value = of_milli(share(value.milli_value(), parts, 100_000));
    for item in case.pod_metrics.iter_mut().flat_map(|metrics| &mut metrics.items).flatten() {
        let containers = Arc::make_mut(item).containers.iter_mut();
        containers.flat_map(|container| container.usage.values_mut()).for_each(scale);
    }
    let custom = case.custom_metrics.iter_mut().flat_map(|answer| &mut answer.items).flatten();
    custom.for_each(|item| scale(&mut item.value));
    let external = case.external_metrics.iter_mut().flat_map(|answer| &mut answer.items).flatten();
    external.for_each(|item| scale(&mut item.value));
}

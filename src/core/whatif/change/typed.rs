//! A world that is typed, where there is none to read.

use std::sync::Arc;

use super::name::TypedName;
use super::number::Named;
use super::setting::Setting;
use super::usage::Amount;
use super::{Change, change_spec, name, pod_state, target_pods};
use crate::api::{
    Condition, ConditionType, Container, ContainerMetrics, ExternalMetricValue, Hpa, HpaSpec, HpaStatus,
    MetricIdentifier, MetricSpec, MetricValue, ObjectMeta, ObjectReference, Pod, PodMetrics, PodSpec,
    ResourceList, Scale, ScaleSpec, ScaleStatus, Template,
};
use crate::model::{Instant, Labels, Quantity};
use crate::snapshot::case::{
    API_VERSION, ControllerCase, HistoryCase, HpaCase, KIND, Many, MemoryCase, Metadata, MetricAnswer,
    MetricQuery, One, OtherHpas,
};
use crate::snapshot::{Case, default_metric};

/// The name of the one container, where no metric names another.
const CONTAINER: &str = "app";
const LABEL: &str = "app";

/// The first sync of an HPA that nobody has stored, on pods that nobody has read: as many as `--replicas` or the target's manifest
/// says, of its containers or one, ready for an hour, with samples of nothing. It still has to be changed by the same changes.
///
/// `None` if the changes and the manifest do not tell all that the decision needs: the replicas, the usage of each resource and of
/// each metric of pods, its request where the target or the usage is a share of it, and the value of each other metric.
#[must_use]
pub fn typed_world(hpa: &Hpa, at: Instant, changes: &[Change], template: Option<&Template>) -> Option<Case> {
    let mut hpa = hpa.clone();
    // As the API server fills it in.
    if hpa.spec.metrics.is_empty() {
        hpa.spec.metrics.push(default_metric());
    }
    let mut spec = hpa.spec.clone();
    change_spec(&mut spec, changes).ok()?;
    let typed = changes.iter().find_map(|change| match change.setting {
        Setting::Replicas(count) => Some(count),
        _ => None,
    });
    let replicas = typed.or(template.map(|template| template.replicas))?;
    let count = usize::try_from(replicas).ok().filter(|count| *count <= pod_state::MOST)?;
    let pods = Arc::new(match template {
        Some(template) => template.pods.clone(),
        None => of_one_container(&spec.metrics)?,
    });
    if !spec.metrics.iter().all(|metric| is_typed(metric, changes, template)) {
        return None;
    }
    let labels = Labels::from_iter([(LABEL, hpa.metadata.name.as_str())]);
    let metadata = |number: usize| ObjectMeta {
        name: format!("{}-{number}", hpa.metadata.name),
        labels: labels.clone(),
        ..ObjectMeta::default()
    };
    let pod = |number| {
        let mut pod = Pod { metadata: metadata(number), spec: Arc::clone(&pods), ..Pod::default() };
        target_pods::put(&mut pod, pod_state::State::Ready, at);
        pod
    };
    let sample = |number| {
        let mut usage = ResourceList::default();
        for resource in spec.metrics.iter().filter(|it| is_of_resource(it)).map(name::short) {
            usage.set(resource, Quantity::default());
        }
        // What is typed for a pod is divided as they request: nobody says which of them uses it.
        let measured = |it: &Container| {
            let mut usage = usage.clone();
            for (resource, request) in it.resources.requests.iter() {
                usage.set(resource, request.clone());
            }
            ContainerMetrics { name: it.name.as_str().into(), usage }
        };
        let containers = pods.running().map(measured).collect();
        let metadata = metadata(number).into();
        PodMetrics { metadata, timestamp: Some(at), containers, ..PodMetrics::default() }
    };
    let numbers = || 1..=count;
    let scale = Scale {
        spec: ScaleSpec { replicas },
        status: ScaleStatus { replicas, selector: format!("{LABEL}={}", hpa.metadata.name) },
        ..Scale::default()
    };
    Some(Case {
        api_version: API_VERSION.to_owned(),
        kind: KIND.to_owned(),
        metadata: Metadata::default(),
        at,
        controller: ControllerCase::default(),
        memory: Some(MemoryCase::default()),
        hpa: HpaCase(Hpa { status: status(&spec, typed), ..hpa.clone() }),
        scale: Some(One { object: Some(scale), error: None }),
        pods: Some(Many {
            items: Some(numbers().map(|number| Arc::new(pod(number))).collect()),
            error: None,
        }),
        pod_metrics: Some(Many {
            items: Some(numbers().map(|number| Arc::new(sample(number))).collect()),
            error: None,
        }),
        custom_metrics: spec
            .metrics
            .iter()
            .filter_map(|metric| custom(metric, numbers(), metadata))
            .collect(),
        external_metrics: spec.metrics.iter().filter_map(external).collect(),
        other_hpas: OtherHpas::default(),
        other_hpas_error: None,
        events: None,
        history: HistoryCase::default(),
        writes: None,
        access: Vec::new(),
        expect: None,
        origin: None,
    })
}

/// At 0 typed replicas of an HPA that may scale to zero it is taken to have done so itself: of any other zero there is nothing to
/// ask. That of a manifest is not the HPA's own.
fn status(spec: &HpaSpec, typed: Option<i32>) -> HpaStatus {
    let mut status = HpaStatus::default();
    if typed == Some(0) && spec.min_replicas == Some(0) {
        status.conditions.push(Condition {
            kind: ConditionType::ScaledToZero.as_str().into(),
            status: "True".into(),
            ..Condition::default()
        });
    }
    status
}

/// A pod of the one container that metrics are of; `None` if there are several.
fn of_one_container(metrics: &[MetricSpec]) -> Option<PodSpec> {
    let mut names = metrics.iter().filter_map(|metric| Some(&*metric.container_resource.as_ref()?.container));
    let first = names.next().unwrap_or(CONTAINER);
    let container = Container { name: first.to_owned(), ..Container::default() };
    names.all(|name| name == first).then(|| PodSpec { containers: vec![container], ..PodSpec::default() })
}

fn is_of_resource(metric: &MetricSpec) -> bool {
    metric.resource.is_some() || metric.container_resource.is_some()
}

/// True if the changes say all that a metric needs, beside the requests of a template. How much of a pod's usage is that of one
/// container among several they cannot say.
fn is_typed(metric: &MetricSpec, changes: &[Change], template: Option<&Template>) -> bool {
    let short = name::short(metric);
    let mut settings = changes.iter().map(|change| &change.setting);
    if metric.object.is_some() || metric.external.is_some() {
        let is_meant = |name| TypedName::read(name).is_ok_and(|name| name.means(metric));
        return settings.any(|it| matches!(it, Setting::Metric(Named { name, .. }) if is_meant(name)));
    }
    // Usage of a resource is that of all its containers.
    let is_used = |name: &String| match metric.pods {
        Some(_) => TypedName::read(name).is_ok_and(|name| name.means(metric)),
        None => name == short,
    };
    let usage = settings.clone().find_map(|it| match it {
        Setting::Usage(Named { name, value, .. }) if is_used(name) => Some(value),
        _ => None,
    });
    let of_resource = metric.resource.as_ref().map(|it| &it.target);
    let target = of_resource.or_else(|| metric.container_resource.as_ref().map(|it| &it.target));
    let is_share = target.is_some_and(|target| target.average_utilization.is_some());
    let is_requested = |name: &str| name == short || name.ends_with(&format!("/{short}"));
    let has_several = template.is_some_and(|it| it.pods.running().count() > 1);
    let mut requests = settings.filter(|it| matches!(it, Setting::Request(it) if is_requested(&it.name)));
    match usage {
        None => false,
        Some(Amount::Quantity(_)) if metric.container_resource.is_some() && has_several => false,
        Some(_) if template.is_some() => true,
        Some(Amount::Share(_)) => requests.next().is_some(),
        Some(Amount::Quantity(_)) => !is_share || requests.next().is_some(),
    }
}

/// The answer about a metric of pods, and about one of an object.
fn custom(
    metric: &MetricSpec,
    pods: impl Iterator<Item = usize>,
    named: impl Fn(usize) -> ObjectMeta,
) -> Option<MetricAnswer<MetricValue>> {
    let query = |metric: &MetricIdentifier, described_object| MetricQuery {
        metric: metric.clone(),
        described_object,
    };
    if let Some(object) = &metric.object {
        let query = query(&object.metric, Some(object.described_object.clone()));
        return Some(MetricAnswer { query, items: Some(vec![MetricValue::default()]), error: None });
    }
    let query = query(&metric.pods.as_ref()?.metric, None);
    let value = |number| MetricValue {
        described_object: ObjectReference { name: named(number).name, ..ObjectReference::default() },
        ..MetricValue::default()
    };
    Some(MetricAnswer { query, items: Some(pods.map(value).collect()), error: None })
}

fn external(metric: &MetricSpec) -> Option<MetricAnswer<ExternalMetricValue>> {
    let query = MetricQuery { metric: metric.external.as_ref()?.metric.clone(), described_object: None };
    Some(MetricAnswer { query, items: Some(vec![ExternalMetricValue::default()]), error: None })
}

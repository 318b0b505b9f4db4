//! The order of the reads, and the case that they make.

use std::collections::BTreeSet;

use futures::future::{OptionFuture, join_all};

use super::answer::Answer;
use super::connection::Connection;
use super::discovery::Discovery;
use super::error::ClusterError;
use super::plain::group_version;
use super::subject::Subject;
use crate::api;
use crate::model::{Instant, Selector};
use crate::snapshot::case::{self, API_VERSION, HpaCase, KIND, Many, Metadata, One, OtherCase};
use crate::snapshot::{Case, Read};

/// What the first answers tell: which autoscaler it is, and what the API server serves.
struct First {
    hpa: api::Hpa,
    /// All of the namespace.
    hpas: Read<Vec<api::Hpa>>,
    discovery: Discovery,
    events: Option<Many<api::Event>>,
    at: Option<Instant>,
}

/// What the target and its pods tell.
struct Workload {
    scale: Answer<api::Scale>,
    pods: Option<Answer<Vec<api::Pod>>>,
    pod_metrics: Option<Answer<Vec<api::PodMetrics>>>,
    values: Vec<case::Answer<api::MetricValue>>,
}

/// Answers that need nothing but the autoscaler.
struct Aside {
    object_values: Vec<case::Answer<api::MetricValue>>,
    external_values: Vec<case::Answer<api::ExternalMetricValue>>,
    others: Read<Vec<OtherCase>>,
    events: Many<api::Event>,
}

impl Connection {
    /// Reads all that the autoscaler's decision depends on. Apart from the autoscaler itself, what cannot be read
    /// stands in the case as an error in the place of the value.
    ///
    /// # Errors
    /// If there is no connection, or if the subject's autoscaler is not there, not to be read, or not the only one.
    pub async fn gather(&self, subject: &Subject) -> Result<Case, ClusterError> {
        let settings = async { Ok(self.settings().await) };
        let (case, controller) = tokio::try_join!(self.decision(subject), settings)?;
        Ok(Case { controller, ..case })
    }

    /// All but the settings.
    async fn decision(&self, subject: &Subject) -> Result<Case, ClusterError> {
        let first = self.first(subject).await?;
        let (workload, aside) = tokio::join!(
            self.workload(&first.discovery, &first.hpa),
            self.aside(&first.discovery, &first.hpa, first.hpas, first.events),
        );
        let at = workload.at().or(first.at);
        let at = at.ok_or_else(|| ClusterError::NoDate { server: self.server.clone() })?;
        Ok(case(at, first.hpa, workload, aside))
    }

    /// The reads of the first depth.
    async fn first(&self, subject: &Subject) -> Result<First, ClusterError> {
        let mut first = match subject {
            Subject::Hpa(name) => self.first_by_name(name).await,
            Subject::Target { type_name, name } => self.first_by_target(type_name, name).await,
        }?;
        if first.discovery.is_to_be_asked_plainly() {
            first.discovery = self.plain_discovery(needed(&first)).await;
        }
        Ok(first)
    }

    async fn first_by_name(&self, name: &str) -> Result<First, ClusterError> {
        let (hpa, hpas, discovery, events) =
            tokio::join!(self.hpa(name), self.hpas(), self.discovery(), self.events(name));
        let at = hpa.at;
        match hpa.read {
            Ok(hpa) => Ok(First { hpa, hpas: hpas.read, discovery, events: Some(events), at }),
            Err(error) => Err(self.without_hpa(name, error, &hpas.read)),
        }
    }

    async fn first_by_target(&self, type_name: &str, name: &str) -> Result<First, ClusterError> {
        let (hpas, discovery) = tokio::join!(self.hpas(), self.discovery());
        let at = hpas.at;
        let hpas = hpas.read.map_err(|error| self.refused(error))?;
        let hpa = self.scaling(&discovery, type_name, name, &hpas)?;
        Ok(First { hpa, hpas: Ok(hpas), discovery, events: None, at })
    }

    /// The scale, and then what its selector leads to.
    async fn workload(&self, discovery: &Discovery, hpa: &api::Hpa) -> Workload {
        let scale = self.scale(discovery, &hpa.spec.scale_target_ref).await;
        let selector = scale.read.as_ref().ok().and_then(selector);
        let Some(selector) = selector else {
            return Workload { scale, pods: None, pod_metrics: None, values: Vec::new() };
        };
        let metrics = &hpa.spec.metrics;
        let pod_metrics = needs_pod_metrics(metrics).then(|| self.pod_metrics(&selector));
        let values = distinct(metrics.iter().filter_map(pods_metric));
        let values = values.into_iter().map(|metric| self.pods_metric(discovery, metric, &selector));
        let (pods, pod_metrics, values) =
            tokio::join!(self.pods(&selector), OptionFuture::from(pod_metrics), join_all(values));
        Workload { scale, pods: Some(pods), pod_metrics, values: values.into_iter().flatten().collect() }
    }

    async fn aside(
        &self,
        discovery: &Discovery,
        hpa: &api::Hpa,
        hpas: Read<Vec<api::Hpa>>,
        events: Option<Many<api::Event>>,
    ) -> Aside {
        let metrics = &hpa.spec.metrics;
        let object_values = distinct(metrics.iter().filter_map(|metric| metric.object.as_ref()));
        let object_values = object_values.into_iter().map(|source| self.object_metric(discovery, source));
        let external_values = distinct(metrics.iter().filter_map(external_metric));
        let external_values = external_values.into_iter().map(|metric| self.external_metric(metric));
        let name = &hpa.metadata.name;
        let events = async {
            match events {
                Some(events) => events,
                None => self.events(name).await,
            }
        };
        let (object_values, external_values, others, events) = tokio::join!(
            join_all(object_values),
            join_all(external_values),
            self.others(discovery, hpas, name),
            events,
        );
        Aside {
            object_values: object_values.into_iter().flatten().collect(),
            external_values: external_values.into_iter().flatten().collect(),
            others,
            events,
        }
    }
}

impl Workload {
    /// The time at which the deepest answer of the API server itself was given. What is measured of pods comes from
    /// other servers, with clocks of their own.
    fn at(&self) -> Option<Instant> {
        self.pods.as_ref().and_then(|pods| pods.at).or(self.scale.at)
    }
}

fn case(at: Instant, hpa: api::Hpa, workload: Workload, aside: Aside) -> Case {
    let (other_hpas, other_hpas_error) = match aside.others {
        Ok(others) => (others, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    let Workload { scale, pods, pod_metrics, values } = workload;
    Case {
        api_version: API_VERSION.into(),
        kind: KIND.into(),
        metadata: Metadata::default(),
        at,
        controller: case::ControllerCase::default(),
        memory: None,
        hpa: HpaCase(hpa),
        scale: Some(one(scale)),
        pods: pods.map(many),
        pod_metrics: pod_metrics.map(many),
        custom_metrics: values.into_iter().chain(aside.object_values).collect(),
        external_metrics: aside.external_values,
        other_hpas,
        other_hpas_error,
        events: Some(aside.events),
        writes: None,
        expect: None,
    }
}

fn one<T>(answer: Answer<T>) -> One<T> {
    match answer.read {
        Ok(object) => One { object: Some(object), error: None },
        Err(error) => One { object: None, error: Some(error) },
    }
}

fn many<T>(answer: Answer<Vec<T>>) -> Many<T> {
    match answer.read {
        Ok(items) => Many { items: Some(items), error: None },
        Err(error) => Many { items: None, error: Some(error) },
    }
}

/// The pods' selector. The controller stops at one that is missing or malformed, and reads nothing.
fn selector(scale: &api::Scale) -> Option<Selector> {
    let text = &scale.status.selector;
    if text.is_empty() { None } else { Selector::parse(text).ok() }
}

/// The group versions that plain discovery must be asked for.
fn needed(first: &First) -> BTreeSet<(String, String)> {
    let targets = first.hpas.iter().flatten().chain([&first.hpa]).map(|hpa| &hpa.spec.scale_target_ref);
    let objects = first.hpa.spec.metrics.iter().filter_map(|metric| metric.object.as_ref());
    let references = targets.chain(objects.map(|source| &source.described_object));
    let versions = references.filter_map(|reference| group_version(&reference.api_version));
    versions.chain([(String::new(), "v1".to_owned())]).collect()
}

/// An autoscaler without any metric has been given one of cpu by the API server.
fn needs_pod_metrics(metrics: &[api::MetricSpec]) -> bool {
    metrics.is_empty()
        || metrics.iter().any(|metric| metric.resource.is_some() || metric.container_resource.is_some())
}

fn pods_metric(metric: &api::MetricSpec) -> Option<&api::MetricIdentifier> {
    metric.pods.as_ref().map(|source| &source.metric)
}

fn external_metric(metric: &api::MetricSpec) -> Option<&api::MetricIdentifier> {
    metric.external.as_ref().map(|source| &source.metric)
}

/// One question is asked once, however many metrics need its answer.
fn distinct<'a, T: PartialEq>(items: impl Iterator<Item = &'a T>) -> Vec<&'a T> {
    let mut distinct: Vec<&T> = Vec::new();
    for item in items {
        if !distinct.contains(&item) {
            distinct.push(item);
        }
    }
    distinct
}

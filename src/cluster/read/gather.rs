//! The order of the reads, and the case that they make.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures::future::{OptionFuture, join_all};

use super::own_scale::OwnScale;
use crate::cluster::connection::Connection;
use crate::cluster::discovery::{Discovery, Mapping, group_version};
use crate::cluster::error::ClusterError;
use crate::cluster::lookup::Subject;
use crate::cluster::wire::{DatedRead, Decoded};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::{Instant, Selector};
use kubectl_hpa_core::snapshot::case::{self, API_VERSION, HpaCase, KIND, Many, Metadata, OtherHpas};
use kubectl_hpa_core::snapshot::{Case, Read, ReadError};

const HPA: &str = "HorizontalPodAutoscaler";

/// What the first answers tell: which HPA it is, and what the API server serves.
pub(super) struct First<H> {
    pub hpa: H,
    /// All of the namespace.
    pub hpas: Read<Arc<Decoded<api::Hpa>>>,
    pub discovery: Arc<Discovery>,
    pub events: Option<Many<api::Event>>,
    pub at: Option<Instant>,
}

/// What the target and its pods tell.
struct Workload {
    scale: DatedRead<api::Scale>,
    pods: Option<DatedRead<Vec<Arc<api::Pod>>>>,
    pod_metrics: Option<DatedRead<Vec<Arc<api::PodMetrics>>>>,
    values: Vec<case::MetricAnswer<api::MetricValue>>,
    history: case::HistoryCase,
}

/// Answers that need nothing but the HPA.
struct IndependentReads {
    object_values: Vec<case::MetricAnswer<api::MetricValue>>,
    external_values: Vec<case::MetricAnswer<api::ExternalMetricValue>>,
    others: Read<OtherHpas>,
    events: Many<api::Event>,
    access: Vec<case::AccessCase>,
}

impl Connection {
    /// Reads all that the HPA's decision depends on. Apart from the HPA itself, what cannot be read
    /// stands in the case as an error in the place of the value.
    ///
    /// # Errors
    /// If there is no connection, or if the subject's HPA is not there, not to be read, or not the only one.
    pub async fn gather(&self, subject: &Subject) -> Result<Case, ClusterError> {
        let settings = async { Ok(self.controller().await) };
        let (case, controller) = tokio::try_join!(self.decision(subject), settings)?;
        Ok(Case { controller, ..case })
    }

    /// All but the settings.
    async fn decision(&self, subject: &Subject) -> Result<Case, ClusterError> {
        let mut first = self.first(subject).await?;
        self.complete(&mut first.discovery, &first.hpas, &[&first.hpa.spec]).await;
        let hpa = std::mem::take(&mut first.hpa);
        let metrics = hpa.spec.metrics.clone();
        self.read_remaining(&first, hpa, &metrics).await
    }

    /// The reads of the second and the third depth, for an HPA and the metrics that are to be asked for.
    pub(super) async fn read_remaining<H>(
        &self,
        first: &First<H>,
        hpa: api::Hpa,
        metrics: &[api::MetricSpec],
    ) -> Result<Case, ClusterError> {
        let own = OwnScale::new(self, &first.discovery, &hpa.spec.scale_target_ref);
        let (mut workload, mut independent_reads) = tokio::join!(
            Box::pin(self.workload(&first.discovery, &own, metrics)),
            Box::pin(self.independent_reads(first, &hpa, metrics, &own))
        );
        Box::pin(self.vouch(&hpa.status, errors(&mut workload, &mut independent_reads))).await;
        let at = workload.at().or(first.at);
        let at = at.ok_or_else(|| ClusterError::NoDate { server: self.client.server.clone() })?;
        Ok(Case { origin: Some(self.origin()), ..case(at, hpa, workload, independent_reads) })
    }

    /// Where discovery could not be had in one piece, what these specs need of it.
    pub(in crate::cluster) async fn complete(
        &self,
        discovery: &mut Arc<Discovery>,
        hpas: &Read<Arc<Decoded<api::Hpa>>>,
        specs: &[&api::HpaSpec],
    ) {
        if discovery.is_to_be_asked_plainly() {
            let others = hpas.iter().flat_map(|hpas| hpas.iter()).map(|hpa| &hpa.spec.scale_target_ref);
            *discovery = self.plain_discovery(needed(others, specs)).await;
        }
    }

    async fn plain_discovery(&self, needed: BTreeSet<(String, String)>) -> Arc<Discovery> {
        let client = self.client.optional();
        let Some(shared) = &self.shared else { return Arc::new(client.plain_discovery(needed).await) };
        let known = shared.plain_discovery.once(format!("{needed:?}"), async {
            DatedRead { read: Ok(Arc::new(client.plain_discovery(needed).await)), at: None }
        });
        known.await.read.unwrap_or_default()
    }

    /// The reads of the first depth.
    pub(super) async fn first(&self, subject: &Subject) -> Result<First<api::Hpa>, ClusterError> {
        match subject {
            Subject::Hpa(name) => self.found(name, self.first_by_name(name).await).await,
            Subject::Target { type_name, name } => self.first_by_target(type_name, name).await,
        }
    }

    /// The same for a name that may stand for nothing.
    pub(super) async fn first_by_name(&self, name: &str) -> First<Read<api::Hpa>> {
        let beside = self.optional();
        let (hpa, hpas, discovery, events) =
            tokio::join!(self.hpa(name), beside.hpas(), self.discovery(), self.events(HPA, name));
        First { hpa: hpa.read, hpas: hpas.read, discovery, events: Some(events), at: hpa.at }
    }

    /// An error, unless the HPA of the name is there.
    async fn found(&self, name: &str, first: First<Read<api::Hpa>>) -> Result<First<api::Hpa>, ClusterError> {
        let First { hpa, hpas, discovery, events, at } = first;
        match hpa {
            Ok(hpa) => Ok(First { hpa, hpas, discovery, events, at }),
            Err(error) => Err(self.or_without_namespace(&hpas, self.without_hpa(name, error, &hpas)).await),
        }
    }

    /// The name of the HPA that is meant.
    ///
    /// # Errors
    /// If a target was named, and it is not known which HPA scales it.
    pub async fn name_of(&self, subject: &Subject) -> Result<String, ClusterError> {
        match subject {
            Subject::Hpa(name) => Ok(name.clone()),
            Subject::Target { type_name, name } => {
                Ok(self.first_by_target(type_name, name).await?.hpa.metadata.name)
            }
        }
    }

    async fn first_by_target(&self, type_name: &str, name: &str) -> Result<First<api::Hpa>, ClusterError> {
        let (hpas, discovery) = tokio::join!(self.hpas(), self.discovery());
        let at = hpas.at;
        let hpas = hpas.read.map_err(|error| self.refused(error))?;
        let hpa = match self.scaling(&discovery, type_name, name, &hpas) {
            Ok(hpa) => hpa,
            Err(error) => return Err(self.or_without_namespace(&Ok(hpas), error).await),
        };
        Ok(First { hpa, hpas: Ok(hpas), discovery, events: None, at })
    }

    /// The scale, and then what its selector leads to.
    async fn workload(
        &self,
        discovery: &Discovery,
        own: &OwnScale<'_>,
        metrics: &[api::MetricSpec],
    ) -> Workload {
        let (scale, mapping) = split(own.read().await);
        let history = self.history(own.target, mapping.as_ref());
        let selector = scale.read.as_ref().ok().and_then(selector);
        let Some(selector) = selector else {
            let history = history.await;
            return Workload { scale, pods: None, pod_metrics: None, values: Vec::new(), history };
        };
        let pod_metrics = api::MetricSpec::need_pod_metrics(metrics).then(|| self.pod_metrics(&selector));
        let values = distinct(metrics.iter().filter_map(pods_metric));
        let values = values.into_iter().map(|metric| self.pods_metric(discovery, metric, &selector));
        let (pods, pod_metrics, values, history) =
            tokio::join!(self.pods(&selector), OptionFuture::from(pod_metrics), join_all(values), history);
        let values = values.into_iter().flatten().collect();
        Workload { scale, pods: Some(pods), pod_metrics, values, history }
    }

    async fn independent_reads<H>(
        &self,
        first: &First<H>,
        hpa: &api::Hpa,
        metrics: &[api::MetricSpec],
        own: &OwnScale<'_>,
    ) -> IndependentReads {
        let (discovery, name) = (&first.discovery, &hpa.metadata.name);
        let object_values = distinct(metrics.iter().filter_map(|metric| metric.object.as_ref()));
        let object_values = object_values.into_iter().map(|source| self.object_metric(discovery, source));
        let external_values = distinct(metrics.iter().filter_map(external_metric));
        let external_values = external_values.into_iter().map(|metric| self.external_metric(metric));
        let events = async {
            let events = match &first.events {
                Some(events) => events.clone(),
                None => self.events(HPA, name).await,
            };
            let access = self.access(&hpa.status, &events, first.at).await;
            (events, access)
        };
        let (object_values, external_values, others, (events, access)) = tokio::join!(
            join_all(object_values),
            join_all(external_values),
            self.others(discovery, &first.hpas, name, own),
            events,
        );
        IndependentReads {
            object_values: object_values.into_iter().flatten().collect(),
            external_values: external_values.into_iter().flatten().collect(),
            others,
            events,
            access,
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

/// The errors of the reads that the controller makes too.
fn errors<'a>(
    workload: &'a mut Workload,
    independent_reads: &'a mut IndependentReads,
) -> Vec<&'a mut ReadError> {
    let scale = workload.scale.read.as_mut().err();
    let usages = workload.pod_metrics.as_mut().and_then(|answer| answer.read.as_mut().err());
    let values = workload.values.iter_mut().chain(&mut independent_reads.object_values);
    let values = values.filter_map(|answer| answer.error.as_mut());
    let external = independent_reads.external_values.iter_mut().filter_map(|answer| answer.error.as_mut());
    scale.into_iter().chain(usages).chain(values).chain(external).collect()
}

fn case(at: Instant, hpa: api::Hpa, workload: Workload, independent_reads: IndependentReads) -> Case {
    let (other_hpas, other_hpas_error) = match independent_reads.others {
        Ok(others) => (others, None),
        Err(error) => (OtherHpas::default(), Some(error)),
    };
    let Workload { scale, pods, pod_metrics, values, history } = workload;
    Case {
        api_version: API_VERSION.into(),
        kind: KIND.into(),
        metadata: Metadata::default(),
        at,
        controller: case::ControllerCase::default(),
        memory: None,
        hpa: HpaCase(hpa),
        scale: Some(scale.read.into()),
        pods: pods.map(|pods| pods.read.into()),
        pod_metrics: pod_metrics.map(|metrics| metrics.read.into()),
        custom_metrics: values.into_iter().chain(independent_reads.object_values).collect(),
        external_metrics: independent_reads.external_values,
        other_hpas,
        other_hpas_error,
        events: Some(independent_reads.events),
        history,
        writes: None,
        access: independent_reads.access,
        expect: None,
        origin: None,
    }
}

/// The scale, and the resource that answered.
fn split(answer: DatedRead<(api::Scale, Mapping)>) -> (DatedRead<api::Scale>, Option<Mapping>) {
    let DatedRead { read, at } = answer;
    match read {
        Ok((scale, mapping)) => (DatedRead { read: Ok(scale), at }, Some(mapping)),
        Err(error) => (DatedRead { read: Err(error), at }, None),
    }
}

/// The pods' selector. The controller stops at one that is missing or malformed, and reads nothing.
fn selector(scale: &api::Scale) -> Option<Selector> {
    let text = &scale.status.selector;
    if text.is_empty() { None } else { Selector::parse(text).ok() }
}

/// The group versions that plain discovery must be asked for.
fn needed<'a>(
    others: impl Iterator<Item = &'a api::ObjectReference>,
    specs: &'a [&'a api::HpaSpec],
) -> BTreeSet<(String, String)> {
    let objects = specs.iter().flat_map(|spec| &spec.metrics).filter_map(|metric| metric.object.as_ref());
    let references = others
        .chain(specs.iter().map(|spec| &spec.scale_target_ref))
        .chain(objects.map(|source| &source.described_object));
    // Of many HPAs nearly all say the same: each text is parsed once.
    let written: BTreeSet<&str> = references.map(|reference| &*reference.api_version).collect();
    let versions = written.into_iter().filter_map(group_version);
    versions.chain([(String::new(), "v1".to_owned())]).collect()
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

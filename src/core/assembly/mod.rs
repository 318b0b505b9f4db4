//! Cases made of objects as kubectl prints them, alone or in lists: HPAs, what they scale, pods, samples, metric values and
//! events.
//!
//! | part of a case | made of | not given if |
//! | the scale | the target (Deployment, StatefulSet, ReplicaSet, ReplicationController) or its Scale | neither is there |
//! | the pods | Pods that the scale's selector matches | there are fewer than the target has |
//! | the samples | PodMetrics that the selector matches | there is none |
//! | the value of a metric | MetricValues and ExternalMetricValues | there is none, or several queries may have asked for it |
//! | the other HPAs | those of the namespace | there is no other |
//! | the events | those about the HPA | there is none |
//!
//! A part that is not given is an error that only the reader has ([`ReadError::not_given`]), with the command that prints it,
//! so that the engine treats it as any read that the reader could not do. An object that is given twice counts once, the later
//! one. The time of the case is the newest that a sample or any other object shows; without a sample it is that of the reader.

mod labeled;
mod metrics;
mod missing;
mod newest;
mod stock;
mod workload;

pub use stock::Stock;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::api;
use crate::model::{Instant, Selector};
use crate::snapshot::case::{
    API_VERSION, Case, ControllerCase, HistoryCase, HpaCase, KIND, Many, Metadata, One, OtherCase, OtherHpas,
};
use crate::snapshot::{Read, ReadError};
use labeled::Labeled;
use metrics::Values;

/// The case of each HPA of a stock, by namespace and name; each is made when it is asked for. `now` is the time of the
/// reader: times after it count for nothing.
pub fn cases(mut stock: Stock, now: Instant) -> impl Iterator<Item = Case> + use<> {
    let at = stock.times.newest(now);
    // Not every adapter gives a sample the labels of its pod.
    for (place, sample) in &mut stock.samples {
        if let Some(pod) = stock.pods.get(place).filter(|_| sample.metadata.labels.is_empty()) {
            Arc::make_mut(sample).metadata.labels = pod.metadata.labels.clone();
        }
    }
    let pods = Labeled::of(stock.pods, |pod| &pod.metadata.labels);
    let samples = Labeled::of(stock.samples, |sample| &sample.metadata.labels);
    let values = Values::of(&stock.hpas, stock.values);
    let scales = Scales { workloads: stock.workloads, scales: stock.scales };
    let mut events: BTreeMap<(String, String, String), Vec<api::Event>> = BTreeMap::new();
    for ((namespace, _), event) in stock.events {
        let about = &event.involved_object;
        events.entry((namespace, about.kind.clone(), about.name.clone())).or_default().push(event);
    }
    let assembly = Assembly { at, scales, pods, samples, values, events };
    let mut namespaces: BTreeMap<String, Vec<api::Hpa>> = BTreeMap::new();
    for ((namespace, _), hpa) in stock.hpas {
        namespaces.entry(namespace).or_default().push(hpa);
    }
    let assembly = Arc::new(assembly);
    namespaces.into_iter().flat_map(move |(namespace, hpas)| {
        let others = assembly.others(&namespace, &hpas);
        let assembly = Arc::clone(&assembly);
        hpas.into_iter()
            .enumerate()
            .map(move |(place, hpa)| assembly.case(&namespace, hpa, others.but_at(Some(place))))
    })
}

/// What the cases are made of.
struct Assembly {
    at: Instant,
    scales: Scales,
    pods: Labeled<Arc<api::Pod>>,
    samples: Labeled<Arc<api::PodMetrics>>,
    values: Values,
    /// By namespace, and by the kind and the name of what they are about.
    events: BTreeMap<(String, String, String), Vec<api::Event>>,
}

/// What HPAs scale, by namespace.
struct Scales {
    /// With the kind and the name.
    workloads: BTreeMap<(String, String, String), workload::Workload>,
    /// With the name: a scale does not say of which kind its object is.
    scales: BTreeMap<(String, String), api::Scale>,
}

impl Scales {
    fn workload(&self, namespace: &str, target: &api::ObjectReference) -> Option<&workload::Workload> {
        let group = target.api_version.split_once('/').map_or("", |(group, _)| group);
        let is_meant = |workload: &&workload::Workload| workload.group == group;
        let key = (namespace.to_owned(), target.kind.clone(), target.name.clone());
        self.workloads.get(&key).filter(is_meant)
    }

    fn of(&self, namespace: &str, target: &api::ObjectReference) -> Read<api::Scale> {
        let own = self.workload(namespace, target).and_then(|workload| workload.scale.as_ref());
        let scale = own.or_else(|| self.scales.get(&(namespace.to_owned(), target.name.clone())));
        scale.cloned().ok_or_else(|| match api::unscalable(&target.api_version, &target.kind) {
            // What every API server answers.
            Some(api::Unscalable::NoSubresource(_)) => ReadError {
                code: Some(404),
                reason: "NotFound".to_owned(),
                message: "the server could not find the requested resource".to_owned(),
                ..ReadError::default()
            },
            _ => ReadError::not_given(missing::scale(namespace, target)),
        })
    }
}

impl Assembly {
    fn others(&self, namespace: &str, hpas: &[api::Hpa]) -> OtherHpas {
        let other = |hpa: &api::Hpa| OtherCase {
            scale: Some(self.scales.of(namespace, &hpa.spec.scale_target_ref).into()),
            hpa: HpaCase(hpa.clone()),
        };
        hpas.iter().map(other).collect::<Vec<_>>().into()
    }

    fn case(&self, namespace: &str, hpa: api::Hpa, other_hpas: OtherHpas) -> Case {
        let target = &hpa.spec.scale_target_ref;
        let scale = self.scales.of(namespace, target);
        let selector = scale.as_ref().ok().and_then(|scale| Some((scale, selector(&scale.status.selector)?)));
        let needs_samples = api::MetricSpec::need_pod_metrics(&hpa.spec.metrics);
        let (pods, pod_metrics) = match (&selector, &scale) {
            (Some((scale, selector)), _) => (
                Some(self.pods(namespace, scale, selector)),
                needs_samples.then(|| self.samples(namespace, selector)),
            ),
            // With the scale they will be needed, too.
            (None, Err(_)) => (
                self.pods
                    .is_empty(namespace)
                    .then(|| Err(ReadError::not_given(missing::pods(namespace, "")))),
                (needs_samples && self.samples.is_empty(namespace))
                    .then(|| Err(ReadError::not_given(missing::pod_metrics(namespace, "")))),
            ),
            (None, Ok(_)) => (None, None),
        };
        let known = pods.as_ref().and_then(|pods| pods.as_ref().ok()).map_or(&[][..], Vec::as_slice);
        let of_pods = selector.as_ref().map_or("", |(scale, _)| scale.status.selector.as_str());
        Case {
            api_version: API_VERSION.into(),
            kind: KIND.into(),
            metadata: Metadata::default(),
            at: self.at,
            controller: ControllerCase::default(),
            memory: None,
            custom_metrics: self.values.custom(namespace, &hpa.spec.metrics, known, of_pods),
            external_metrics: self.values.external(namespace, &hpa.spec.metrics),
            other_hpas_error: other_hpas.is_empty().then(|| ReadError::not_given(missing::hpas(namespace))),
            other_hpas,
            events: Some(self.events(namespace, "HorizontalPodAutoscaler", &hpa.metadata.name)),
            history: self.history(namespace, target),
            access: Vec::new(),
            writes: None,
            expect: None,
            origin: None,
            scale: Some(scale.into()),
            pods: pods.map(Into::into),
            pod_metrics: pod_metrics.map(Into::into),
            hpa: HpaCase(hpa),
        }
    }

    fn pods(&self, namespace: &str, scale: &api::Scale, selector: &Selector) -> Read<Vec<Arc<api::Pod>>> {
        let pods = self.pods.selected(namespace, selector);
        let there = usize::try_from(scale.status.replicas).unwrap_or_default().max(1);
        let command = || missing::pods(namespace, &scale.status.selector);
        if pods.len() < there { Err(ReadError::not_given(command())) } else { Ok(pods) }
    }

    fn samples(&self, namespace: &str, selector: &Selector) -> Read<Vec<Arc<api::PodMetrics>>> {
        let samples = self.samples.selected(namespace, selector);
        let command = || missing::pod_metrics(namespace, &selector.to_string());
        if samples.is_empty() { Err(ReadError::not_given(command())) } else { Ok(samples) }
    }

    fn events(&self, namespace: &str, kind: &str, name: &str) -> Many<api::Event> {
        let events = self.events.get(&(namespace.to_owned(), kind.to_owned(), name.to_owned()));
        events.cloned().ok_or_else(|| ReadError::not_given(missing::events(namespace))).into()
    }

    /// A target without managed fields shows nothing of the past: kubectl leaves them out.
    fn history(&self, namespace: &str, target: &api::ObjectReference) -> HistoryCase {
        let workload = self.scales.workload(namespace, target);
        let shown = workload.filter(|workload| !workload.target.metadata.managed_fields.is_empty());
        let is_deployment = target.kind == "Deployment";
        HistoryCase {
            target: shown.map(|workload| One { object: Some(workload.target.clone()), error: None }),
            target_events: is_deployment.then(|| self.events(namespace, &target.kind, &target.name)),
            ..HistoryCase::default()
        }
    }
}

/// The pods' selector, if the controller comes to use it.
fn selector(text: &str) -> Option<Selector> {
    if text.is_empty() { None } else { Selector::parse(text).ok() }
}

//! Cases made of objects as kubectl prints them, alone or in lists: HPAs, what they scale, pods, samples, metric values and
//! events.
//!
//! | part of a case | made of | not given if |
//! | the scale | the target (Deployment, StatefulSet, ReplicaSet, ReplicationController), or the Scale of a custom resource | it is not there, or the Scale may be that of another kind |
//! | the pods | Pods that the scale's selector matches | there are fewer than the target's status counts |
//! | the samples | PodMetrics that the selector matches | there is none, or one came alone and not all |
//! | the value of a metric | MetricValues and ExternalMetricValues | there is none, or several queries may have asked for it |
//! | the other HPAs | those of the namespace | there is no other |
//! | the events | those about the HPA | there is none |
//!
//! Of an HPA that is only described by `kubectl describe` the scale is not given: the text lacks what a decision depends on. The table of
//! `kubectl top pods` gives no samples.
//!
//! A part that is not given is an error that only the reader has ([`ReadError::not_given`]), with the command that prints it,
//! so that the engine treats it as any read that the reader could not do. An object that is given twice counts once, the later
//! one. The time of the case is the newest that the cluster has written into a sample or any other object; without a sample it is
//! that of the reader.

mod labeled;
mod metrics;
mod missing;
mod newest;
mod stock;
mod workload;

pub use stock::Stock;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::api;
use crate::model::{Instant, Selector};
use crate::snapshot::case::{
    API_VERSION, Case, ControllerCase, HistoryCase, HpaCase, KIND, Many, Metadata, One, OtherCase, OtherHpas,
};
use crate::snapshot::{Read, ReadError, Stage};
use labeled::Labeled;
use metrics::Values;

/// The case of each HPA of a stock, by namespace and name; each is made when it is asked for. `now` is the time of the
/// reader: later times count only up to the newest sample, if the reader's clock is behind.
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
    let scales = Scales::of_stock(stock.workloads, stock.scales, &stock.hpas);
    let mut events: BTreeMap<(String, String, String), Vec<api::Event>> = BTreeMap::new();
    for ((namespace, _), event) in stock.events {
        let about = &event.involved_object;
        events.entry((namespace, about.kind.clone(), about.name.clone())).or_default().push(event);
    }
    let Stock { described, lone_samples, has_top, .. } = stock;
    let assembly = Assembly { at, described, scales, pods, samples, lone_samples, has_top, values, events };
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

/// The case of an HPA as it is, `None` if the stock does not have it, and its case with the spec of a manifest.
#[must_use]
pub fn proposed(stock: &Stock, manifest: &api::Hpa, now: Instant) -> Option<(Option<Case>, Case)> {
    let (then, place) = stock.proposed(manifest);
    let is_meant =
        |case: &Case| (&*case.hpa.0.metadata.namespace, &case.hpa.0.metadata.name) == (&*place.0, &place.1);
    let is = cases(stock.clone(), now).find(is_meant);
    let mut then = cases(then, now).find(is_meant)?;
    let Some(is) = is else { return Some((None, then.without_a_past())) };
    then.keep_synced(&is.hpa.0);
    Some((Some(is), then))
}

/// The objects, found by what a case needs.
struct Assembly {
    at: Instant,
    described: BTreeSet<(String, String)>,
    scales: Scales,
    pods: Labeled<Arc<api::Pod>>,
    samples: Labeled<Arc<api::PodMetrics>>,
    lone_samples: BTreeSet<(String, String)>,
    has_top: bool,
    values: Values,
    /// By namespace, and by the kind and the name of what they are about.
    events: BTreeMap<(String, String, String), Vec<api::Event>>,
}

/// The targets of HPAs, by namespace.
struct Scales {
    /// With the kind and the name.
    workloads: BTreeMap<(String, String, String), workload::Workload>,
    /// With the name: a scale does not say of which kind its object is.
    named: BTreeMap<(String, String), api::Scale>,
    /// How many kinds of targets have a name.
    kinds: BTreeMap<(String, String), usize>,
}

impl Scales {
    fn of_stock(
        workloads: BTreeMap<(String, String, String), workload::Workload>,
        scales: BTreeMap<(String, String), api::Scale>,
        hpas: &BTreeMap<(String, String), api::Hpa>,
    ) -> Self {
        let targets = hpas.iter().map(|((namespace, _), hpa)| {
            let target = &hpa.spec.scale_target_ref;
            (namespace.clone(), target.name.clone(), target.group().to_owned(), target.kind.clone())
        });
        let given = workloads.iter().map(|((namespace, kind, name), workload)| {
            (namespace.clone(), name.clone(), workload.group.clone(), kind.clone())
        });
        let all: BTreeSet<_> = targets.chain(given).collect();
        let mut kinds = BTreeMap::new();
        for (namespace, name, ..) in all {
            *kinds.entry((namespace, name)).or_default() += 1;
        }
        Self { workloads, named: scales, kinds }
    }

    fn workload(&self, namespace: &str, target: &api::ObjectReference) -> Option<&workload::Workload> {
        let is_meant = |workload: &&workload::Workload| workload.group == target.group();
        let key = (namespace.to_owned(), target.kind.clone(), target.name.clone());
        self.workloads.get(&key).filter(is_meant)
    }

    /// The command for what a described HPA lacks first: the target, of any API of this kind and name, else the HPA.
    fn missing(&self, namespace: &str, target: &api::ObjectReference) -> String {
        let key = (namespace.to_owned(), target.kind.clone(), target.name.clone());
        if self.workloads.contains_key(&key) {
            missing::hpas(namespace)
        } else {
            missing::scale(namespace, target)
        }
    }

    fn of(&self, namespace: &str, target: &api::ObjectReference) -> Read<api::Scale> {
        if let Some(why) = api::unscalable(&target.api_version, &target.kind) {
            return Err(no_scale(target, why));
        }
        let own = self.workload(namespace, target).and_then(|workload| workload.scale.as_ref());
        // Only that of a custom resource is needed: what is built in tells its scale itself.
        let is_of_one = || self.kinds.get(&(namespace.to_owned(), target.name.clone())) == Some(&1);
        let named = self.named.get(&(namespace.to_owned(), target.name.clone()));
        let named = named.filter(|_| !is_built_in(target) && is_of_one());
        let scale = own.or(named).cloned();
        scale.ok_or_else(|| ReadError::not_given(missing::scale(namespace, target)))
    }
}

fn is_built_in(target: &api::ObjectReference) -> bool {
    matches!(target.group(), "" | "apps")
}

/// The answer of every API server for a kind without a scale.
fn no_scale(target: &api::ObjectReference, why: api::Unscalable<'_>) -> ReadError {
    match why {
        api::Unscalable::NoSubresource(_) => ReadError {
            code: Some(404),
            reason: "NotFound".to_owned(),
            message: "the server could not find the requested resource".to_owned(),
            ..ReadError::default()
        },
        api::Unscalable::NoSuchKind { .. } => ReadError {
            message: format!("no matches for kind {:?} in group {:?}", target.kind, target.group()),
            stage: Stage::Mapping,
            ..ReadError::default()
        },
    }
}

impl Assembly {
    /// True if there is only the text of `kubectl describe` of an HPA.
    fn is_described(&self, namespace: &str, hpa: &api::Hpa) -> bool {
        self.described.contains(&(namespace.to_owned(), hpa.metadata.name.clone()))
    }

    /// All HPAs of a namespace; none if what one of them scales is not wholly known.
    fn others(&self, namespace: &str, hpas: &[api::Hpa]) -> OtherHpas {
        if hpas.iter().any(|hpa| self.is_described(namespace, hpa)) {
            return OtherHpas::default();
        }
        let other = |hpa: &api::Hpa| OtherCase {
            scale: Some(self.scales.of(namespace, &hpa.spec.scale_target_ref).into()),
            hpa: HpaCase(hpa.clone()),
        };
        hpas.iter().map(other).collect::<Vec<_>>().into()
    }

    fn case(&self, namespace: &str, hpa: api::Hpa, other_hpas: OtherHpas) -> Case {
        let target = &hpa.spec.scale_target_ref;
        let is_described = self.is_described(namespace, &hpa);
        let scale = if is_described {
            Err(ReadError::described(self.scales.missing(namespace, target)))
        } else {
            self.scales.of(namespace, target)
        };
        let selector = scale.as_ref().ok().and_then(|scale| Some((scale, selector(&scale.status.selector)?)));
        let needs_samples = api::MetricSpec::need_pod_metrics(&hpa.spec.metrics);
        let (pods, pod_metrics) = match (&selector, &scale) {
            (Some((scale, selector)), _) => {
                let pods = self.pods(namespace, &target.kind, scale, selector);
                let samples = needs_samples.then(|| self.samples(namespace, selector, pods.as_deref().ok()));
                (Some(pods), samples)
            }
            // With the scale they will be needed, too.
            (None, Err(_)) => (
                self.pods
                    .is_empty(namespace)
                    .then(|| Err(ReadError::not_given(missing::pods(namespace, "")))),
                (needs_samples && self.samples.is_empty(namespace))
                    .then(|| Err(self.no_samples(missing::pod_metrics(namespace, "")))),
            ),
            (None, Ok(_)) => (None, None),
        };
        let known = pods.as_ref().and_then(|pods| pods.as_ref().ok()).map_or(&[][..], Vec::as_slice);
        // The text does not say which series of a metric are meant.
        let selected = if is_described { &[][..] } else { &hpa.spec.metrics };
        let of_pods = selector.as_ref().map_or("", |(scale, _)| scale.status.selector.as_str());
        Case {
            api_version: API_VERSION.into(),
            kind: KIND.into(),
            metadata: Metadata::default(),
            at: self.at,
            controller: ControllerCase::default(),
            memory: None,
            custom_metrics: self.values.custom(namespace, selected, known, of_pods),
            external_metrics: self.values.external(namespace, selected),
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

    /// All pods, if there are as many as the target's status counts: but for a StatefulSet only those that may still run.
    fn pods(
        &self,
        namespace: &str,
        kind: &str,
        scale: &api::Scale,
        selector: &Selector,
    ) -> Read<Vec<Arc<api::Pod>>> {
        let pods = self.pods.selected(namespace, selector);
        let may_run = |pod: &&Arc<api::Pod>| {
            pod.metadata.deletion_timestamp.is_none()
                && !["Succeeded", "Failed"].contains(&pod.status.phase.as_str())
        };
        let counted = pods.iter().filter(|pod| kind == "StatefulSet" || may_run(pod)).count();
        let there = usize::try_from(scale.status.replicas).unwrap_or_default();
        let there = if scale.spec.replicas == 0 { there } else { there.max(1) };
        let command = || missing::pods(namespace, &scale.status.selector);
        if counted < there { Err(ReadError::not_given(command())) } else { Ok(pods) }
    }

    /// All samples. One that came alone says nothing of other pods; without a pod there is nothing to measure.
    fn samples(
        &self,
        namespace: &str,
        selector: &Selector,
        pods: Option<&[Arc<api::Pod>]>,
    ) -> Read<Vec<Arc<api::PodMetrics>>> {
        let samples = self.samples.selected(namespace, selector);
        let is_alone = |sample: &Arc<api::PodMetrics>| {
            self.lone_samples.contains(&(namespace.to_owned(), sample.metadata.name.clone()))
        };
        let has_less = pods.is_some_and(|pods| samples.len() < pods.len());
        let is_partial = has_less && samples.iter().any(is_alone);
        let command = || missing::pod_metrics(namespace, &selector.to_string());
        let is_none = samples.is_empty() && pods.is_none_or(|pods| !pods.is_empty());
        if is_none || is_partial { Err(self.no_samples(command())) } else { Ok(samples) }
    }

    /// In place of samples, with the command that prints them.
    fn no_samples(&self, command: String) -> ReadError {
        if self.has_top { ReadError::rounded(command) } else { ReadError::not_given(command) }
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

//! From a case to a snapshot: everything is parsed, rounded, defaulted and joined once, at the door.

use std::fmt::Display;
use std::sync::Arc;

use super::bounds::{self, Counts};
use super::case::{
    API_VERSION, Case, ControllerCase, KIND, Many, MemoryCase, MetricAnswer, One, OtherHpas, ScaleEventCase,
};
use super::freeze_pods::PodIndex;
use super::history::{Synced, history};
use super::mapped::unless_unmapped;
use super::stored::forgive;
use super::{
    CaseError, Controller, Oddity, OtherHpa, PodList, Read, ReadError, Reading, Scale, Selection, Snapshot,
    Writes, freeze_hpa, oddity, other_hpa, quoted, validate,
};
use crate::api;
use crate::model::{
    AllBut, Evidence, Evidenced, Instant, LabelSelector, Memory, MetricIdentifier, MetricSpec, Milli,
    ObjectReference, Recommendation, Replicas, ScaleEvent, Selector, Source,
};
use crate::rules::NEWEST;

impl Snapshot {
    /// Freezes a case.
    ///
    /// # Errors
    /// What contradicts itself, what the API server would not store, and what no decision can be made on; with the
    /// path of the field.
    pub fn freeze(mut case: Case) -> Result<Self, CaseError> {
        let mut selected_pods = SelectedPods::of(&mut case);
        Self::freeze_over(&mut selected_pods, case)
    }

    /// Freezes a case over pods that were taken out of it, or of one with the same selector. They go into the
    /// snapshot; [`SelectedPods::take_back`] makes them free again.
    ///
    /// # Errors
    /// As [`Snapshot::freeze`].
    #[inline(never)] // It is large, and is called in two places.
    pub fn freeze_over(selected_pods: &mut SelectedPods, mut case: Case) -> Result<Self, CaseError> {
        check_header(&case)?;
        bounds::hpa(&case.hpa.0)?;
        let counts = Counts::of(&case);
        forgive(&mut case.hpa.0);
        let mut history = history(&case)?;
        let synced_replicas = case.history.synced_replicas.map(Replicas);
        let scale = scale(case.scale)?;
        let controller = controller(case.controller)?;
        validate::hpa(&case.hpa.0)?;
        let hpa = freeze_hpa::hpa(case.hpa.0)?;
        let own = || Synced {
            behavior: hpa.behavior.clone(),
            max: hpa.max,
            replicas: None,
            generation: hpa.generation,
            is_past: false,
        };
        let current = scale.as_ref().ok().map(|scale| scale.replicas);
        let synced = history.synced.get_or_insert_with(own);
        synced.is_past |= synced_replicas.is_some();
        synced.replicas = synced_replicas.or(current);
        let selector = scale.as_ref().ok().and_then(|scale| match &scale.selector {
            Selection::Parsed { selector, .. } => Some(selector),
            Selection::Missing | Selection::Invalid { .. } => None,
        });
        let namespace = &hpa.key.namespace;
        let pod_index = selected_pods.select(namespace, selector)?;
        counts.check(pod_index.pods.len())?;
        let usages = match many(case.pod_metrics, "podMetrics")? {
            Ok(items) => Ok(pod_index.join_usages(&items, namespace, selector)?),
            Err(error) => Err(error),
        };
        let answers = Answers { custom: case.custom_metrics, external: case.external_metrics };
        let readings =
            hpa.metrics.iter().map(|metric| answers.reading(metric, pod_index)).collect::<Result<_, _>>()?;
        let metrics = hpa.metrics.iter().enumerate();
        let oddities = metrics
            .flat_map(|(place, metric)| answers.oddities(metric).into_iter().map(move |odd| (place, odd)))
            .collect();
        let writes = case.writes.unwrap_or_default();
        // Whoever states the memory knows what the controller can do.
        let scale = if case.memory.is_some() { scale } else { unless_unmapped(scale, &hpa) };
        let mut snapshot = Self {
            name: Some(case.metadata.name).filter(|name| !name.is_empty()).map(Into::into),
            origin: case.origin,
            taken_at: case.at,
            controller,
            is_stated: case.memory.is_some(),
            memory_evidence: case.memory.as_ref().map_or(Evidence::Unknown, |memory| memory.evidence),
            memory: memory(case.memory.unwrap_or_default()),
            history,
            others: others(&case.other_hpas, case.other_hpas_error, &hpa.key.namespace)?,
            hpa,
            // The last that can fail stands above: what is lent out comes back with the snapshot.
            pods: selected_pods.lend(),
            usages,
            readings,
            oddities,
            writes: Writes {
                scale: writes.scale.map(|refusal| refusal.error),
                status: writes.status.map(|refusal| refusal.error),
            },
            access: case.access,
            scale,
        };
        quoted::share(&mut snapshot);
        Ok(snapshot)
    }
}

/// The pods of a case, selected once: whatever else the case holds can be frozen over them again and again.
pub struct SelectedPods {
    unread: Option<Many<Arc<api::Pod>>>,
    selected: Option<(PodIndex, Option<ReadError>)>,
}

impl SelectedPods {
    /// Takes the pods out of a case.
    #[must_use]
    pub fn of(case: &mut Case) -> Self {
        Self { unread: case.pods.take(), selected: None }
    }

    /// Takes the pods back out of the snapshot that was frozen over them.
    pub fn take_back(&mut self, snapshot: Snapshot) {
        if let (Some((pod_index, _)), Ok(pods)) = (&mut self.selected, snapshot.pods) {
            pod_index.pods = pods.into();
        }
    }

    /// The pods, without any usage joined to them.
    fn select(&mut self, namespace: &str, selector: Option<&Selector>) -> Result<&mut PodIndex, CaseError> {
        if self.selected.is_none() {
            let (items, error) = split(many(self.unread.take(), "pods")?);
            validate::pods(&items)?;
            self.selected = Some((PodIndex::select(&items, namespace, selector)?, error));
        }
        let (pod_index, _) = self.selected.get_or_insert_default();
        pod_index.forget_usages();
        Ok(pod_index)
    }

    fn lend(&mut self) -> Read<PodList> {
        let (pod_index, error) = self.selected.get_or_insert_default();
        error.clone().map_or_else(|| Ok(std::mem::take(&mut pod_index.pods).into()), Err)
    }
}

fn check_header(case: &Case) -> Result<(), CaseError> {
    if case.api_version != API_VERSION {
        let problem = format!("`{}` is not known; expected {API_VERSION}", case.api_version);
        return Err(CaseError::new("apiVersion", problem));
    }
    if case.kind != KIND {
        return Err(CaseError::new("kind", format!("`{}` is not known; expected {KIND}", case.kind)));
    }
    check_times(case)
}

const NO_TIME: &str =
    "must be a time, for example 2026-11-21T10:42:00Z; null and 0001-01-01T00:00:00Z mean no time";

/// The times that a case must have are there: null is read as Go's zero time.
fn check_times(case: &Case) -> Result<(), CaseError> {
    let missing = |place: String| CaseError::new(place, NO_TIME);
    if case.at.is_zero() {
        return Err(missing("at".to_owned()));
    }
    let Some(memory) = &case.memory else { return Ok(()) };
    let lists: [(&str, Vec<Instant>); 3] = [
        ("recommendations", memory.recommendations.iter().map(|entry| entry.at).collect()),
        ("scaleUpEvents", memory.scale_up_events.iter().map(|entry| entry.at).collect()),
        ("scaleDownEvents", memory.scale_down_events.iter().map(|entry| entry.at).collect()),
    ];
    for (name, times) in lists {
        if let Some(index) = times.iter().position(|at| at.is_zero()) {
            return Err(missing(format!("memory.{name}[{index}].at")));
        }
    }
    Ok(())
}

fn controller(case: ControllerCase) -> Result<Controller, CaseError> {
    let version = case.version.map_or_else(
        || Evidenced::assumed(format!("v{NEWEST}").into()),
        |Evidenced { value, evidence, from }| Evidenced { value: value.into(), evidence, from },
    );
    let defaults = Controller::with_defaults(version);
    let tolerance = case.tolerance.unwrap_or(defaults.tolerance);
    if !tolerance.value.is_finite() || tolerance.value < 0.0 {
        return Err(CaseError::new("controller.tolerance.value", "must be a number of at least 0"));
    }
    Ok(Controller {
        version: defaults.version,
        api_server: case.api_server.map(String::into_boxed_str),
        architecture: case.architecture.unwrap_or(defaults.architecture),
        tolerance,
        downscale_stabilization: case.downscale_stabilization.unwrap_or(defaults.downscale_stabilization),
        cpu_initialization_period: case
            .cpu_initialization_period
            .unwrap_or(defaults.cpu_initialization_period),
        initial_readiness_delay: case.initial_readiness_delay.unwrap_or(defaults.initial_readiness_delay),
        sync_period: case.sync_period.unwrap_or(defaults.sync_period),
        event_ttl: case.event_ttl.unwrap_or(defaults.event_ttl),
        started: case.started,
        lease: case.lease,
        lease_error: case.lease_error,
        runs: case.runs,
        unelected: case.unelected,
        feature_gates: case.feature_gates.into_iter().map(|(gate, set)| (gate.into(), set)).collect(),
        error: case.error,
    })
}

fn memory(case: MemoryCase) -> Memory {
    let events = |events: Vec<ScaleEventCase>| {
        let event = |event: ScaleEventCase| ScaleEvent {
            change: event.change,
            at: event.at,
            outdated: event.outdated,
        };
        events.into_iter().map(event).collect()
    };
    let recommendations = case.recommendations.into_iter();
    Memory {
        recommendations: recommendations
            .map(|earlier| Recommendation { replicas: Replicas(earlier.replicas), at: earlier.at })
            .collect(),
        scale_ups: events(case.scale_up_events),
        scale_downs: events(case.scale_down_events),
    }
}

fn scale(case: Option<One<api::Scale>>) -> Result<Read<Scale>, CaseError> {
    let scale = match one(case, "scale")? {
        Ok(scale) => scale,
        Err(error) => return Ok(Err(error)),
    };
    if scale.spec.replicas < 0 {
        return Err(CaseError::new("scale.object.spec.replicas", "must be greater than or equal to 0"));
    }
    Ok(Ok(parsed(&scale)))
}

fn parsed(scale: &api::Scale) -> Scale {
    Scale {
        replicas: Replicas(scale.spec.replicas),
        observed: Replicas(scale.status.replicas),
        selector: selection(&scale.status.selector),
    }
}

fn selection(text: &str) -> Selection {
    if text.is_empty() {
        return Selection::Missing;
    }
    match Selector::parse(text) {
        Ok(selector) => Selection::Parsed { text: text.into(), selector },
        Err(error) => Selection::Invalid { text: text.into(), error: error.to_string().into() },
    }
}

/// The other HPAs of the namespace; those of other namespaces have no pods in common with it.
fn others(
    cases: &OtherHpas,
    error: Option<ReadError>,
    namespace: &str,
) -> Result<Read<AllBut<OtherHpa>>, CaseError> {
    if let Some(error) = error {
        let either = || CaseError::new("otherHPAsError", "must not be used together with `otherHPAs`");
        return if cases.is_empty() { Ok(Err(error)) } else { Err(either()) };
    }
    let others = if let Some(others) = cases.frozen.get() {
        Arc::clone(others)
    } else {
        let others = cases.all().iter().enumerate().map(|(index, other)| {
            let own = one(other.scale.as_ref().map(lent), format_args!("otherHPAs[{index}].scale"))?;
            Ok(other_hpa::frozen(&other.hpa.0, &own.map(parsed)))
        });
        let others = others.collect::<Result<_, _>>()?;
        Arc::clone(cases.frozen.get_or_init(|| others))
    };
    let others = cases.of(others);
    let is_near = |other: &&OtherHpa| *other.key.namespace == *namespace;
    if others.iter().all(|other| is_near(&other)) {
        return Ok(Ok(others));
    }
    Ok(Ok(others.iter().filter(is_near).cloned().collect::<Vec<_>>().into()))
}

/// The answers of the custom and the external metrics API.
struct Answers {
    custom: Vec<MetricAnswer<api::MetricValue>>,
    external: Vec<MetricAnswer<api::ExternalMetricValue>>,
}

impl Answers {
    fn reading(&self, metric: &MetricSpec, pod_index: &PodIndex) -> Result<Reading, CaseError> {
        Ok(match &metric.source {
            Source::Resource(_) | Source::ContainerResource { .. } => Reading::Usage,
            Source::Pods(metric) => match find(&self.custom, metric, None, "customMetrics")? {
                Some(answer) => Reading::Pods(answer.map(|items| pod_index.join_samples(items))),
                None => Reading::Absent,
            },
            Source::Object { metric, object } => {
                match find(&self.custom, metric, Some(object), "customMetrics")? {
                    Some(answer) => Reading::Object(
                        answer
                            .map(|items| items.iter().map(|item| Milli(item.value.milli_value())).collect()),
                    ),
                    None => Reading::Absent,
                }
            }
            Source::External(metric) => match find(&self.external, metric, None, "externalMetrics")? {
                Some(answer) => Reading::External(
                    answer.map(|items| items.iter().map(|item| Milli(item.value.milli_value())).collect()),
                ),
                None => Reading::Absent,
            },
        })
    }
}

impl Answers {
    /// What is odd in the answer for a metric. With an invalid selector the controller asks nothing.
    fn oddities(&self, metric: &MetricSpec) -> Vec<Oddity> {
        let selector = metric.source.identifier().and_then(|it| it.selector.as_ref());
        if selector.is_some_and(|selector| selector.to_selector().is_err()) {
            return Vec::new();
        }
        let custom = |metric, object| find(&self.custom, metric, object, "customMetrics").ok()??.ok();
        let external = |metric| find(&self.external, metric, None, "externalMetrics").ok()??.ok();
        match &metric.source {
            Source::Resource(_) | Source::ContainerResource { .. } => None,
            Source::Pods(metric) => custom(metric, None).map(|items| oddity::of_pods(&metric.name, items)),
            Source::Object { metric, object } => {
                custom(metric, Some(object)).map(|items| oddity::of_object(&metric.name, items))
            }
            Source::External(metric) => {
                external(metric).map(|items| oddity::of_external(&metric.name, items))
            }
        }
        .unwrap_or_default()
    }
}

/// The answer to a query, if the case holds it. Queries are equal where the controller's requests are: it asks for
/// group, kind and name without a version, for its own namespace whatever the name of a described Namespace, and
/// for the selector by its meaning.
fn find<'a, T>(
    answers: &'a [MetricAnswer<T>],
    metric: &MetricIdentifier,
    object: Option<&ObjectReference>,
    place: &str,
) -> Result<Option<Read<&'a [T]>>, CaseError> {
    let asked = meaning(metric.selector.as_ref());
    let is_asked = |answer: &MetricAnswer<T>| {
        let held = answer.query.described_object.as_ref();
        let held = held.map(|held| described(&held.api_version, &held.kind, &held.name));
        *answer.query.metric.name == *metric.name
            && meaning(answer.query.metric.selector.as_ref()) == asked
            && held == object.map(|object| described(&object.api_version, &object.kind, &object.name))
    };
    let Some((index, answer)) = answers.iter().enumerate().find(|(_, answer)| is_asked(answer)) else {
        return Ok(None);
    };
    match (&answer.items, &answer.error) {
        (Some(items), None) => Ok(Some(Ok(items))),
        (None, Some(error)) => Ok(Some(Err(error.clone()))),
        _ => Err(either_or(&format!("{place}[{index}]"), "items")),
    }
}

/// A metric selector as the controller sends it; one that is none stands for itself.
fn meaning(selector: Option<&LabelSelector>) -> String {
    let selector = selector.cloned().unwrap_or_default();
    selector.to_selector().map_or_else(|_| selector.go_string(), |parsed| parsed.to_string())
}

/// Group, kind and name of a described object, as the controller asks for it.
fn described<'a>(api_version: &'a str, kind: &'a str, name: &'a str) -> (&'a str, &'a str, &'a str) {
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    let is_namespace = group.is_empty() && kind == "Namespace";
    (group, kind, if is_namespace { "" } else { name })
}

fn one<T>(case: Option<One<T>>, place: impl Display) -> Result<Read<T>, CaseError> {
    match case.map(|case| (case.object, case.error)) {
        Some((Some(object), None)) => Ok(Ok(object)),
        Some((None, Some(error))) => Ok(Err(error)),
        Some(_) => Err(either_or(&place.to_string(), "object")),
        None => Ok(Err(ReadError::not_in_case(&place.to_string()))),
    }
}

fn lent<T>(case: &One<T>) -> One<&T> {
    One { object: case.object.as_ref(), error: case.error.clone() }
}

fn many<T>(case: Option<Many<T>>, place: &str) -> Result<Read<Vec<T>>, CaseError> {
    match case.map(|case| (case.items, case.error)) {
        Some((Some(items), None)) => Ok(Ok(items)),
        Some((None, Some(error))) => Ok(Err(error)),
        Some(_) => Err(either_or(place, "items")),
        None => Ok(Err(ReadError::not_in_case(place))),
    }
}

fn either_or(place: &str, value: &str) -> CaseError {
    CaseError::new(place, format!("needs either `{value}` or `error`"))
}

fn split<T>(read: Read<Vec<T>>) -> (Vec<T>, Option<ReadError>) {
    match read {
        Ok(items) => (items, None),
        Err(error) => (Vec::new(), Some(error)),
    }
}

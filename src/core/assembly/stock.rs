//! The objects that were given, by what they are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use super::metrics::Given;
use super::newest::Times;
use super::workload::{Workload, WorkloadObject};
use crate::api;
use crate::model::{LabelSelector, Labels, Text};
use crate::snapshot::{DESCRIBED, TOP, TypeMeta, Violation, Written, typed};

/// Objects of the API, those of lists one by one; an object that comes again takes the place of the one before. Each map is by
/// namespace and name.
#[derive(Clone, Default)]
pub struct Stock {
    pub(super) hpas: BTreeMap<(String, String), api::Hpa>,
    /// Those of which there is only the text of `kubectl describe`.
    pub(super) described: BTreeSet<(String, String)>,
    /// By namespace, kind and name.
    pub(super) workloads: BTreeMap<(String, String, String), Workload>,
    pub(super) scales: BTreeMap<(String, String), api::Scale>,
    pub(super) pods: BTreeMap<(String, String), Arc<api::Pod>>,
    pub(super) samples: BTreeMap<(String, String), Arc<api::PodMetrics>>,
    /// Those that came outside of a list: they say nothing of other pods.
    pub(super) lone_samples: BTreeSet<(String, String)>,
    /// True if there is a table of `kubectl top pods`, which does not say of which namespace.
    pub(super) has_top: bool,
    pub(super) values: Given,
    pub(super) events: BTreeMap<(String, String), api::Event>,
    pub(super) times: Times,
    /// How many lists there were.
    lists: usize,
}

/// The namespace of an object that names none, as to kubectl.
const DEFAULT: &str = "default";

impl Stock {
    /// True if there is an HPA of a cluster, and not only manifests of some.
    #[must_use]
    pub fn has_hpa(&self) -> bool {
        !self.described.is_empty() || self.hpas.values().any(api::Hpa::is_stored)
    }

    /// True if there is what nobody writes by hand: a pod, what was measured, or a list of what a cluster has.
    #[must_use]
    pub fn is_printed(&self) -> bool {
        let Self { workloads, scales, pods, samples, values, lists, .. } = self;
        let is_of_cluster = || self.has_hpa() || workloads.values().any(|workload| workload.scale.is_some());
        let is_measured = !samples.is_empty() || !values.is_empty();
        is_measured || !pods.is_empty() || !scales.is_empty() || (*lists > 0 && is_of_cluster())
    }

    /// True if there is an HPA of this namespace and name.
    #[must_use]
    pub fn has(&self, hpa: &api::Hpa) -> bool {
        self.hpas.contains_key(&place(&mut hpa.metadata.clone()))
    }

    /// The replicas and pods that the manifest of an HPA's target asks for, if it is here.
    #[must_use]
    pub fn template(&self, hpa: &api::Hpa) -> Option<&api::Template> {
        let (namespace, _) = place(&mut hpa.metadata.clone());
        let target = &hpa.spec.scale_target_ref;
        let workload = self.workloads.get(&(namespace, target.kind.clone(), target.name.clone()))?;
        let has_pods = !workload.template.pods.containers.is_empty();
        (workload.group == target.group() && has_pods).then_some(&workload.template)
    }

    /// A copy in which the API server has stored a manifest, with its place.
    pub(super) fn proposed(&self, manifest: &api::Hpa) -> (Self, (String, String)) {
        let mut proposed = self.clone();
        let mut created = manifest.created();
        let place = place(&mut created.metadata);
        let hpa = self.hpas.get(&place).map_or(created, |stored| stored.replaced(manifest));
        proposed.hpas.insert(place.clone(), hpa);
        (proposed, place)
    }

    /// Takes an object, or those of a list. Kinds that no decision depends on are passed over.
    ///
    /// # Errors
    /// The first field that no API server can decode, with its path.
    pub fn add(&mut self, object: Value) -> Result<(), Violation> {
        self.take(object, None)
    }

    fn take(&mut self, mut object: Value, of_list: Option<&TypeMeta>) -> Result<(), Violation> {
        let own = TypeMeta::of(&object);
        if let Some(of_items) = own.of_items()
            && let Some(items) = object.get_mut("items").and_then(Value::as_array_mut)
        {
            self.lists += 1;
            for (place, item) in std::mem::take(items).into_iter().enumerate() {
                self.take(item, Some(&of_items)).map_err(|it| below(&format!("items[{place}]"), it))?;
            }
            return Ok(());
        }
        let meta = of_list.filter(|_| own.kind.is_empty()).unwrap_or(&own);
        self.take_one(object, meta, of_list.is_some())
    }

    fn take_one(&mut self, mut object: Value, meta: &TypeMeta, is_listed: bool) -> Result<(), Violation> {
        match (meta.group(), meta.kind.as_str()) {
            ("autoscaling", "HorizontalPodAutoscaler") => {
                meta.write(&mut object);
                self.times.take(&object);
                let (place, hpa) = placed(object)?;
                self.described.remove(&place);
                self.hpas.insert(place, hpa);
                return Ok(());
            }
            ("kubectl-hpa", DESCRIBED) => {
                let (place, hpa) = placed(object["hpa"].take())?;
                if self.described.contains(&place) || !self.hpas.contains_key(&place) {
                    self.described.insert(place.clone());
                    self.hpas.insert(place, hpa);
                }
                return Ok(());
            }
            ("kubectl-hpa", TOP) => self.has_top = true,
            ("autoscaling", "Scale") => {
                let mut scale: api::Scale = typed(&object)?;
                self.scales.insert(place(&mut scale.metadata), scale);
            }
            ("apps", "Deployment" | "StatefulSet" | "ReplicaSet") | ("", "ReplicationController") => {
                let mut read = if meta.group().is_empty() {
                    typed::<WorkloadObject<Labels>>(&object)?.into()
                } else {
                    typed::<WorkloadObject<LabelSelector>>(&object)?
                };
                let (namespace, name) = place(&mut read.metadata);
                let workload = Workload::of(meta.group(), &meta.kind, read);
                self.workloads.insert((namespace, meta.kind.clone(), name), workload);
            }
            ("", "Pod") => {
                let mut pod: api::Pod = typed(&object)?;
                self.pods.insert(place(&mut pod.metadata), Arc::new(pod));
            }
            ("", "Event") => {
                let mut event: api::Event = typed(&object)?;
                self.events.insert(place(&mut event.metadata), event);
            }
            ("metrics.k8s.io", "PodMetrics") => {
                let mut sample: api::PodMetrics = typed(&object)?;
                self.times.take_sample(sample.timestamp);
                let place = in_namespace(&mut sample.metadata.namespace, &sample.metadata.name);
                if !is_listed {
                    self.lone_samples.insert(place.clone());
                }
                self.samples.insert(place, Arc::new(sample));
            }
            ("custom.metrics.k8s.io", "MetricValue") => {
                let namespace = object.pointer("/describedObject/namespace").and_then(Value::as_str);
                let namespace = namespace.filter(|it| !it.is_empty()).unwrap_or(DEFAULT).to_owned();
                as_v1beta2(&mut object);
                let value: api::MetricValue = typed(&object)?;
                self.times.take_sample(value.timestamp);
                self.values.add(self.lists, &namespace, value);
            }
            ("external.metrics.k8s.io", "ExternalMetricValue") => {
                let value: api::ExternalMetricValue = typed(&object)?;
                self.times.take_sample(value.timestamp);
                self.values.add_external(self.lists, value);
            }
            _ => return Ok(()),
        }
        self.times.take(&object);
        Ok(())
    }
}

/// The names that custom.metrics.k8s.io/v1beta1 has for the metric and the window of a value, in v1beta2.
fn as_v1beta2(value: &mut Value) {
    let Some(fields) = value.as_object_mut() else { return };
    if let Some(name) = fields.shift_remove("metricName") {
        let selector = fields.shift_remove("selector");
        fields.insert("metric".to_owned(), json!({"name": name, "selector": selector}));
    }
    if let Some(window) = fields.shift_remove("window") {
        fields.insert("windowSeconds".to_owned(), window);
    }
}

/// An HPA with its namespace and name.
fn placed(object: Value) -> Result<((String, String), api::Hpa), Violation> {
    let mut hpa = Written::live(object).hpa()?.hpa;
    Ok((place(&mut hpa.metadata), hpa))
}

/// Namespace and name of an object, which has a namespace from now on.
fn place(metadata: &mut api::ObjectMeta) -> (String, String) {
    in_namespace(&mut metadata.namespace, &metadata.name)
}

fn in_namespace(namespace: &mut Text, name: &str) -> (String, String) {
    if namespace.is_empty() {
        *namespace = DEFAULT.into();
    }
    (namespace.to_string(), name.to_owned())
}

fn below(place: &str, violation: Violation) -> Violation {
    let dot = if violation.path.is_empty() || violation.path.starts_with('[') { "" } else { "." };
    Violation { path: format!("{place}{dot}{}", violation.path), ..violation }
}

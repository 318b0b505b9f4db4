//! The case file: `apiVersion: kubectl-hpa/v1`, `kind: Case`. `case-file.md` documents it for those who write converters.
//!
//! A field that is null is absent, here as in the objects of the API.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Origin, OtherHpa, Read, ReadError, bounded};
use crate::api::{self, nullable};
use crate::model::instant::nanos;
use crate::model::{AllBut, Architecture, Duration, Evidence, Evidenced, Instant};

/// The value of `apiVersion`.
pub const API_VERSION: &str = "kubectl-hpa/v1";
/// The value of `kind`.
pub const KIND: &str = "Case";

/// One case: everything that one decision depends on, in plain API objects.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Case {
    /// `kubectl-hpa/v1`.
    pub api_version: String,
    /// `Case`.
    pub kind: String,
    /// For people.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Metadata::is_empty")]
    pub metadata: Metadata,
    /// The instant of the reconcile, to the nanosecond.
    #[serde(with = "nanos")]
    pub at: Instant,
    /// The controller and its settings.
    #[serde(default, deserialize_with = "nullable")]
    pub controller: ControllerCase,
    /// The controller's memory before; absent is unknown.
    pub memory: Option<MemoryCase>,
    /// The HPA, in v2 or v1.
    pub hpa: HpaCase,
    /// The target's scale.
    pub scale: Option<One<api::Scale>>,
    /// The pods of the namespace.
    pub pods: Option<Many<Arc<api::Pod>>>,
    /// The answer of the resource metrics API.
    pub pod_metrics: Option<Many<Arc<api::PodMetrics>>>,
    /// The answers of the custom metrics API.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub custom_metrics: Vec<MetricAnswer<api::MetricValue>>,
    /// The answers of the external metrics API.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub external_metrics: Vec<MetricAnswer<api::ExternalMetricValue>>,
    /// The other HPAs of the namespace.
    #[serde(
        default,
        rename = "otherHPAs",
        deserialize_with = "nullable",
        skip_serializing_if = "AllBut::is_empty"
    )]
    pub other_hpas: OtherHpas,
    /// Why they are not known, where they could not be listed.
    #[serde(rename = "otherHPAsError")]
    pub other_hpas_error: Option<ReadError>,
    /// Events about the HPA.
    pub events: Option<Many<api::Event>>,
    /// Further evidence of the past.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "HistoryCase::is_empty")]
    pub history: HistoryCase,
    /// The rights that the controller's last error says it lacks, as the API server answers for them now.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub access: Vec<AccessCase>,
    /// What writes will answer.
    pub writes: Option<WritesCase>,
    /// What is to be decided: has no part in the decision.
    pub expect: Option<Expect>,
    /// Where the case was read: no part of the file.
    #[serde(skip)]
    pub origin: Option<Origin>,
}

/// What the API shows of the past besides the HPA and its events, and what the user states about it.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct HistoryCase {
    /// The scale target: its managed fields show who set the replicas last.
    pub target: Option<One<api::Target>>,
    /// Events about the scale target: a Deployment's show each size that it had.
    pub target_events: Option<Many<api::Event>>,
    /// The spec that the controller has worked with, if the one of the HPA is a what-if.
    pub synced_spec: Option<Box<api::HpaSpec>>,
    /// Its `metadata.generation`, if the one of the HPA is a what-if.
    pub synced_generation: Option<i64>,
    /// The replicas that the target has, if those of the scale are a what-if.
    pub synced_replicas: Option<i32>,
    /// Sizes from which the HPA is known to have scaled.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub rescales: Vec<GivenRescale>,
}

impl Case {
    /// The case as JSON, of which files and records are made.
    ///
    /// # Errors
    /// If a map of it has keys that are no text.
    pub fn to_value(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::to_value(self)
    }

    /// A case of an HPA that is not stored yet: the controller has not seen it, and remembers nothing of it. What it
    /// remembered of an earlier one of that name it has forgotten (upstream `deleteHPA`, `reconcileKey`).
    #[must_use]
    pub fn without_a_past(self) -> Self {
        let memory = MemoryCase { evidence: Evidence::Inferred, ..MemoryCase::default() };
        let events = Many { items: Some(Vec::new()), error: None };
        Self { memory: Some(memory), events: Some(events), ..self }
    }

    /// The same case with the HPA as it would be; the controller has worked with the spec that it has.
    #[must_use]
    pub fn with_spec_of(&self, hpa: api::Hpa) -> Self {
        let mut changed = Self { hpa: HpaCase(hpa), ..self.clone() };
        changed.keep_synced(&self.hpa.0);
        changed
    }

    /// Keeps the spec that the controller has worked with, and its generation, if the HPA's is different.
    pub fn keep_synced(&mut self, synced: &api::Hpa) {
        if self.history.synced_spec.is_none() && self.hpa.0.spec != synced.spec {
            self.history.synced_spec = Some(Box::new(synced.spec.clone()));
            let generation = synced.metadata.generation;
            self.history.synced_generation =
                Some(generation).filter(|it| *it != self.hpa.0.metadata.generation);
        }
    }

    /// `spec.replicas` of the scale, if it is known.
    #[must_use]
    pub fn replicas(&self) -> Option<i32> {
        Some(self.scale.as_ref()?.object.as_ref()?.spec.replicas)
    }

    /// Keeps the replicas that the target has, if the scale has others.
    pub fn keep_replicas(&mut self, replicas: Option<i32>) {
        if self.history.synced_replicas.is_none() && self.replicas() != replicas {
            self.history.synced_replicas = replicas;
        }
    }
}

impl HistoryCase {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A rescale by the controller that the user states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenRescale {
    /// When, to the second.
    #[serde(with = "nanos")]
    pub at: Instant,
    /// The replicas before.
    #[serde(deserialize_with = "bounded::replicas")]
    pub from: i32,
}

/// What a case is expected to come to; what is absent is not looked at.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Expect {
    /// The replicas that are decided.
    pub replicas: Option<i32>,
    /// No fewer than these.
    pub at_least: Option<i32>,
    /// No more than these.
    pub at_most: Option<i32>,
    /// Codes of steps that occur, in this order; others may come between them.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<String>,
    /// The reason of the rescale, as its event has it.
    pub reason: Option<String>,
    /// Conditions of the status that the controller leaves.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<ConditionExpect>,
    /// What changes would come to.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub what_if: Vec<WhatIf>,
}

/// A condition.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConditionExpect {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its status.
    pub status: Option<String>,
    /// Its reason.
    pub reason: Option<String>,
}

/// Changes, as they are typed for `simulate`, and what they would come to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhatIf {
    /// Each a flag with its value: `--load +50%`.
    pub change: Vec<String>,
    /// What is expected then.
    pub expect: Box<Expect>,
}

/// A name and a description.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Metadata {
    /// Name.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What the case shows.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "String::is_empty")]
    pub description: String,
}

impl Metadata {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The controller's version and settings; an absent one is the default, assumed.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ControllerCase {
    /// Version, as `v1.37.1`.
    pub version: Option<Evidenced<String>>,
    /// The API server's version, if the controller's own is known and may differ.
    #[serde(rename = "apiServerVersion")]
    pub api_server: Option<String>,
    /// `amd64` or `arm64`.
    pub architecture: Option<Evidenced<Architecture>>,
    /// A fraction.
    pub tolerance: Option<Evidenced<f64>>,
    /// A Go duration.
    pub downscale_stabilization: Option<Evidenced<Duration>>,
    /// A Go duration.
    pub cpu_initialization_period: Option<Evidenced<Duration>>,
    /// A Go duration.
    pub initial_readiness_delay: Option<Evidenced<Duration>>,
    /// A Go duration, longer than zero.
    #[serde(deserialize_with = "bounded::period")]
    pub sync_period: Option<Evidenced<Duration>>,
    /// A Go duration: for how long the API server keeps an event after it was last written.
    #[serde(rename = "eventTTL")]
    pub event_ttl: Option<Evidenced<Duration>>,
    /// Since when the controller that leads has been running: it remembers nothing from before.
    pub started: Option<Evidenced<Instant>>,
    /// The Lease of the leader election, if it could be read and somebody has held it.
    pub lease: Option<LeaseCase>,
    /// Why the Lease is not known, where it could not be read.
    pub lease_error: Option<ReadError>,
    /// Whether the controller manager runs the HPA controller (`--controllers`).
    pub runs: Option<Evidenced<bool>>,
    /// The pods of controller managers that take no part in a leader election: each of them decides.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub unelected: Vec<String>,
    /// Gates by name.
    #[serde(deserialize_with = "gates", skip_serializing_if = "BTreeMap::is_empty")]
    pub feature_gates: BTreeMap<String, Evidenced<bool>>,
    /// Why the flags of kube-controller-manager are not known, where they could not be read.
    pub error: Option<ReadError>,
}

/// The Lease of kube-controller-manager (client-go `LeaderElectionRecord`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaseCase {
    /// `spec.holderIdentity`.
    pub holder: String,
    /// `spec.renewTime`.
    #[serde(with = "nanos")]
    pub renewed: Instant,
    /// `spec.leaseDurationSeconds`, a Go duration: it has expired that long after it was renewed.
    pub lasts: Duration,
}

/// The API server's answer to whether the controller has a right (`SubjectAccessReview` of authorization.k8s.io/v1).
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AccessCase {
    /// The controller's user, by its own error.
    pub user: String,
    /// For example `list`.
    pub verb: String,
    /// For example `external.metrics.k8s.io`; empty for the core group.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// For example `deployments/scale`, as the error has it.
    pub resource: String,
    /// Whether it has the right now.
    pub allowed: bool,
}

/// A gate that is null is absent, as every other field.
fn gates<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Evidenced<bool>>, D::Error> {
    let gates = Option::<BTreeMap<String, Option<Evidenced<bool>>>>::deserialize(deserializer)?;
    Ok(gates.into_iter().flatten().filter_map(|(name, gate)| Some((name, gate?))).collect())
}

/// The controller's memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct MemoryCase {
    /// How it is known.
    #[serde(deserialize_with = "nullable")]
    pub evidence: Evidence,
    /// In slot order.
    #[serde(deserialize_with = "nullable")]
    pub recommendations: Vec<RecommendationCase>,
    /// In slot order.
    #[serde(deserialize_with = "nullable")]
    pub scale_up_events: Vec<ScaleEventCase>,
    /// In slot order.
    #[serde(deserialize_with = "nullable")]
    pub scale_down_events: Vec<ScaleEventCase>,
}

/// A recommendation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecommendationCase {
    /// Before stabilization; never negative.
    #[serde(deserialize_with = "bounded::replicas")]
    pub replicas: i32,
    /// When, to the nanosecond.
    #[serde(with = "nanos")]
    pub at: Instant,
}

/// A scale event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScaleEventCase {
    /// By how many replicas: an absolute value, at least 1.
    #[serde(deserialize_with = "bounded::change")]
    pub change: i32,
    /// When, to the nanosecond.
    #[serde(with = "nanos")]
    pub at: Instant,
    /// Marked for reuse.
    #[serde(default, deserialize_with = "nullable")]
    pub outdated: bool,
}

/// The HPA in either version. `autoscaling/v1` keeps what it cannot say in annotations.
/// It is saved in v2.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct HpaCase(pub api::Hpa);

/// One object, or the error in its place.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "T: Deserialize<'de>"))]
pub struct One<T> {
    /// The object.
    pub object: Option<T>,
    /// The error.
    pub error: Option<ReadError>,
}

impl<T> From<Read<T>> for One<T> {
    fn from(read: Read<T>) -> Self {
        match read {
            Ok(object) => Self { object: Some(object), error: None },
            Err(error) => Self { object: None, error: Some(error) },
        }
    }
}

/// A list, or the error in its place.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "T: Deserialize<'de>"))]
pub struct Many<T> {
    /// The items.
    pub items: Option<Vec<T>>,
    /// The error.
    pub error: Option<ReadError>,
}

impl<T> From<Read<Vec<T>>> for Many<T> {
    fn from(read: Read<Vec<T>>) -> Self {
        match read {
            Ok(items) => Self { items: Some(items), error: None },
            Err(error) => Self { items: None, error: Some(error) },
        }
    }
}

/// The answer to one query of a metrics API.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "T: Deserialize<'de>"))]
pub struct MetricAnswer<T> {
    /// What was asked.
    pub query: MetricQuery,
    /// The items.
    pub items: Option<Vec<T>>,
    /// The error.
    pub error: Option<ReadError>,
}

/// A query: the metric as the HPA's spec names it and, for Object metrics, the object.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MetricQuery {
    /// Name and selector.
    pub metric: api::MetricIdentifier,
    /// The object; absent for metrics of pods and for external ones.
    pub described_object: Option<api::ObjectReference>,
}

/// Another HPA of the namespace.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherCase {
    /// The HPA.
    pub hpa: HpaCase,
    /// Its target's scale, whose selector the controller remembers.
    pub scale: Option<One<api::Scale>>,
}

/// The other HPAs of a namespace. All cases of it share one list, and what the first snapshot made of that.
#[derive(Clone, Debug, Default)]
pub struct OtherHpas {
    cases: AllBut<OtherCase>,
    /// Says nothing that the cases don't say.
    pub(super) frozen: Arc<OnceLock<Arc<[OtherHpa]>>>,
}

impl OtherHpas {
    /// The same without the HPA of this name.
    #[must_use]
    pub fn but(&self, name: &str) -> Self {
        self.but_at(self.all().iter().position(|other| other.hpa.0.metadata.name == name))
    }

    /// All but the HPA at a place, or all.
    #[must_use]
    pub fn but_at(&self, place: Option<usize>) -> Self {
        Self { cases: self.cases.but(place), frozen: Arc::clone(&self.frozen) }
    }
}

impl From<Vec<OtherCase>> for OtherHpas {
    fn from(cases: Vec<OtherCase>) -> Self {
        Self { cases: cases.into(), frozen: Arc::default() }
    }
}

impl Deref for OtherHpas {
    type Target = AllBut<OtherCase>;

    fn deref(&self) -> &AllBut<OtherCase> {
        &self.cases
    }
}

impl PartialEq for OtherHpas {
    fn eq(&self, other: &Self) -> bool {
        self.cases == other.cases
    }
}

impl Serialize for OtherHpas {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for OtherHpas {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

/// What the API server will answer to the controller's writes.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WritesCase {
    /// To PUT scale.
    pub scale: Option<Refusal>,
    /// To PUT status.
    pub status: Option<Refusal>,
}

/// A write that fails.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// How.
    pub error: ReadError,
}

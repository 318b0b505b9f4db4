//! The HPA and its target, as the controller reads them.

use super::{Owner, ReadError};
use crate::api::{ConditionType, HpaStatus};
use crate::model::{Behavior, Instant, MetricSpec, ObjectReference, Replicas, Selector};

/// A `HorizontalPodAutoscaler` with the API server's defaults filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Hpa {
    /// Namespace and name.
    pub key: HpaKey,
    /// `metadata.generation`.
    pub generation: i64,
    /// `metadata.creationTimestamp`.
    pub created: Option<Instant>,
    /// `metadata.deletionTimestamp`: since when it is being deleted. The controller goes on until it is gone.
    pub deleted: Option<Instant>,
    /// The controlling owner.
    pub owner: Option<Owner>,
    /// `spec.scaleTargetRef`.
    pub target: ObjectReference,
    /// `spec.minReplicas`, 1 where it is not set.
    pub min: Replicas,
    /// `spec.maxReplicas`.
    pub max: Replicas,
    /// `spec.metrics`.
    pub metrics: Vec<MetricSpec>,
    /// Whether the manifest has no `spec.metrics`, so that they are the API server's default.
    pub has_default_metrics: bool,
    /// `spec.behavior`.
    pub behavior: Option<Behavior>,
    /// The status that the last reconcile left.
    pub status: HpaStatus,
}

impl Hpa {
    /// Whether any metric can be measured without pods (upstream `hasObjectOrExternalMetrics`).
    #[must_use]
    pub fn outlives_pods(&self) -> bool {
        self.metrics.iter().any(MetricSpec::outlives_pods)
    }

    /// The `ScaledObject` that KEDA made it from.
    #[must_use]
    pub fn scaled_object(&self) -> Option<&str> {
        self.owner.as_ref().filter(|owner| &*owner.kind == "ScaledObject").map(|owner| &*owner.name)
    }

    /// The replicas that the controller left the target with, by the status; `None` where it has not written one yet,
    /// could not set them, or left none: waking it up is somebody else's.
    #[must_use]
    pub fn left_replicas(&self) -> Option<Replicas> {
        let able = self.status.condition(ConditionType::AbleToScale)?;
        (able.status == "True" && self.status.desired_replicas > 0)
            .then_some(Replicas(self.status.desired_replicas))
    }
}

/// Namespace and name of an HPA.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HpaKey {
    /// Namespace.
    pub namespace: Box<str>,
    /// Name.
    pub name: Box<str>,
}

/// The scale subresource of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    /// `spec.replicas`: the current replicas of the algorithm.
    pub replicas: Replicas,
    /// `status.replicas`: only Object and External AverageValue metrics use it.
    pub observed: Replicas,
    /// `status.selector`, parsed.
    pub selector: Selection,
}

/// `scale.status.selector`, parsed once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The field is empty.
    Missing,
    /// It is not a selector: upstream's error text.
    Invalid {
        /// As written.
        text: Box<str>,
        /// What `labels.Parse` says of it.
        error: Box<str>,
    },
    /// A selector.
    Parsed {
        /// As written: messages quote it so.
        text: Box<str>,
        /// What it means.
        selector: Selector,
    },
}

/// What the API server will answer to the controller's writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Writes {
    /// To PUT scale; `None` is success.
    pub scale: Option<ReadError>,
    /// To PUT status; `None` is success.
    pub status: Option<ReadError>,
}

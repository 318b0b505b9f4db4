//! Kubernetes API objects, reduced to the fields that a decision depends on.
//!
//! Nothing else of an object is ever read or saved: environment variables, annotations and everything else that may be
//! secret have no field here. Unknown fields are ignored, and `null` is the zero value, as in Go's decoder.

mod condition;
mod event;
mod hpa;
mod meta;
mod metrics;
mod pod;
mod reference;
mod resource_list;
mod scale;
mod status;
mod target;
mod unscalable;

pub use condition::{ConditionReason, ConditionType};
pub use event::{Event, EventSeries, EventSource, InvolvedObject};
pub use hpa::{
    Behavior, ContainerResourceSource, ExternalSource, Hpa, HpaSpec, MetricSpec, MetricTarget, ObjectSource,
    PodsSource, Policy, ResourceSource, ScalingRules,
};
pub use meta::{FieldSet, ManagedFields, ObjectMeta, OwnerReference};
pub use metrics::{ContainerMetrics, ExternalMetricValue, MetricValue, PodMetrics, SampleMeta};
pub use pod::{
    Container, ContainerState, ContainerStateWaiting, ContainerStatus, ContainerStatuses, Pod, PodCondition,
    PodSpec, PodStatus, ResourceRequirements,
};
pub use reference::{MetricIdentifier, ObjectReference};
pub use resource_list::ResourceList;
pub use scale::{Scale, ScaleSpec, ScaleStatus};
pub use status::{
    Condition, ContainerResourceStatus, ExternalStatus, HpaStatus, MetricStatus, ObjectStatus, PodsStatus,
    ResourceStatus, ValueStatus,
};
pub use target::{Target, Template};
pub use unscalable::{SCALABLE, Unscalable, unscalable};

use serde::Serializer;

use crate::model::Instant;
use crate::model::instant::nanos;
pub use crate::model::nullable;

/// Whether a field holds its zero value and is left out, as Go's `omitempty` does.
pub(crate) fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Writes a time to the nanosecond. What an API server sends has whole seconds, or microseconds; what a person writes
/// into a case may be finer, and is not lost when the case is saved.
#[expect(clippy::ref_option, reason = "serde hands over a reference")]
pub(crate) fn exactly<S: Serializer>(at: &Option<Instant>, serializer: S) -> Result<S::Ok, S::Error> {
    match at {
        Some(at) => nanos::serialize(at, serializer),
        None => serializer.serialize_none(),
    }
}

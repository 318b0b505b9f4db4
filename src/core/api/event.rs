//! core/v1 Event.

use serde::{Deserialize, Serialize};

use super::{ObjectMeta, exactly, is_zero, nullable};
use crate::model::Instant;

/// An event about the HPA.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Event {
    /// Metadata.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub metadata: ObjectMeta,
    /// What the event is about.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub involved_object: InvolvedObject,
    /// Who emitted it.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub source: EventSource,
    /// The same in the newer form.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub reporting_component: String,
    /// Normal or Warning.
    #[serde(rename = "type", deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub kind: String,
    /// The short reason.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub reason: String,
    /// The sentence.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub message: String,
    /// How often it was seen.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub count: i32,
    /// First time.
    #[serde(serialize_with = "exactly")]
    pub first_timestamp: Option<Instant>,
    /// Last time.
    #[serde(serialize_with = "exactly")]
    pub last_timestamp: Option<Instant>,
    /// Time in the newer form.
    #[serde(serialize_with = "exactly")]
    pub event_time: Option<Instant>,
    /// Count and time in the newer form.
    pub series: Option<EventSeries>,
}

impl Event {
    /// Whether a component emitted it, as far as it tells.
    #[must_use]
    pub fn is_of(&self, component: &str) -> bool {
        let told = [self.source.component.as_str(), self.reporting_component.as_str()];
        told.into_iter().find(|told| !told.is_empty()).is_none_or(|told| told == component)
    }
}

/// `EventSource`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EventSource {
    /// The component: `horizontal-pod-autoscaler`.
    #[serde(deserialize_with = "nullable")]
    pub component: String,
}

/// `EventSeries`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EventSeries {
    /// How often.
    #[serde(deserialize_with = "nullable")]
    pub count: i32,
    /// Last time.
    #[serde(serialize_with = "exactly")]
    pub last_observed_time: Option<Instant>,
}

/// The object that an event is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InvolvedObject {
    /// Kind.
    #[serde(deserialize_with = "nullable")]
    pub kind: String,
    /// Name.
    #[serde(deserialize_with = "nullable")]
    pub name: String,
}

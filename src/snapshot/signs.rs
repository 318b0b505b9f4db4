//! What the API shows of the controller's past: the traces that its memory leaves.

use super::case::Case;
use super::{ReadError, Watched};
use crate::api;
use crate::model::{Instant, Replicas};

/// Traces of earlier reconciles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    /// When the controller last wrote the status (`metadata.managedFields`).
    pub status_written: Option<Instant>,
    /// SuccessfulRescale events, oldest first; they live for an hour by default.
    pub rescales: Vec<Rescale>,
    /// Why the events could not be listed.
    pub error: Option<ReadError>,
    /// What was seen of its syncs, where somebody watched.
    pub watched: Option<Watched>,
}

/// A SuccessfulRescale event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rescale {
    /// When it was seen first.
    pub first: Instant,
    /// When it was seen last.
    pub last: Instant,
    /// How often: equal events are folded into one.
    pub count: i32,
    /// "New size".
    pub to: Replicas,
}

/// Collects the signs of a case.
pub(super) fn signs(case: &Case) -> Signs {
    let fields = case.hpa.0.metadata.managed_fields.iter();
    let status = fields.filter(|entry| entry.subresource == "status");
    let events = case.events.as_ref().and_then(|events| events.items.as_deref()).unwrap_or_default();
    let mut rescales: Vec<Rescale> = events.iter().filter_map(rescale).collect();
    rescales.sort_by_key(|rescale| rescale.last);
    let error = case.events.as_ref().and_then(|events| events.error.clone());
    Signs { status_written: status.filter_map(|entry| entry.time).max(), rescales, error, watched: None }
}

fn rescale(event: &api::Event) -> Option<Rescale> {
    let size = event.message.strip_prefix("New size: ")?.split(';').next()?;
    let series = event.series.as_ref();
    let last =
        series.and_then(|series| series.last_observed_time).or(event.last_timestamp).or(event.event_time)?;
    let first = event.first_timestamp.or(event.event_time).unwrap_or(last);
    let count = series.map_or(event.count, |series| series.count).max(1);
    let to = Replicas(size.parse().ok()?);
    (event.reason == "SuccessfulRescale").then_some(Rescale { first, last, count, to })
}

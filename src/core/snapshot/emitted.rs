//! When an event was emitted, and what of its message is its own.

use crate::api;
use crate::model::Instant;

/// An event of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// When it was stored: an event that is emitted again after somebody deleted it is stored anew.
    pub stored: Instant,
    /// When it was seen first.
    pub first: Instant,
    /// When it was seen last.
    pub last: Instant,
    /// How often.
    pub count: i32,
    /// Whether its type is Normal: newer recorders count the types separately.
    pub is_normal: bool,
}

/// When and how often an event was seen.
pub(super) fn emitted(event: &api::Event) -> Option<Emitted> {
    let series = event.series.as_ref();
    let last =
        series.and_then(|series| series.last_observed_time).or(event.last_timestamp).or(event.event_time)?;
    let first = event.first_timestamp.or(event.event_time).unwrap_or(last);
    let count = series.map_or(event.count, |series| series.count).max(1);
    let stored = event.metadata.creation_timestamp.unwrap_or(last);
    Some(Emitted { stored, first, last, count, is_normal: event.kind == "Normal" })
}

/// The message of an event, and whether it combines several.
pub(super) fn uncombined(event: &api::Event) -> (&str, bool) {
    let own = event.message.strip_prefix("(combined from similar events): ");
    (own.unwrap_or(&event.message), own.is_some())
}

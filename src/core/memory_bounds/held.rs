//! What it tells that a window held the replicas, while all that the controller remembers is younger than the window.

use super::ceiling::{ANY, Certain, RecommendationSource};
use super::last_sync::{LastSync, Limits};
use super::past::{Past, SECOND, may_have_a_past, reason};
use crate::model::{Instant, Replicas};

/// The recommendation that held the count in the sync of the last status: it is no older than the memory.
pub(super) fn held(past: &Past<'_>) -> Option<Certain> {
    let status = &past.snapshot.hpa.status;
    let sync = LastSync::of(past.snapshot)?;
    let count = Replicas(status.current_replicas);
    let range = match reason(status, "AbleToScale")? {
        "ScaleDownStabilized" => (count, ANY.1),
        "ScaleUpStabilized" => (ANY.0, count),
        _ => return None,
    };
    let begins = begins(past)?;
    let is_of_this_memory = written(past).is_some_and(|written| written >= begins + SECOND);
    let has_held = sync.limits == Limits::Within && sync.desired == count && past.status_is_of_this_spec();
    (is_of_this_memory && has_held).then_some(Certain {
        range,
        earliest: begins,
        by: RecommendationSource::Status,
    })
}

/// Nothing that is remembered is older.
fn begins(past: &Past<'_>) -> Option<Instant> {
    let started = past.snapshot.controller.started_at();
    started.max(past.snapshot.hpa.created.filter(|_| !may_have_a_past(past.snapshot)))
}

/// When the last status was written, or not before when: the newest of the times in it.
fn written(past: &Past<'_>) -> Option<Instant> {
    let changed =
        || past.snapshot.hpa.status.conditions.iter().filter_map(|it| it.last_transition_time).max();
    past.snapshot.history.status_written.or_else(changed)
}

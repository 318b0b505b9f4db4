//! What the last status tells of the recommendation that a window used, while all that the controller remembers is younger than
//! the window.

use super::last_sync::{LastSync, Limits};
use super::past::{Past, may_have_a_past, reason};
use super::range::{ANY, Certain, RecommendationSource, ReplicaRange};
use super::second::SECOND;
use crate::api::{ConditionReason, ConditionType};
use crate::model::{Instant, Replicas};

/// The recommendation that the sync of the last status used, if it is no older than the memory.
pub(super) fn held(past: &Past<'_>) -> Option<Certain> {
    let sync = LastSync::of(past.snapshot)?;
    let range = match past.behavior {
        Some(_) => by_a_window(past, sync)?,
        // The highest that is remembered is used.
        None if sync.limits == Limits::Raised => return None,
        None => sync.stabilized(),
    };
    let begins = begins(past)?;
    let is_of_this_memory = written(past).is_some_and(|written| written >= begins + SECOND);
    (is_of_this_memory && past.status_is_of_this_spec()).then_some(Certain {
        range,
        earliest: begins,
        by: RecommendationSource::Status,
    })
}

/// The one because of which a window kept the count.
fn by_a_window(past: &Past<'_>, sync: LastSync) -> Option<ReplicaRange> {
    let status = &past.snapshot.hpa.status;
    let count = Replicas(status.current_replicas);
    let has_held = sync.limits == Limits::Within && sync.desired == count;
    match reason(status, ConditionType::AbleToScale)? {
        ConditionReason::ScaleDownStabilized if has_held => Some((count, ANY.1)),
        ConditionReason::ScaleUpStabilized if has_held => Some((ANY.0, count)),
        _ => None,
    }
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

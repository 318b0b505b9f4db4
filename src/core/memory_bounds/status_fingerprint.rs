//! The inputs that a sync saw, as far as its status shows them, whatever the controller remembers.

use super::last_sync::{LastSync, Limits, Seen};
use super::range::{ANY, ReplicaRange};
use crate::api::{Condition, ConditionReason, ConditionType, HpaStatus, MetricStatus};
use crate::model::Replicas;
use crate::snapshot::Snapshot;

/// The part of a status that does not depend on the controller's memory. Two syncs that see the same inputs write the
/// same fingerprint, and a sync with another fingerprint than the last one has to write its status.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StatusFingerprint {
    replicas: i32,
    generation: Option<i64>,
    metrics: Option<Vec<MetricStatus>>,
    /// Status, reason and message of ScalingActive.
    active: Option<[String; 3]>,
    /// If the scale could not be read, the rest of the status is unchanged; if it could not be written, the metrics
    /// are.
    failure: Option<ConditionReason>,
}

impl StatusFingerprint {
    pub fn of(status: &HpaStatus) -> Self {
        let find = |kind: ConditionType| status.condition(kind);
        Self {
            replicas: status.current_replicas,
            generation: status.observed_generation,
            metrics: status.current_metrics.clone(),
            active: find(ConditionType::ScalingActive)
                .map(|it| [&*it.status, &*it.reason, &*it.message].map(str::to_owned)),
            failure: find(ConditionType::AbleToScale)
                .and_then(Condition::known_reason)
                .filter(|it| FAILURES.contains(it)),
        }
    }

    /// Whether the status does not have the metrics that the sync saw.
    pub fn hides_metrics(&self) -> bool {
        self.failure == Some(ConditionReason::FailedUpdateScale)
    }
}

const FAILURES: [ConditionReason; 2] = [ConditionReason::FailedGetScale, ConditionReason::FailedUpdateScale];

/// The range of the last sync's recommendation that its status alone implies; `None` if it made none.
pub(super) fn implied_range(snapshot: &Snapshot) -> Option<ReplicaRange> {
    let status = &snapshot.hpa.status;
    let has_behavior = match &snapshot.history.synced {
        Some(synced) => synced.behavior.is_some(),
        None => snapshot.hpa.behavior.is_some(),
    };
    let able = status.condition(ConditionType::AbleToScale)?;
    let Some(sync) = LastSync::of(snapshot) else {
        return (able.reason == ConditionReason::FailedUpdateScale).then_some(ANY);
    };
    let (lowest, highest) = ANY;
    let (same, above, below) = (
        sync.desired,
        Replicas(sync.desired.0.saturating_add(1)),
        Replicas(sync.desired.0.saturating_sub(1)),
    );
    let was_raised = has_behavior && sync.desired.0 > status.current_replicas;
    let may_be_lower = !has_behavior || sync.desired.0 < status.current_replicas;
    Some(match (sync.stabilization, sync.limits) {
        (Seen::OwnStood, Limits::Within) => (same, same),
        (Seen::OwnStood, Limits::CutDown) => (above, highest),
        (Seen::OwnStood, Limits::Raised) => (lowest, below),
        // With `spec.behavior` a window keeps a scale-up from going as far as this sync recommended, and a scale-down
        // likewise.
        (Seen::Overwritten, Limits::Within) if was_raised && status.current_replicas > 0 => (same, highest),
        (Seen::Overwritten, Limits::CutDown) if was_raised && status.current_replicas > 0 => (above, highest),
        (Seen::Overwritten, Limits::Within) if may_be_lower => (lowest, same),
        (Seen::Overwritten, Limits::Raised) if may_be_lower => (lowest, below),
        (Seen::EarlierHeld, Limits::Within) if !has_behavior => (lowest, below),
        (Seen::EarlierHeld | Seen::Overwritten, _) => ANY,
    })
}

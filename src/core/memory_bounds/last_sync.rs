//! What the status of the controller's last reconcile shows of the recommendations that it used.

use super::past::{reason, synced_since, unrecorded};
use super::range::{ANY, ReplicaRange};
use crate::api::{ConditionReason, ConditionType};
use crate::model::{Instant, Replicas};
use crate::snapshot::Snapshot;

/// The last reconcile, according to its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastSync {
    /// It was not before this: the last status write, or the longest delay of a controller.
    pub earliest: Instant,
    /// It was not after this: the time of the snapshot.
    pub latest: Instant,
    /// When its status was written, to the second. Every later sync reached the same status.
    pub written: Option<Instant>,
    /// `status.desiredReplicas`.
    pub desired: Replicas,
    /// The effect of stabilization on its recommendation.
    pub stabilization: Seen,
    /// The effect of the limits.
    pub limits: Limits,
}

/// What its AbleToScale condition shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// ReadyForNewScale: its own recommendation was used.
    OwnStood,
    /// ScaleDownStabilized or ScaleUpStabilized: an earlier recommendation was used.
    EarlierHeld,
    /// SucceededRescale: the rescale overwrote the stabilization reason.
    Overwritten,
}

/// What its ScalingLimited condition shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limits {
    /// Not limited: the stabilized recommendation became the desired replicas.
    Within,
    /// The stabilized recommendation was higher than the desired replicas.
    CutDown,
    /// The stabilized recommendation was lower than the desired replicas.
    Raised,
}

impl LastSync {
    /// The range of the stabilized recommendation, from which the limits made the desired replicas.
    pub(super) fn stabilized(&self) -> ReplicaRange {
        let Replicas(desired) = self.desired;
        match self.limits {
            Limits::Within => (self.desired, self.desired),
            Limits::CutDown => (Replicas(desired.saturating_add(1)), ANY.1),
            Limits::Raised => (ANY.0, Replicas(desired.saturating_sub(1))),
        }
    }

    /// Reads the last status; `None` if it does not show a whole reconcile: the scale could not be read, metrics
    /// failed, the replicas were outside the bounds, or the controller has not synced yet.
    #[must_use]
    pub fn of(snapshot: &Snapshot) -> Option<Self> {
        let status = &snapshot.hpa.status;
        let reason = |kind| reason(status, kind);
        let stabilization = match reason(ConditionType::AbleToScale)? {
            ConditionReason::ReadyForNewScale => Seen::OwnStood,
            ConditionReason::ScaleDownStabilized | ConditionReason::ScaleUpStabilized => Seen::EarlierHeld,
            ConditionReason::SucceededRescale => Seen::Overwritten,
            _ => return None,
        };
        if reason(ConditionType::ScalingActive)? != ConditionReason::ValidMetricFound
            || status.current_metrics.is_none()
        {
            return None;
        }
        let limits = match reason(ConditionType::ScalingLimited)? {
            ConditionReason::DesiredWithinRange => Limits::Within,
            ConditionReason::ScaleUpLimit | ConditionReason::TooManyReplicas => Limits::CutDown,
            ConditionReason::ScaleDownLimit | ConditionReason::TooFewReplicas => Limits::Raised,
            _ => return None,
        };
        let latest = snapshot.taken_at;
        let since = synced_since(snapshot);
        let written = snapshot.history.status_written.filter(|written| *written <= latest);
        // The last sync may have failed to write its status: then only the one that wrote the status is known.
        let synced = if unrecorded(snapshot).is_some_and(|at| at >= since) { Instant::ZERO } else { since };
        let earliest = written.map_or(synced, |written| written.max(synced)).min(latest);
        let desired = Replicas(status.desired_replicas);
        Some(Self { earliest, latest, written, desired, stabilization, limits })
    }
}

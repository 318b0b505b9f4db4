//! What the controller's last reconcile says of the recommendations that it saw.

use super::past::{reason, synced_since, unrecorded};
use crate::model::{Instant, Replicas};
use crate::snapshot::Snapshot;

/// The last reconcile, as its status shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastSync {
    /// It was no earlier than this: the last write of the status, or as long ago as a controller can be late.
    pub earliest: Instant,
    /// It was no later than this: the instant of the look.
    pub latest: Instant,
    /// When its status was written, to the second: no sync since then came to another one.
    pub written: Option<Instant>,
    /// What it asked for.
    pub desired: Replicas,
    /// What stabilization made of its recommendation.
    pub stabilization: Seen,
    /// How the result stood to the limits.
    pub limits: Limits,
}

/// What its AbleToScale condition says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// ReadyForNewScale: its own recommendation stood.
    OwnStood,
    /// ScaleDownStabilized or ScaleUpStabilized: an earlier one held.
    EarlierHeld,
    /// Overwritten by the rescale that followed.
    Overwritten,
}

/// What its ScalingLimited condition says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limits {
    /// Nothing limited: the stabilized recommendation is what was asked for.
    Within,
    /// It was above what was asked for.
    CutDown,
    /// It was below what was asked for.
    Raised,
}

impl LastSync {
    /// Reads the last status; `None` where it does not show a whole reconcile: the scale could not be read, metrics
    /// failed, a bound was jumped to, or the controller has not been there at all.
    #[must_use]
    pub fn of(snapshot: &Snapshot) -> Option<Self> {
        let status = &snapshot.hpa.status;
        let reason = |kind| reason(status, kind);
        let stabilization = match reason("AbleToScale")? {
            "ReadyForNewScale" => Seen::OwnStood,
            "ScaleDownStabilized" | "ScaleUpStabilized" => Seen::EarlierHeld,
            "SucceededRescale" => Seen::Overwritten,
            _ => return None,
        };
        if reason("ScalingActive")? != "ValidMetricFound" || status.current_metrics.is_none() {
            return None;
        }
        let limits = match reason("ScalingLimited")? {
            "DesiredWithinRange" => Limits::Within,
            "ScaleUpLimit" | "TooManyReplicas" => Limits::CutDown,
            "ScaleDownLimit" | "TooFewReplicas" => Limits::Raised,
            _ => return None,
        };
        let latest = snapshot.taken_at;
        let since = synced_since(snapshot);
        let written = snapshot.history.status_written.filter(|written| *written <= latest);
        // A sync that left no status may have been the last one: then only the one that wrote it is known.
        let synced = if unrecorded(snapshot).is_some_and(|at| at >= since) { Instant::ZERO } else { since };
        let earliest = written.map_or(synced, |written| written.max(synced)).min(latest);
        let desired = Replicas(status.desired_replicas);
        Some(Self { earliest, latest, written, desired, stabilization, limits })
    }
}

//! The gate at the start, the choice among metrics, and the outcome.

use crate::model::Replicas;
use crate::snapshot::{HpaKey, ReadError};

/// What the replica count alone decides (upstream `reconcileAutoscaler`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The scale could not be read.
    NoScale(ScaleFailure),
    /// Whether the controller could read the scale is not known.
    Unknown(Unread),
    /// Zero replicas that the HPA did not set itself: switched off.
    Disabled,
    /// More than `maxReplicas`: metrics are not read.
    AboveMax,
    /// Fewer than `minReplicas`: metrics are not read.
    BelowMin,
    /// Metrics decide.
    Metrics,
    /// Zero replicas that the HPA set itself: metrics decide.
    MetricsFromZero,
}

/// Why the scale could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScaleFailure {
    /// `scaleTargetRef.apiVersion` is invalid; upstream's error.
    ApiVersion(Box<str>),
    /// The API knows no such kind.
    Mapping(ReadError),
    /// The scale subresource could not be read.
    Get(ReadError),
}

/// Something that the controller can read, but not whoever recomputes this decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The read was refused or failed for the reader alone.
    Refused(ReadError),
    /// The case has no answer for it.
    NotInCase,
}

/// Upstream `validateAndParseSelector`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectorVerdict {
    /// It selects pods of this HPA alone.
    Good,
    /// The scale has none.
    Missing,
    /// It cannot be parsed; upstream's error.
    Invalid(Box<str>),
    /// Other HPAs select some of the same pods: all of these HPAs, this one included, sorted.
    Ambiguous(Vec<HpaKey>),
    /// The controller's list of pods failed.
    Unlisted(ReadError),
    /// The pods are not known, so neither is the result.
    Unknown(Unread),
}

/// The winner among the proposals (upstream `computeReplicasForMetrics`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The metric that won: the first of equal ones, the last if all are zero.
    pub winner: usize,
    /// How many metrics were invalid; with any of them the count may only rise.
    pub invalid: usize,
    /// What the winner proposed.
    pub before: Replicas,
    /// The same, but never below zero.
    pub after: Replicas,
}

/// The result of a reconcile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The scale could not be read; the replicas are not known.
    NoScale,
    /// The replicas stay.
    Hold {
        /// The current count.
        at: Replicas,
        /// Why.
        reason: HoldReason,
    },
    /// The replicas change, unless the write fails.
    Scale {
        /// From this count.
        from: Replicas,
        /// To this one.
        to: Replicas,
        /// Why.
        reason: RescaleReason,
        /// How the write failed, if it did.
        failed: Option<ReadError>,
    },
    /// What the controller read is not known, so neither is its decision.
    Unknown(Unread),
}

/// Why the replicas stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldReason {
    /// All stages ran, and the result is the current count.
    Decided,
    /// Switched off at zero.
    Disabled,
    /// The selector is missing, invalid or ambiguous.
    Selector,
    /// Every metric is invalid.
    AllMetricsInvalid,
    /// Some metric is invalid, and the others would scale down.
    InvalidMetricBlocksDown,
    /// The controller crashes at a metric: nothing is written, and its memory of all HPAs is lost.
    Crash,
}

/// Why the replicas change: the reason in the SuccessfulRescale event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RescaleReason {
    /// "Current number of replicas above Spec.MaxReplicas".
    AboveMax,
    /// "Current number of replicas below Spec.MinReplicas".
    BelowMin,
    /// "METRIC above target", with the metric's place in the spec.
    AboveTarget(usize),
    /// "All metrics below target".
    BelowTarget,
    /// An empty reason: the metrics want the current replicas, and normalization changed them.
    Empty,
}

impl Outcome {
    /// What could not be read, if the decision is not known because of that.
    #[must_use]
    pub const fn unread(&self) -> Option<&Unread> {
        if let Self::Unknown(unread) = self { Some(unread) } else { None }
    }

    /// The replicas that were decided, if the write of them failed.
    #[must_use]
    pub const fn refused(&self) -> Option<Replicas> {
        match self {
            Self::Scale { to, failed: Some(_), .. } => Some(*to),
            Self::Scale { failed: None, .. } | Self::Hold { .. } | Self::NoScale | Self::Unknown(_) => None,
        }
    }

    /// Whether the count stays because something is broken, and not because the metrics say so.
    #[must_use]
    pub const fn is_stopped(&self) -> bool {
        match self {
            // A failed write stops the HPA although the metrics decided.
            Self::NoScale | Self::Scale { failed: Some(_), .. } => true,
            Self::Hold { reason, .. } => match reason {
                HoldReason::Selector
                | HoldReason::AllMetricsInvalid
                | HoldReason::Crash
                | HoldReason::InvalidMetricBlocksDown => true,
                HoldReason::Decided | HoldReason::Disabled => false,
            },
            Self::Scale { failed: None, .. } | Self::Unknown(_) => false,
        }
    }
}

//! The gate at the start, the choice among metrics, and what comes of it all.

use crate::model::Replicas;
use crate::snapshot::{HpaKey, ReadError};

/// What the replica count alone decides (upstream `reconcileAutoscaler`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The scale could not be had.
    NoScale(ScaleFailure),
    /// Whether the scale could be had is not known here.
    Unknown(Unread),
    /// Zero replicas, and not the autoscaler's own zero: switched off.
    Disabled,
    /// More than `maxReplicas`: no metrics are asked for.
    AboveMax,
    /// Fewer than `minReplicas`: no metrics are asked for.
    BelowMin,
    /// Metrics decide.
    Metrics,
    /// Metrics decide, from the autoscaler's own zero.
    MetricsFromZero,
}

/// Why the scale could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScaleFailure {
    /// `scaleTargetRef.apiVersion` is no group and version; upstream's error.
    ApiVersion(Box<str>),
    /// The API knows no such kind.
    Mapping(ReadError),
    /// The scale subresource could not be read.
    Get(ReadError),
}

/// Something that the controller can read and the reader of this decision could not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The read was refused or failed for the reader alone.
    Refused(ReadError),
    /// The case holds no answer.
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
    /// Pods that it selects are selected by other HPAs as well: all of them, this one included, sorted.
    Ambiguous(Vec<HpaKey>),
    /// The controller's own list of pods fails, before anything else is asked of them.
    Unlisted(ReadError),
    /// The pods are not known here.
    Unknown(Unread),
}

/// The winner among the proposals (upstream `computeReplicasForMetrics`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The metric that won: of equal ones the first, of all-zero ones the last.
    pub winner: usize,
    /// How many metrics were invalid; with any of them the count may only rise.
    pub invalid: usize,
    /// What the winner proposed.
    pub before: Replicas,
    /// The same, but never below zero.
    pub after: Replicas,
}

/// What comes of a reconcile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The scale could not be had; nothing is known about replicas.
    NoScale,
    /// The replicas stay.
    Hold {
        /// At this count.
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
    /// What the controller read is not known here, so neither is its decision.
    Unknown(Unread),
}

/// Why the replicas stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldReason {
    /// The whole pipeline ran and ends at the current replicas.
    Decided,
    /// Switched off at zero.
    Disabled,
    /// The selector is missing, invalid or ambiguous.
    Selector,
    /// Every metric is invalid.
    AllMetricsInvalid,
    /// Some metric is invalid, and the others would scale down.
    InvalidMetricBlocksDown,
    /// The controller ends at a metric: nothing is written, and what it remembered of all autoscalers is gone.
    Crash,
}

/// Why the replicas change: the reason in the SuccessfulRescale event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RescaleReason {
    /// "Current number of replicas above Spec.MaxReplicas".
    AboveMax,
    /// "Current number of replicas below Spec.MinReplicas".
    BelowMin,
    /// "METRIC above target"; its place in the spec.
    AboveTarget(usize),
    /// "All metrics below target".
    BelowTarget,
    /// No reason at all: the metrics want the current replicas, and normalization moved them.
    Empty,
}

impl Outcome {
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

//! What was decided, stage by stage, as plain data.
//!
//! A [`Decision`] has one field per stage of the controller's pipeline, and each stage takes its input from the
//! record of the stage before (the chain law: `stage(n).after() == stage(n + 1).before()`, and the last `after()`
//! is the outcome). Absence is typed: a stage that the controller did not reach is `None`. Every branch has a
//! [`Code`]. Pods are named by their place in the snapshot.

mod chain;
mod check;
mod code;
mod codes_of;
mod failure;
mod metric;
mod normalize;
mod outcome;
mod pod_groups;

pub use chain::{Link, Stage};
pub use check::Fault;
pub use code::Code;
pub use failure::{Failure, MetricsApi, RequestGap, RequestGapKind};
pub use metric::{
    Calculation, Filler, Guard, Measure, MetricTrace, Pass, PerPod, PerReplica, Proposal, Refill, Total,
    TotalBasis, Verdict,
};
pub use normalize::{
    BehaviorLimit, BehaviorStabilization, Direction, Floor, LegacyStabilization, Limit, LimitReason, Limited,
    PolicyTrace, Stabilization, Stabilized,
};
pub use outcome::{Choice, Gate, HoldReason, Outcome, RescaleReason, ScaleFailure, SelectorVerdict, Unread};
pub use pod_groups::{Foreign, Group, GroupedPod, Ignored, Missing, PodGroups, Ready, Unready};

use crate::model::{Memory, Replicas};

/// One reconcile, stage by stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What the replica count alone decided.
    pub gate: Gate,
    /// Whether the selector was good; `None` if metrics were not read.
    pub selector: Option<SelectorVerdict>,
    /// Each metric of the spec, in spec order; empty if none was read.
    pub metrics: Vec<MetricTrace>,
    /// The proposal that won; `None` if there was none.
    pub choice: Option<Choice>,
    /// Stabilization over the window.
    pub stabilized: Option<Stabilized>,
    /// Rates and bounds.
    pub limited: Option<Limited>,
    /// The jump to `minReplicas` from the HPA's own zero.
    pub floor: Option<Floor>,
    /// The result.
    pub outcome: Outcome,
    /// The controller's memory afterwards.
    pub memory: Memory,
}

impl Decision {
    /// A decision that ended at the gate.
    pub(crate) fn at_the_gate(gate: Gate, outcome: Outcome, memory: Memory) -> Self {
        Self {
            gate,
            selector: None,
            metrics: Vec::new(),
            choice: None,
            stabilized: None,
            limited: None,
            floor: None,
            outcome,
            memory,
        }
    }

    /// The replicas that the controller wants after this reconcile; `None` if it could not read the scale, or if what
    /// it read is unknown.
    #[must_use]
    pub fn desired(&self) -> Option<Replicas> {
        match self.outcome {
            Outcome::Hold { at, .. } => Some(at),
            // Even if the write failed: this is what the controller asked for.
            Outcome::Scale { to, .. } => Some(to),
            Outcome::NoScale | Outcome::Unknown(_) => None,
        }
    }

    /// The replicas that the target is left with: those that the controller wants, unless it cannot write them. `None` as in
    /// [`Self::desired`].
    #[must_use]
    pub fn left(&self) -> Option<Replicas> {
        self.unwritten().or_else(|| self.desired())
    }

    /// The deciding metric and its proposal; `None` if no metric decides.
    #[must_use]
    pub fn winner(&self) -> Option<(&MetricTrace, &Proposal)> {
        let winner = self.choice?.winner;
        let trace = self.metrics.iter().find(|trace| trace.index == winner)?;
        Some((trace, trace.proposal()?))
    }

    /// The replicas that the controller found; `None` if it could not read the scale, or if what it read is unknown.
    #[must_use]
    pub fn found(&self) -> Option<Replicas> {
        match self.outcome {
            Outcome::Hold { at, .. } => Some(at),
            Outcome::Scale { from, .. } => Some(from),
            Outcome::NoScale | Outcome::Unknown(_) => None,
        }
    }

    /// The replicas that stay because another count could not be written; `None` if the write did not fail.
    #[must_use]
    pub fn unwritten(&self) -> Option<Replicas> {
        match self.outcome {
            Outcome::Scale { from, failed: Some(_), .. } => Some(from),
            _ => None,
        }
    }
}

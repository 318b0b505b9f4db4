//! The replica count on its way through the stages.

use super::{Decision, Gate, HoldReason, Outcome, Verdict};
use crate::model::Replicas;

/// A stage of the controller's pipeline, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The current count compared with zero and the bounds.
    Gate,
    /// The target's selector.
    Selector,
    /// A metric compared with its target.
    Reading,
    /// Missing and unready pods filled in.
    Refill,
    /// The proposal from a ratio.
    Replicas,
    /// The choice among the proposals.
    Choice,
    /// The stabilization window.
    Stabilization,
    /// Rates and bounds.
    Limit,
    /// The jump from the HPA's own zero.
    Floor,
    /// The replicas to be written.
    Outcome,
}

impl Stage {
    /// The stage as `-o json` names it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gate => "gate",
            Self::Selector => "selector",
            Self::Reading => "reading",
            Self::Refill => "refill",
            Self::Replicas => "replicas",
            Self::Choice => "choice",
            Self::Stabilization => "stabilization",
            Self::Limit => "limit",
            Self::Floor => "floor",
            Self::Outcome => "outcome",
        }
    }
}

/// The change that one stage makes to the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The stage.
    pub stage: Stage,
    /// The count before the stage.
    pub before: Replicas,
    /// The count after it.
    pub after: Replicas,
}

impl Decision {
    /// The count's way from the current replicas to the outcome; empty if the count is not known.
    ///
    /// The chain law: each link begins where the link before ends, and the last one ends at
    /// [`Decision::desired`].
    #[must_use]
    pub fn chain(&self) -> Vec<Link> {
        let (current, desired) = match &self.outcome {
            Outcome::NoScale | Outcome::Unknown(_) => return Vec::new(),
            Outcome::Hold { at, .. } => (*at, *at),
            Outcome::Scale { from, to, .. } => (*from, *to),
        };
        let link = |stage, before, after| Link { stage, before, after };
        let mut chain = self.stages(current);
        // No metric proposed: the stage that stopped the reconcile, or jumped to a bound, is the only step before the
        // outcome.
        if chain.is_empty() {
            chain.push(link(self.stopped_at(), current, desired));
        }
        let last = chain.last().map_or(current, |link| link.after);
        chain.push(link(Stage::Outcome, last, desired));
        chain
    }

    /// The stages from the winning proposal on.
    fn stages(&self, current: Replicas) -> Vec<Link> {
        let link = |stage, before, after| Link { stage, before, after };
        let proposed = self.choice.and_then(|choice| match &self.metrics.get(choice.winner)?.verdict {
            Verdict::Proposal(proposal) => Some(link(Stage::Replicas, current, proposal.replicas)),
            Verdict::Failed(_) | Verdict::Unknown(_) => None,
        });
        // The winner's proposal and the choice differ if the proposal is negative, which the choice raises to 0.
        let choice = self.choice.map(|choice| link(Stage::Choice, choice.before, choice.after));
        let window = self.stabilized.as_ref().map(|it| link(Stage::Stabilization, it.before, it.after));
        let limit = self.limited.as_ref().map(|it| link(Stage::Limit, it.before, it.after));
        let floor = self.floor.map(|floor| link(Stage::Floor, floor.before, floor.after));
        [proposed, choice, window, limit, floor].into_iter().flatten().collect()
    }

    /// The stage at which a decision without a proposal ended.
    fn stopped_at(&self) -> Stage {
        match (&self.gate, &self.outcome) {
            (_, Outcome::Hold { reason: HoldReason::Selector, .. }) => Stage::Selector,
            (Gate::Metrics | Gate::MetricsFromZero, _) => Stage::Choice,
            (Gate::NoScale(_) | Gate::Unknown(_) | Gate::Disabled | Gate::AboveMax | Gate::BelowMin, _) => {
                Stage::Gate
            }
        }
    }
}

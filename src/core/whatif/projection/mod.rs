//! What the next syncs do, if the load stays: the world is played until nothing changes any more.

mod play;
mod plays;
mod rest;
mod steps;
mod whole;

use super::outlook::next;
use crate::memory_bounds::{Answer, MemorySource};
use crate::model::{Evidence, Replicas};
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::trace::{Decision, HoldReason, Outcome};
use plays::Plays;
use rest::is_straight;
pub use steps::{Projection, Rest, Step};
pub(in crate::whatif) use whole::is_whole;

impl Projection {
    /// What follows on an answer in the simple world: the load stays, pods are ready at once and share it, and no rolling
    /// update is under way.
    ///
    /// Nobody knows when the syncs are: the first is now, or a period later. Where the controller's memory is not known
    /// either, the loosest and the tightest one are played. Not known where the decision is not. Where pods are missing,
    /// unready, too many or too few, or somebody else's, only the first change that time alone brings is known, because the
    /// decision changes as soon as those pods count.
    #[must_use]
    pub fn of(snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Self {
        if answer.attested.is_unsteady() {
            return Self::default();
        }
        let projection = Self::played(snapshot, rules, answer);
        let first = projection.steps.first().map(|step| (step.at, step.replicas));
        let next = next(snapshot, rules, answer).filter(|next| next.is_seen);
        match next.map(|next| (next.at, next.replicas)) {
            // Time alone can make pods count that no play counts.
            Some((at, replicas)) if first != Some((at, replicas)) => {
                Self { steps: vec![Step { at, replicas }], ..Self::default() }
            }
            _ => projection,
        }
    }

    fn played(snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Self {
        let stuck = stuck(&answer.decision.outcome);
        // A metric that works may want more as soon as other pods count.
        let hangs_on_pods = stuck.is_none_or(|reason| reason == HoldReason::InvalidMetricBlocksDown);
        if hangs_on_pods && !is_whole(snapshot, &answer.decision) {
            return Self::default();
        }
        if stuck.is_some() {
            return Self { is_known: true, ..Self::default() };
        }
        let is_known = remembers(snapshot, answer);
        let (loosest, tightest) = match &answer.memory_bounds {
            // Of a decision by a bound nobody knows which memory is loose and which is tight.
            Some(_) if !is_known && answer.decision.choice.is_none() => return Self::default(),
            Some(bounds) if !is_known => (&bounds.loosest, &bounds.tightest),
            _ if is_known || !memory_matters(snapshot, &answer.decision) => {
                (&snapshot.memory, &snapshot.memory)
            }
            _ => return Self::default(),
        };
        let plays = Plays::of(snapshot, rules, loosest, tightest);
        if plays.agree() {
            return plays.told();
        }
        let rest = plays.rest().filter(|rest| is_straight(snapshot, rules, &answer.decision, rest.replicas));
        Self { rest, ..Self::default() }
    }

    /// The replicas in the end, of a decision that leaves `now`; `None` where they are not known or never rest.
    #[must_use]
    pub fn end(&self, now: Option<Replicas>) -> Option<Replicas> {
        let known =
            self.steps.last().map(|step| step.replicas).or(now).filter(|_| self.is_known && !self.goes_on);
        known.or(self.rest.map(|rest| rest.replicas))
    }
}

/// Why the replicas stay for as long as all else stays as it is, if they do.
fn stuck(outcome: &Outcome) -> Option<HoldReason> {
    match outcome {
        Outcome::Hold { reason, .. } => Some(*reason).filter(|reason| *reason != HoldReason::Decided),
        Outcome::NoScale | Outcome::Scale { .. } | Outcome::Unknown(_) => None,
    }
}

/// Whether what the controller remembers is known: before the first sync it is nothing.
fn remembers(snapshot: &Snapshot, answer: &Answer) -> bool {
    let mut sources = answer.memory_bounds.iter().flat_map(|bounds| &bounds.sources);
    !matches!(snapshot.memory_evidence, Evidence::Unknown | Evidence::Assumed)
        || sources.any(|it| *it == MemorySource::NeverReconciled)
}

/// Without `spec.behavior` nothing that is remembered bears on a scale-up.
fn memory_matters(snapshot: &Snapshot, decision: &Decision) -> bool {
    let current = snapshot.scale.as_ref().map(|scale| scale.replicas);
    let wants_more =
        decision.choice.is_some_and(|choice| current.is_ok_and(|current| choice.after > current));
    snapshot.hpa.behavior.is_some() || !wants_more
}

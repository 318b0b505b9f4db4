//! What advice is drawn from: a decision as it was made, and what would be decided with something changed.

use std::collections::BTreeSet;

use super::filling::gone;
use super::{Advice, Remedy};
use crate::model::Replicas;
use crate::rules::Rules;
use crate::snapshot::{Pod, Snapshot};
use crate::trace::{Decision, Verdict};
use crate::whatif::{Change, Knob, Removal, is_foreign, ranged};

/// What advice is drawn from.
pub(super) struct AdviceContext<'a> {
    pub snapshot: &'a Snapshot,
    pub rules: &'a Rules,
    pub decision: &'a Decision,
    /// Lowest and highest replicas as it is.
    pub now: Option<(Replicas, Replicas)>,
}

impl AdviceContext<'_> {
    /// What is decided of another snapshot, if it is something else.
    pub fn changed(&self, other: Snapshot) -> Option<(Replicas, Replicas)> {
        let then = self.range(other)?;
        (Some(then) != self.now).then_some(then)
    }

    /// What is decided of another snapshot, if metrics decide there.
    pub fn measured(&self, other: Snapshot) -> Option<(Replicas, Replicas)> {
        let (decision, range) = self.ranged(other);
        range.filter(|_| decision.choice.is_some())
    }

    /// The same, if the metric at a place in the spec has a proposal there.
    pub fn proposed(&self, other: Snapshot, metric: usize) -> Option<(Replicas, Replicas)> {
        let (decision, range) = self.ranged(other);
        let trace = decision.metrics.iter().find(|trace| trace.index == metric)?;
        range.filter(|_| matches!(trace.verdict, Verdict::Proposal(_)))
    }

    /// The snapshot without one thing.
    pub fn without(&self, removal: Removal) -> Snapshot {
        removal.applied_to(self.snapshot, self.decision)
    }

    /// The pod at a place.
    pub fn pod(&self, place: usize) -> Option<&Pod> {
        self.snapshot.pods.as_ref().ok()?.get(place)
    }

    /// What is decided of another snapshot.
    pub fn range(&self, other: Snapshot) -> Option<(Replicas, Replicas)> {
        self.ranged(other).1
    }

    fn ranged(&self, other: Snapshot) -> (Decision, Option<(Replicas, Replicas)>) {
        ranged(self.snapshot, other, self.rules)
    }

    /// The places of the pods that another owner has.
    pub fn foreign(&self) -> BTreeSet<usize> {
        let pods = self.snapshot.pods.iter().flatten().enumerate();
        pods.filter(|(_, pod)| pod.is_of_another(&self.snapshot.hpa.target)).map(|(place, _)| place).collect()
    }

    /// The advice to select the target's own pods alone, with what would come of it.
    pub fn select_own_pods(
        &self,
        foreign: &BTreeSet<usize>,
        then: Option<(Replicas, Replicas)>,
    ) -> Option<Advice> {
        let (then, first) = (then?, *foreign.first()?);
        // The change that leaves only the target's own pods leaves out those without an owner as well.
        let mut pods = self.snapshot.pods.iter().flatten();
        let change = if pods.any(|pod| pod.owner.is_none() && is_foreign(self.snapshot, pod)) {
            gone(self, foreign)
        } else {
            Change::new(Knob::OnlyOwnPods, "").ok()
        };
        let remedy = Remedy::SelectOwnPods { foreign: foreign.len(), first };
        Some(Advice { remedy, changes: change.into_iter().collect(), then: Some(then) })
    }
}

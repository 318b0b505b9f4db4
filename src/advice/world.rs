//! The world in which a decision was made, and others beside it.

use crate::model::Replicas;
use crate::rules::Rules;
use crate::snapshot::{Pod, Snapshot};
use crate::trace::{Decision, Verdict};
use crate::whatif::{Removal, range, ranged};

/// What advice is drawn from.
pub(super) struct World<'a> {
    pub snapshot: &'a Snapshot,
    pub rules: &'a Rules,
    pub decision: &'a Decision,
    /// Lowest and highest replicas as it is.
    pub now: Option<(Replicas, Replicas)>,
}

impl World<'_> {
    /// What is decided in another world, if it is something else.
    pub fn changed(&self, other: Snapshot) -> Option<(Replicas, Replicas)> {
        let then = range(other, self.rules)?;
        (Some(then) != self.now).then_some(then)
    }

    /// What is decided in another world, if metrics decide there.
    pub fn measured(&self, other: Snapshot) -> Option<(Replicas, Replicas)> {
        let (decision, range) = ranged(other, self.rules);
        range.filter(|_| decision.choice.is_some())
    }

    /// The same, if the metric at a place in the spec has a proposal there.
    pub fn proposed(&self, other: Snapshot, metric: usize) -> Option<(Replicas, Replicas)> {
        let (decision, range) = ranged(other, self.rules);
        let trace = decision.metrics.iter().find(|trace| trace.index == metric)?;
        range.filter(|_| matches!(trace.verdict, Verdict::Proposal(_)))
    }

    /// The world without one thing.
    pub fn without(&self, removal: Removal) -> Snapshot {
        removal.applied_to(self.snapshot, self.decision)
    }

    /// The pod at a place.
    pub fn pod(&self, place: usize) -> Option<&Pod> {
        self.snapshot.pods.as_ref().ok()?.get(place)
    }

    /// The pods that are not the target's own: how many, and the place of the first.
    pub fn foreign(&self) -> Option<(usize, usize)> {
        let pods = self.snapshot.pods.iter().flatten().enumerate();
        let mut foreign = pods.filter(|(_, pod)| crate::whatif::is_foreign(self.snapshot, pod));
        let (first, _) = foreign.next()?;
        Some((1 + foreign.count(), first))
    }
}

//! What advice is drawn from: a decision as it was made, and what would be decided with something changed.

use std::collections::BTreeSet;

use super::{Advice, Remedy, Then};
use crate::causes::Cause;
use crate::model::Replicas;
use crate::rules::Rules;
use crate::snapshot::{Pod, Snapshot};
use crate::trace::{Decision, Verdict};
use crate::whatif::{Change, Knob, Projection, Removal, answer_instead};

/// The most pods whose names stand in a command.
const NAMED: usize = 3;

/// What advice is drawn from.
pub(super) struct AdviceContext<'a> {
    pub snapshot: &'a Snapshot,
    pub rules: &'a Rules,
    pub decision: &'a Decision,
    /// The one cause that a person would name.
    pub cause: Option<Cause>,
    /// Lowest and highest replicas as it is.
    pub now: Option<(Replicas, Replicas)>,
}

impl AdviceContext<'_> {
    /// What is decided of another snapshot, if it is something else.
    pub fn changed(&self, other: Snapshot) -> Option<Then> {
        self.then(other).filter(|then| Some(then.next) != self.now)
    }

    /// As [`Self::changed`], also if it is something else only after the windows.
    pub fn changed_in_the_end(&self, other: Snapshot) -> Option<Then> {
        self.then(other).filter(|then| Some(then.next) != self.now || then.settles.is_some())
    }

    /// The decision on another snapshot, if it is something else and a metric has a proposal there; and whether that leads away
    /// from the target: to fewer replicas while the ratio that decides is above 1, or to more while it is below. A ratio
    /// that is multiplied with other pods than the replicas can do so.
    pub fn weighed(&self, other: Snapshot, metric: usize) -> Option<(Then, bool)> {
        let (decision, then) = self.decided(other);
        let then = then.filter(|then| Some(then.next) != self.now)?;
        decision.metrics.iter().find(|trace| trace.index == metric)?.proposal()?;
        let (ratio, (lowest, highest)) = (decision.winner()?.1.calculation.ratios().1, self.now?);
        let found = self.decision.found()?;
        let is_away = ratio.is_above() && then.next.0 < lowest.min(found)
            || ratio.is_below() && then.next.1 > highest.max(found);
        Some((then, is_away))
    }

    /// As [`Self::weighed`], if it does not lead away from the target.
    pub fn tuned(&self, other: Snapshot, metric: usize) -> Option<Then> {
        self.weighed(other, metric).filter(|(_, is_away)| !is_away).map(|(then, _)| then)
    }

    /// What is decided of another snapshot, if metrics decide there.
    pub fn measured(&self, other: Snapshot) -> Option<Then> {
        let (decision, then) = self.decided(other);
        then.filter(|_| decision.choice.is_some())
    }

    /// The same, if the metric at a place in the spec has a proposal there.
    pub fn proposed(&self, other: Snapshot, metric: usize) -> Option<Then> {
        let (decision, then) = self.decided(other);
        let trace = decision.metrics.iter().find(|trace| trace.index == metric)?;
        then.filter(|_| matches!(trace.verdict, Verdict::Proposal(_)))
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
    pub fn then(&self, other: Snapshot) -> Option<Then> {
        self.decided(other).1
    }

    fn decided(&self, mut other: Snapshot) -> (Decision, Option<Then>) {
        let answer = answer_instead(self.snapshot, &mut other, self.rules);
        let desired = answer.decision.desired();
        // Where nothing holds the count on its way to what is wanted, it is there.
        let is_held = answer.decision.choice.is_some_and(|choice| Some(choice.after) != desired);
        let end = || Projection::of(&other, self.rules, &answer).end(desired);
        let settles = if is_held { end() } else { None };
        let told = |next: (Replicas, Replicas)| Then {
            next,
            settles: settles.filter(|settles| (*settles, *settles) != next),
        };
        let then = answer.range().map(told);
        (answer.decision, then)
    }

    /// The places of the pods that another owner has.
    pub fn foreign(&self) -> BTreeSet<usize> {
        let pods = self.snapshot.pods.iter().flatten().enumerate();
        pods.filter(|(_, pod)| pod.is_of_another(&self.snapshot.hpa.target)).map(|(place, _)| place).collect()
    }

    /// The advice to select the target's own pods alone, with what would come of it.
    pub fn select_own_pods(&self, foreign: &BTreeSet<usize>, then: Option<Then>) -> Option<Advice> {
        let then = then.filter(|_| !foreign.is_empty())?;
        // The change that leaves only the target's own pods leaves out those without an owner as well.
        let mut pods = self.snapshot.pods.iter().flatten();
        let change = if pods.any(|pod| pod.owner.is_none() && self.snapshot.is_foreign(pod)) {
            gone(self, foreign)
        } else {
            Change::new(Knob::OnlyOwnPods, "").ok()
        };
        let remedy = Remedy::SelectOwnPods { foreign: foreign.iter().copied().collect() };
        Some(Advice { remedy, changes: change.into_iter().collect(), then: Some(then) })
    }
}

/// The change that takes pods away, if they are few.
pub(super) fn gone(context: &AdviceContext<'_>, pods: &BTreeSet<usize>) -> Option<Change> {
    let names = pods.iter().filter_map(|place| context.pod(*place));
    let names: Vec<String> = names.map(|pod| [&*pod.name, "=gone"].concat()).collect();
    let is_few = !names.is_empty() && names.len() <= NAMED;
    is_few.then(|| Change::new(Knob::Pods, names.join(",")).ok()).flatten()
}

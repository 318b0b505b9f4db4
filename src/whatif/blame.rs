//! Each thing that a decision depends on taken away in turn, and what is decided without it.

use super::removal::Removal;
use crate::model::Replicas;
use crate::recall::{Answer, answer};
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::trace::Decision;

/// What is decided without one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blamed {
    /// What was taken away.
    pub removal: Removal,
    /// Lowest and highest replicas without it; equal where the decision is exact.
    pub replicas: (Replicas, Replicas),
}

/// Which single things a decision hangs on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blame {
    /// Those without which it is another one, those that move the replicas furthest first.
    pub causes: Vec<Blamed>,
    /// Those without which it is the same.
    pub others: Vec<Removal>,
}

/// Takes each cause away by itself and decides again. Nothing is found where there is no decision, and what leaves none
/// is passed over.
#[must_use]
pub fn blame(snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Blame {
    let (mut causes, mut others) = (Vec::new(), Vec::new());
    let Some(now) = answer.range() else { return Blame::default() };
    for removal in Removal::all(snapshot, &answer.decision) {
        match range(removal.applied_to(snapshot, &answer.decision), rules) {
            Some(replicas) if replicas == now => others.push(removal),
            Some(replicas) => causes.push(Blamed { removal, replicas }),
            None => {}
        }
    }
    causes.sort_by_key(|blamed| std::cmp::Reverse(distance(now, blamed.replicas)));
    Blame { causes, others }
}

/// Lowest and highest replicas that are decided in a world.
#[must_use]
pub fn range(world: Snapshot, rules: &Rules) -> Option<(Replicas, Replicas)> {
    ranged(world, rules).1
}

/// The same with the decision behind it.
#[must_use]
pub fn ranged(mut world: Snapshot, rules: &Rules) -> (Decision, Option<(Replicas, Replicas)>) {
    let answer = answer(&mut world, rules);
    let range = answer.range();
    (answer.decision, range)
}

/// How far one answer is from another: at the end that is further.
fn distance(now: (Replicas, Replicas), then: (Replicas, Replicas)) -> u32 {
    let (lowest, highest) = (now.0.0.abs_diff(then.0.0), now.1.0.abs_diff(then.1.0));
    lowest.max(highest)
}

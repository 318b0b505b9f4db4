//! Each thing that a decision depends on taken away in turn, and what is decided without it.

use super::removal::Removal;
use crate::memory_bounds::{Answer, answer};
use crate::model::Replicas;
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::trace::Decision;

/// What is decided without one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blamed {
    /// What was taken away.
    pub removal: Removal,
    /// Lowest and highest replicas without it; equal where the decision is exact. `None` if nothing stops the HPA any more,
    /// and what its metrics say then is not known here.
    pub replicas: Option<(Replicas, Replicas)>,
    /// The place of the metric that would decide, and what it would want.
    pub wanted: Option<(usize, Replicas)>,
    /// Whether nothing can be decided as it is, and something could without it.
    pub frees: bool,
    /// Whether a cause before it is the same thing under another name, and leads to the same: the same pods, or the
    /// recommendation that a window holds and the memory that has it.
    pub repeats: bool,
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
    let decision = &answer.decision;
    let is_stopped = decision.outcome.is_stopped();
    for removal in Removal::all(snapshot, decision) {
        let then = answer_without(removal, snapshot, rules, decision);
        let (replicas, then) = (then.range(), &then.decision);
        let frees = is_stopped && !then.outcome.is_stopped();
        if replicas == Some(now) && !frees {
            others.push(removal);
        } else if replicas.is_some() || frees {
            causes.push(Blamed { removal, replicas, wanted: wanted(removal, then), frees, repeats: false });
        }
    }
    causes.sort_by_key(|blamed: &Blamed| {
        std::cmp::Reverse(blamed.replicas.map_or(0, |then| distance(now, then)))
    });
    let repeats: Vec<bool> = (0..causes.len())
        .map(|place| {
            let mut before = causes.iter().take(place);
            causes.get(place).is_some_and(|one| before.any(|other| is_same(snapshot, decision, *other, *one)))
        })
        .collect();
    for (blamed, repeats) in causes.iter_mut().zip(repeats) {
        blamed.repeats = repeats;
    }
    Blame { causes, others }
}

/// The metric that decides without it, by the metric's place in the spec as it is.
fn wanted(removal: Removal, then: &Decision) -> Option<(usize, Replicas)> {
    let (trace, proposal) = then.winner()?;
    let is_behind = matches!(removal, Removal::Metric(gone) if gone <= trace.index);
    Some((trace.index + usize::from(is_behind), proposal.replicas))
}

/// Whether two causes are one.
fn is_same(snapshot: &Snapshot, decision: &Decision, one: Blamed, other: Blamed) -> bool {
    if one.replicas != other.replicas {
        return false;
    }
    let [pods, others] = [one, other].map(|it| it.removal.pods(snapshot, decision));
    pods.is_some() && pods == others
        || match (one.removal, other.removal) {
            (Removal::Policy(way, _), Removal::Rate(all)) | (Removal::Rate(all), Removal::Policy(way, _)) => {
                way == all
            }
            (Removal::Window(_), Removal::Memory) | (Removal::Memory, Removal::Window(_)) => true,
            _ => false,
        }
}

/// What is decided without one thing: in the world and by the rules that lack it.
#[must_use]
pub fn answer_without(removal: Removal, snapshot: &Snapshot, rules: &Rules, decision: &Decision) -> Answer {
    answer_instead(snapshot, &mut removal.applied_to(snapshot, decision), &removal.rules(rules))
}

/// What is decided in a world that could be instead of what is; leaves the decision's memory in it. No sync has seen an HPA that
/// is only a what-if.
pub fn answer_instead(now: &Snapshot, world: &mut Snapshot, rules: &Rules) -> Answer {
    let is_changed = world.hpa != now.hpa;
    if let Some(synced) = world.history.synced.as_mut().filter(|_| is_changed) {
        synced.is_past = true;
    }
    answer(world, rules)
}

/// How far one answer is from another: at the end that is further.
fn distance(now: (Replicas, Replicas), then: (Replicas, Replicas)) -> u32 {
    let (lowest, highest) = (now.0.0.abs_diff(then.0.0), now.1.0.abs_diff(then.1.0));
    lowest.max(highest)
}

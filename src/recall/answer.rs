//! A decision, or the bounds of one where the controller's memory is not known.

use super::last_sync::Seen;
use super::recommendations::{Recall, recall};
use super::watched;
use crate::engine::decide;
use crate::model::{Evidence, Instant, Memory, Replicas};
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::trace::{Decision, Direction};

/// What can be said of a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The decision; where it is bounded only, the one of the two ends that agrees better with the last status.
    pub decision: Decision,
    /// What its memory rests on; `None` where the memory is known.
    pub recall: Option<Recall>,
    /// Lowest and highest replicas that any memory that agrees with the signs leads to; `None` where the answer is
    /// exact.
    pub interval: Option<(Replicas, Replicas)>,
}

impl Answer {
    /// Lowest and highest replicas; the same where the answer is exact, `None` where there is none.
    #[must_use]
    pub fn range(&self) -> Option<(Replicas, Replicas)> {
        self.interval.or_else(|| self.decision.desired().map(|desired| (desired, desired)))
    }
}

/// Decides, on the memory of the snapshot where it is known, else on what can be recalled of it. Which memory the
/// snapshot is left with is the one of the returned decision.
pub fn answer(snapshot: &mut Snapshot, rules: &Rules) -> Answer {
    answer_by(snapshot, |snapshot| decide(snapshot, rules))
}

/// The same by any way of deciding on a snapshot.
pub fn answer_by(snapshot: &mut Snapshot, decide: impl Fn(&Snapshot) -> Decision) -> Answer {
    let first = decide(snapshot);
    if snapshot.memory_evidence != Evidence::Unknown {
        return Answer { decision: first, recall: None, interval: None };
    }
    let recall = recall(snapshot, direction(&first));
    let observed = watched::observed(snapshot);
    let mut decide_with = |memory: &Memory| {
        snapshot.memory.clone_from(memory);
        decide(snapshot)
    };
    let free = decide_with(&recall.free);
    let held = decide_with(&recall.held);
    let interval = match (free.desired(), held.desired()) {
        (Some(free), Some(held)) if free != held => Some((free.min(held), free.max(held))),
        _ => None,
    };
    // Whichever end of what was seen is taken, it comes to the same.
    if interval.is_none()
        && let Some(memory) = observed
    {
        let decision = decide_with(&memory);
        if decision.desired() == free.desired() {
            snapshot.memory_evidence = Evidence::Observed;
            return Answer { decision, recall: None, interval: None };
        }
    }
    let was_held = recall.last_sync.is_some_and(|sync| sync.stabilization == Seen::EarlierHeld);
    let written = Replicas(snapshot.hpa.status.desired_replicas);
    let agrees = interval.is_some() && held.desired() == Some(written);
    let decision = if was_held || agrees {
        held
    } else {
        snapshot.memory.clone_from(&recall.free);
        free
    };
    Answer { decision, recall: Some(recall), interval }
}

/// Decides on what the snapshot shows as of an earlier instant, without what the controller remembers of later ones.
/// With the decision comes the snapshot that it was made on.
#[must_use]
pub fn decided_at(snapshot: &Snapshot, rules: &Rules, at: Instant) -> (Snapshot, Decision) {
    let mut then = Snapshot { taken_at: at, ..snapshot.clone() };
    then.memory.recommendations.retain(|recommendation| recommendation.at < at);
    then.memory.scale_ups.retain(|event| event.at < at);
    then.memory.scale_downs.retain(|event| event.at < at);
    let decision = answer(&mut then, rules).decision;
    (then, decision)
}

/// Which way the metrics want to go: no memory turns that round.
fn direction(decision: &Decision) -> Option<Direction> {
    let current = match decision.outcome {
        crate::trace::Outcome::Hold { at, .. } => at,
        crate::trace::Outcome::Scale { from, .. } => from,
        crate::trace::Outcome::NoScale | crate::trace::Outcome::Unknown(_) => return None,
    };
    match decision.choice?.after.cmp(&current) {
        std::cmp::Ordering::Greater => Some(Direction::Up),
        std::cmp::Ordering::Less => Some(Direction::Down),
        std::cmp::Ordering::Equal => None,
    }
}

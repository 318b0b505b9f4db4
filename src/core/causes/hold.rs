//! What keeps the count from what the metrics want: a window and what is remembered in it, or a direction that is disabled.

use crate::memory_bounds::{Answer, MemorySource};
use crate::model::{Duration, Evidence, Instant, Recommendation, Replicas, SelectPolicy};
use crate::snapshot::Snapshot;
use crate::trace::{Decision, Direction, Stabilized};

/// The direction that the metrics want and `selectPolicy: Disabled` forbids, whatever window holds the count as well.
#[must_use]
pub fn disabled(snapshot: &Snapshot, decision: &Decision) -> Option<Direction> {
    let behavior = snapshot.hpa.behavior.as_ref()?;
    let (direction, rules) = match decision.choice?.after.cmp(&decision.found()?) {
        std::cmp::Ordering::Greater => (Direction::Up, &behavior.up),
        std::cmp::Ordering::Less => (Direction::Down, &behavior.down),
        std::cmp::Ordering::Equal => return None,
    };
    (rules.select == SelectPolicy::Disabled).then_some(direction)
}

/// Whether each single recommendation can be spoken of as a fact: also where there has been none yet.
#[must_use]
pub fn is_memory_known(snapshot: &Snapshot, answer: &Answer) -> bool {
    match &answer.memory_bounds {
        Some(bounds) => bounds.sources.contains(&MemorySource::NeverReconciled),
        None => !matches!(snapshot.memory_evidence, Evidence::Assumed | Evidence::Unknown),
    }
}

/// What the controller puts into an empty memory before it looks for anything in it (upstream
/// `recordInitialRecommendation`): the current replicas.
#[must_use]
pub fn initial(snapshot: &Snapshot, answer: &Answer) -> Option<Recommendation> {
    let is_empty = snapshot.memory.recommendations.is_empty() && is_memory_known(snapshot, answer);
    let is_recorded = is_empty && answer.decision.stabilized.is_some();
    let replicas = answer.decision.found().filter(|_| is_recorded)?;
    Some(Recommendation { replicas, at: snapshot.taken_at })
}

/// The recommendations that are young enough to count, the one included with which a first reconcile begins.
#[must_use]
pub fn in_window(snapshot: &Snapshot, answer: &Answer, window: Duration) -> Vec<Recommendation> {
    let cutoff = snapshot.taken_at - window;
    let legacy = snapshot.hpa.behavior.is_none();
    let counts = |at: Instant| if legacy { at >= cutoff } else { at > cutoff };
    let mut all = snapshot.memory.recommendations.clone();
    all.extend(initial(snapshot, answer));
    all.retain(|recommendation| counts(recommendation.at));
    all
}

/// The recommendation with which the hold ends: the youngest of those that are as far off as what was held. `None` where
/// nothing holds.
#[must_use]
pub fn holder(snapshot: &Snapshot, answer: &Answer, stabilized: &Stabilized) -> Option<Recommendation> {
    let holds = |replicas: Replicas| match stabilized.after.cmp(&stabilized.before) {
        std::cmp::Ordering::Greater => replicas >= stabilized.after,
        std::cmp::Ordering::Less => replicas <= stabilized.after,
        std::cmp::Ordering::Equal => false,
    };
    let earlier = in_window(snapshot, answer, stabilized.window()).into_iter();
    earlier.filter(|it| holds(it.replicas)).max_by_key(|it| it.at)
}

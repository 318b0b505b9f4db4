//! What keeps the count from what the metrics want: a window and what is remembered in it, or a direction that is disabled.

use super::explanation::Explanation;
use kubectl_hpa_core::model::{Duration, Instant, Recommendation, Replicas, SelectPolicy};
use kubectl_hpa_core::trace::{Direction, Stabilization, Stabilized};

/// The direction that the metrics want and `selectPolicy: Disabled` forbids, whatever window holds the count as well.
pub(super) fn disabled(explanation: Explanation<'_>) -> Option<Direction> {
    let behavior = explanation.snapshot.hpa.behavior.as_ref()?;
    let wanted = explanation.decision.choice?.after;
    let (direction, rules) = match wanted.cmp(&explanation.current()?) {
        std::cmp::Ordering::Greater => (Direction::Up, &behavior.up),
        std::cmp::Ordering::Less => (Direction::Down, &behavior.down),
        std::cmp::Ordering::Equal => return None,
    };
    (rules.select == SelectPolicy::Disabled).then_some(direction)
}

/// The recommendations that are young enough to count, the one included with which a first reconcile begins.
pub(super) fn in_window(explanation: Explanation<'_>, window: Duration) -> Vec<Recommendation> {
    let cutoff = explanation.now() - window;
    let legacy = explanation.snapshot.hpa.behavior.is_none();
    let counts = |at: Instant| if legacy { at >= cutoff } else { at > cutoff };
    let mut all = explanation.snapshot.memory.recommendations.clone();
    all.extend(explanation.initial());
    all.retain(|recommendation| counts(recommendation.at));
    all
}

/// The window that holds the count: for scaling down, or with `spec.behavior` also for scaling up.
pub(super) fn window_of(stabilized: &Stabilized) -> Duration {
    match &stabilized.how {
        Stabilization::Legacy(legacy) => legacy.window,
        Stabilization::Behavior(it) if stabilized.after < stabilized.before => {
            Duration::from_seconds(it.up_window.into())
        }
        Stabilization::Behavior(it) => Duration::from_seconds(it.down_window.into()),
    }
}

/// The recommendation with which the hold ends: the youngest of those that are as far off as what was held. `None`
/// where nothing holds.
pub(super) fn holder(explanation: Explanation<'_>, stabilized: &Stabilized) -> Option<Recommendation> {
    let holds = |replicas: Replicas| match stabilized.after.cmp(&stabilized.before) {
        std::cmp::Ordering::Greater => replicas >= stabilized.after,
        std::cmp::Ordering::Less => replicas <= stabilized.after,
        std::cmp::Ordering::Equal => false,
    };
    let earlier = in_window(explanation, window_of(stabilized)).into_iter();
    earlier
        .filter(|recommendation| holds(recommendation.replicas))
        .max_by_key(|recommendation| recommendation.at)
}

//! What time alone brings, if the load stays: the counts that follow once the rate lets them, or once higher
//! recommendations have left the window.

use super::explanation::Explanation;
use crate::model::{Duration, Instant, PolicyType, Recommendation, Replicas, ScalingRules, SelectPolicy};
use crate::trace::{Direction, Limit, LimitReason, Stabilization, Stabilized};

/// A count and from when on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Next {
    pub replicas: Replicas,
    pub at: Instant,
}

/// The first and the last of the counts that follow; empty where none does or where they are not known.
pub(super) fn next_counts(explanation: Explanation<'_>) -> Vec<Next> {
    let mut next = all(explanation);
    if let Some(found) = explanation.outlook.next
        && next.first().is_none_or(|first| found.at < first.at)
    {
        return vec![Next { replicas: found.replicas, at: found.at }];
    }
    if next.len() > 2 {
        next.drain(1..next.len() - 1);
    }
    next
}

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

fn all(explanation: Explanation<'_>) -> Vec<Next> {
    let held = held_by(explanation);
    match &explanation.decision.limited {
        _ if !held.is_empty() => held,
        Some(limited) if limited.reason == LimitReason::ScaleUpLimit => match limited.how {
            Limit::Legacy { .. } => doublings(explanation, limited.before, limited.after),
            Limit::Behavior(_) => Vec::new(),
        },
        Some(_) | None => Vec::new(),
    }
}

/// When the only policy of a direction lets the count move again: once the first change of its period is that old.
pub(super) fn next_step(explanation: Explanation<'_>) -> Option<Instant> {
    if disabled(explanation).is_some() {
        return None;
    }
    let limited = explanation.decision.limited.as_ref().filter(|limited| limited.before != limited.after)?;
    let Limit::Behavior(Some(limit)) = &limited.how else { return None };
    let [only] = limit.policies.as_slice() else { return None };
    let memory = &explanation.snapshot.memory;
    let (events, own, opposite) = match limit.direction {
        Direction::Up => (&memory.scale_ups, only.added, only.removed),
        Direction::Down => (&memory.scale_downs, only.removed, only.added),
    };
    if opposite != 0 || (own != 0 && !explanation.memory_is_known()) {
        return None;
    }
    let period = Duration::from_seconds(only.policy.period_seconds.into());
    let (now, moves) = (explanation.now(), explanation.current() != Some(limited.after));
    let earlier = events.iter().map(|event| event.at).filter(|at| *at > now - period);
    earlier.chain(moves.then_some(now)).min().map(|first| first + period)
}

/// Without `spec.behavior`: each sync may double the count once more.
fn doublings(explanation: Explanation<'_>, wanted: Replicas, first: Replicas) -> Vec<Next> {
    let last = wanted.min(explanation.snapshot.hpa.max);
    let period = explanation.snapshot.controller.sync_period.value;
    let (mut count, mut at) = (first, explanation.now());
    let mut next = Vec::new();
    while count < last && next.len() < 64 {
        count = Replicas(count.0.saturating_mul(2).max(4)).min(last);
        at = at + period;
        next.push(Next { replicas: count, at });
    }
    next
}

/// Recommendations that hold the count up, each until it leaves the window.
fn held_by(explanation: Explanation<'_>) -> Vec<Next> {
    let Some(stabilized) = &explanation.decision.stabilized else { return Vec::new() };
    let window = match &stabilized.how {
        Stabilization::Legacy(legacy) => legacy.window,
        Stabilization::Behavior(it) => Duration::from_seconds(it.down_window.into()),
    };
    let current = explanation.current().unwrap_or_default();
    let holds = stabilized.after > stabilized.before && stabilized.after <= current;
    if !holds || !explanation.memory_is_known() || !is_free_to_fall(explanation) {
        return Vec::new();
    }
    let lowest = stabilized.before.max(explanation.snapshot.hpa.min);
    let steps = staircase(explanation, window, lowest).into_iter();
    steps.filter(|next| next.replicas < stabilized.after).collect()
}

/// Whether nothing but the window holds a scale-down.
fn is_free_to_fall(explanation: Explanation<'_>) -> bool {
    let all_at_once = |rules: &ScalingRules| {
        let any =
            rules.policies.iter().any(|policy| policy.kind == PolicyType::Percent && policy.value >= 100);
        rules.select == SelectPolicy::Max && any
    };
    explanation.snapshot.hpa.behavior.as_ref().is_none_or(|behavior| all_at_once(&behavior.down))
}

/// The recommendations that hold one after the other: each is higher than all that come later.
fn staircase(explanation: Explanation<'_>, window: Duration, lowest: Replicas) -> Vec<Next> {
    let mut earlier = in_window(explanation, window);
    earlier.sort_by_key(|recommendation| recommendation.at);
    let mut steps: Vec<Next> = Vec::new();
    let mut below = lowest;
    for recommendation in earlier.iter().rev() {
        if recommendation.replicas > below {
            steps.push(Next { replicas: below, at: recommendation.at + window });
            below = recommendation.replicas;
        }
    }
    steps.reverse();
    steps
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

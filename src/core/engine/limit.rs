//! Rates and bounds: how far the replicas may move in this reconcile.

use std::cmp::Ordering;

use super::arith::{ceil_replicas, to_int32};
use crate::model::{
    Architecture, Behavior, Duration, Instant, Memory, Policy, PolicyType, Replicas, ScaleEvent,
    ScalingRules, SelectPolicy,
};
use crate::rules::RateEvents;
use crate::trace::{BehaviorLimit, Direction, Limit, LimitReason, Limited, PolicyTrace};

/// `minReplicas` and `maxReplicas`.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub min: Replicas,
    pub max: Replicas,
}

/// What the rates look back on.
#[derive(Clone, Copy)]
pub(super) struct Past<'a> {
    pub memory: &'a Memory,
    pub now: Instant,
    pub events: RateEvents,
    /// Where floats become integers.
    pub arch: Architecture,
}

/// Without `spec.behavior` (upstream `convertDesiredReplicasWithRules`): at most this many times the current replicas.
pub(super) fn legacy(
    factor: Option<u32>,
    current: Replicas,
    wanted: Replicas,
    bounds: Bounds,
    arch: Architecture,
) -> Limited {
    let rate = factor.map_or(Replicas(i32::MAX), |factor| {
        Replicas(to_int32((f64::from(factor) * f64::from(current.0)).max(4.0), arch))
    });
    // On a tie upstream names maxReplicas and not the rate.
    let (highest, upper_reason) = if bounds.max > rate {
        (rate, LimitReason::ScaleUpLimit)
    } else {
        (bounds.max, LimitReason::TooManyReplicas)
    };
    // minReplicas comes first and is not subject to the rate.
    let (after, reason) = if wanted < bounds.min {
        (bounds.min, LimitReason::TooFewReplicas)
    } else if wanted > highest {
        (highest, upper_reason)
    } else {
        (wanted, LimitReason::DesiredWithinRange)
    };
    Limited { before: wanted, after, reason, how: Limit::Legacy { rate } }
}

/// With `spec.behavior` (upstream `convertDesiredReplicasWithBehaviorRate`): a bound counts only in the direction
/// of travel. `asked` is what the metrics want, before any window.
pub(super) fn with_behavior(
    past: Past<'_>,
    behavior: &Behavior,
    current: Replicas,
    (asked, wanted): (Replicas, Replicas),
    bounds: Bounds,
) -> Limited {
    let stay = |limit| Limited {
        before: wanted,
        after: wanted,
        reason: LimitReason::DesiredWithinRange,
        how: Limit::Behavior(limit),
    };
    match wanted.cmp(&current) {
        Ordering::Greater => {
            let limit = rate(past, &behavior.up, Direction::Up, current);
            let (highest, reason) = if bounds.max > limit.rate {
                (limit.rate, LimitReason::ScaleUpLimit)
            } else {
                (bounds.max, LimitReason::TooManyReplicas)
            };
            let limited = stay(Some(limit));
            if wanted > highest { Limited { after: highest, reason, ..limited } } else { limited }
        }
        Ordering::Less => {
            let limit = rate(past, &behavior.down, Direction::Down, current);
            let (lowest, reason) = if bounds.min < limit.rate {
                (limit.rate, LimitReason::ScaleDownLimit)
            } else {
                (bounds.min, LimitReason::TooFewReplicas)
            };
            let limited = stay(Some(limit));
            if wanted < lowest { Limited { after: lowest, reason, ..limited } } else { limited }
        }
        // A window keeps the replicas, and without it a disabled direction would.
        Ordering::Equal => stay(disabled(past, behavior, current, asked)),
    }
}

/// The limit of the direction that the metrics want, if that is disabled.
fn disabled(
    past: Past<'_>,
    behavior: &Behavior,
    current: Replicas,
    asked: Replicas,
) -> Option<BehaviorLimit> {
    let (direction, rules) = match asked.cmp(&current) {
        Ordering::Greater => (Direction::Up, &behavior.up),
        Ordering::Less => (Direction::Down, &behavior.down),
        Ordering::Equal => return None,
    };
    (rules.select == SelectPolicy::Disabled).then(|| rate(past, rules, direction, current))
}

/// The furthest count that the policies of one direction allow (upstream `calculateScaleUpLimitWithScalingRules`,
/// `calculateScaleDownLimitWithBehaviors`), never on the wrong side of the current replicas.
fn rate(past: Past<'_>, rules: &ScalingRules, direction: Direction, current: Replicas) -> BehaviorLimit {
    if rules.select == SelectPolicy::Disabled {
        return BehaviorLimit { direction, select: rules.select, policies: Vec::new(), rate: current };
    }
    let trace = |policy: &Policy| trace_policy(past, *policy, direction, current);
    let policies: Vec<PolicyTrace> = rules.policies.iter().map(trace).collect();
    let allowed = policies.iter().map(|policy| policy.allows);
    let furthest_is_highest = (direction == Direction::Up) == (rules.select == SelectPolicy::Max);
    // `Max` is the largest change and not the largest count: for a scale-down it is the lowest count.
    let combined = if furthest_is_highest {
        allowed.fold(Replicas(i32::MIN), Replicas::max)
    } else {
        allowed.fold(Replicas(i32::MAX), Replicas::min)
    };
    // Events of the period can put the limit on the other side of the current count: then the replicas stay until the
    // events are older than the period.
    let rate = match direction {
        Direction::Up => combined.max(current),
        Direction::Down => combined.min(current),
    };
    BehaviorLimit { direction, select: rules.select, policies, rate }
}

fn trace_policy(past: Past<'_>, policy: Policy, direction: Direction, current: Replicas) -> PolicyTrace {
    let cutoff = past.now - Duration::from_seconds(i64::from(policy.period_seconds));
    // Before 1.26 a scale-up ignored removals: after a drop from 8 to 2 it could not return as fast.
    let counts = |of| past.events == RateEvents::Both || of == direction;
    let changed = |of, events| if counts(of) { changes_since(events, cutoff) } else { 0 };
    let added = changed(Direction::Up, &past.memory.scale_ups);
    let removed = changed(Direction::Down, &past.memory.scale_downs);
    // int32 as in Go, which wraps.
    let period_start = Replicas(current.0.wrapping_sub(added).wrapping_add(removed));
    PolicyTrace {
        policy,
        added,
        removed,
        period_start,
        allows: allows(policy, direction, period_start, past.arch),
    }
}

/// Replicas changed after an instant (upstream `getReplicasChangePerPeriod`): an event exactly as old as the period
/// does not count.
fn changes_since(events: &[ScaleEvent], cutoff: Instant) -> i32 {
    let counted = events.iter().filter(|event| event.at > cutoff);
    counted.fold(0_i32, |sum, event| sum.wrapping_add(event.change))
}

/// The count that one policy allows from a count at its period's start, on amd64.
#[must_use]
pub fn allowed(policy: Policy, direction: Direction, start: Replicas) -> Replicas {
    allows(policy, direction, start, Architecture::Amd64)
}

/// Percentages are rounded up when scaling up and truncated when scaling down, after a float product that may be
/// slightly off: 50 + 10% allows 56.
fn allows(policy: Policy, direction: Direction, start: Replicas, arch: Architecture) -> Replicas {
    // The order of upstream's float operations: value / 100, then 1 ± that, then the product.
    let fraction = f64::from(policy.value) / 100.0;
    match (direction, policy.kind) {
        (Direction::Up, PolicyType::Pods) => Replicas(start.0.wrapping_add(policy.value)),
        (Direction::Up, PolicyType::Percent) => ceil_replicas(f64::from(start.0) * (1.0 + fraction), arch),
        (Direction::Down, PolicyType::Pods) => Replicas(start.0.wrapping_sub(policy.value)),
        (Direction::Down, PolicyType::Percent) => {
            Replicas(to_int32(f64::from(start.0) * (1.0 - fraction), arch))
        }
    }
}

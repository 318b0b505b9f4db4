//! Rates and bounds in words.

use super::arithmetic;
use kubectl_hpa_core::explanation::{Explanation, Remembered};
use kubectl_hpa_core::model::{Policy, PolicyType, Replicas, SelectPolicy};
use kubectl_hpa_core::trace::{BehaviorLimit, Code, Direction, Limit, LimitReason, Limited, PolicyTrace};

/// The step's arithmetic.
pub(in crate::render) fn arithmetic(explanation: &Explanation, limited: &Limited) -> String {
    let hpa = &explanation.snapshot().hpa;
    let after = limited.after.0;
    let stands_in = explanation.decision().stabilized.as_ref().is_some_and(|it| explanation.stands_in(it));
    let before = if stands_in { "the result of the window".to_owned() } else { limited.before.0.to_string() };
    if let (Remembered::Bounded(low, high), Some(unknown)) =
        (explanation.remembered(), unknown(explanation, limited))
    {
        let wanted = if stands_in { String::new() } else { format!("{before} wanted; ") };
        return format!("{wanted}{unknown}: {} to {}", low.0, high.0);
    }
    if explanation.open_way().limit {
        return open(explanation, after);
    }
    match limited.reason {
        LimitReason::DesiredWithinRange if limited.code() != Code::WithinRange => {
            format!("{}, also without the window → {after}", rate(explanation, limited))
        }
        LimitReason::DesiredWithinRange => format!("{before} is within rates and bounds → {after}"),
        LimitReason::TooManyReplicas => format!("{before} is more than maxReplicas {} → {after}", hpa.max.0),
        LimitReason::TooFewReplicas => format!("{before} is less than minReplicas {} → {after}", hpa.min.0),
        LimitReason::ScaleUpLimit => format!("{}, less than {before} → {after}", rate(explanation, limited)),
        LimitReason::ScaleDownLimit => {
            format!("{}, more than {before} → {after}", rate(explanation, limited))
        }
    }
}

/// If an unknown memory decides which limit applies.
fn open(explanation: &Explanation, after: i32) -> String {
    let what = "whether a rate or bound limits it is not known";
    match explanation.remembered() {
        Remembered::Bounded(low, high) => format!("{what}: {} to {}", low.0, high.0),
        Remembered::Known | Remembered::BoundsAgree | Remembered::Unknown => {
            format!("{what} → {after} either way")
        }
    }
}

fn rate(explanation: &Explanation, limited: &Limited) -> String {
    let current = explanation.current().unwrap_or_default().0;
    match &limited.how {
        Limit::Legacy { rate } => format!("max(2 × {current}, 4) = {}", rate.0),
        Limit::Behavior(Some(limit)) => unknown(explanation, limited)
            .map_or_else(|| combined(limit), |unknown| format!("{unknown}: {}", limit.rate.0)),
        Limit::Behavior(None) => format!("{current}"),
    }
}

/// If the changes that the policies count are not known.
pub(super) fn unknown(explanation: &Explanation, limited: &Limited) -> Option<String> {
    let Limit::Behavior(Some(limit)) = &limited.how else { return None };
    let imagined = has_past(limit) && explanation.imagines_events();
    imagined.then(|| format!("the rescales within {}'s periods are not known", limit.direction.field()))
}

fn combined(limit: &BehaviorLimit) -> String {
    let rate = limit.rate.0;
    match (limit.select, limit.policies.as_slice()) {
        (SelectPolicy::Disabled, _) => {
            format!("{}.selectPolicy is Disabled: {rate}", limit.direction.field())
        }
        (_, [only]) => {
            let (name, calculation) = (policy(only.policy), arithmetic::policy(only, limit.direction));
            format!("{name}: {calculation}{}", clamped(limit))
        }
        (select, policies) => {
            let allowed =
                policies.iter().map(|policy| policy.allows.0.to_string()).collect::<Vec<_>>().join(", ");
            let combined = limit.deciding().map_or(rate, |policy| policy.allows.0);
            format!("{} of {allowed} = {combined}{}", furthest(select, limit.direction), clamped(limit))
        }
    }
}

/// Whether the policies allow nothing but a percentage of zero replicas.
pub(super) fn keeps_zero(explanation: &Explanation) -> bool {
    let decision = explanation.decision();
    let Some(Limit::Behavior(Some(limit))) = decision.limited.as_ref().map(|it| &it.how) else {
        return false;
    };
    let is_percent = |it: &PolicyTrace| it.policy.kind == PolicyType::Percent;
    let is_zero = explanation.current() == Some(Replicas(0)) && limit.direction == Direction::Up;
    let allow_nothing = match limit.select {
        SelectPolicy::Max => limit.policies.iter().all(is_percent),
        SelectPolicy::Min => limit.policies.iter().any(is_percent),
        SelectPolicy::Disabled => false,
    };
    is_zero && allow_nothing && limit.rate == Replicas(0) && decision.floor.is_none()
}

/// Whether earlier changes count.
pub(in crate::render) fn has_past(limit: &BehaviorLimit) -> bool {
    limit.policies.iter().any(|policy| policy.added != 0 || policy.removed != 0)
}

/// A limit on the wrong side of the current replicas counts as those.
pub(super) fn clamped_to(limit: &BehaviorLimit) -> Option<i32> {
    let is_other = limit.deciding().is_some_and(|policy| policy.allows != limit.rate);
    is_other.then_some(limit.rate.0)
}

fn clamped(limit: &BehaviorLimit) -> String {
    let side = if limit.direction == Direction::Up { "below" } else { "above" };
    clamped_to(limit).map_or_else(String::new, |at| format!(", but never {side} the current {at}"))
}

/// Which of the policies' counts is taken.
pub(in crate::render) const fn furthest(select: SelectPolicy, direction: Direction) -> &'static str {
    match (select, direction) {
        (SelectPolicy::Max, Direction::Up) | (SelectPolicy::Min, Direction::Down) => "the highest",
        (SelectPolicy::Max, Direction::Down) | (SelectPolicy::Min, Direction::Up) => "the lowest",
        (SelectPolicy::Disabled, Direction::Up | Direction::Down) => "none",
    }
}

/// The bound that keeps the current count if so many replicas are wanted: `min` or `max`, and its number.
pub(super) fn bound(explanation: &Explanation, wanted: Replicas) -> Option<(&'static str, Replicas)> {
    let hpa = &explanation.snapshot().hpa;
    let bound = if wanted < hpa.min { ("min", hpa.min) } else { ("max", hpa.max) };
    let is_within = hpa.min <= wanted && wanted <= hpa.max;
    (!is_within && Some(bound.1) == explanation.current()).then_some(bound)
}

/// `Percent 10 in 60s`.
pub(in crate::render) fn policy(policy: Policy) -> String {
    format!("{} {} in {}s", policy.kind.as_str(), policy.value, policy.period_seconds)
}

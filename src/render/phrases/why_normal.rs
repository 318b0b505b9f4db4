//! What earlier recommendations, rates and bounds made of the proposal.

use super::{answer, doubt, limit};
use crate::render::claims::{Allowance, At, Claim, Highest, Hold, Span, Stay, Way};
use kubectl_hpa_core::explanation::{Explanation, Remembered};
use kubectl_hpa_core::memory_bounds;
use kubectl_hpa_core::model::{Duration, Instant, SelectPolicy};
use kubectl_hpa_core::trace::{
    BehaviorLimit, Direction, LegacyStabilization, Limit, LimitReason, Limited, Stabilization, Stabilized,
};
use kubectl_hpa_core::whatif::{Cause, Next};

/// At most one sentence for each.
pub(in crate::render) fn claims(explanation: &Explanation) -> Vec<Claim> {
    let decision = explanation.decision();
    if answer::waits_for_memory(explanation) {
        return vec![not_known(explanation)];
    }
    let open = explanation.open_way();
    let window_of = |it: &Stabilized| window(explanation, it);
    let window = decision.stabilized.as_ref().filter(|_| !open.window).and_then(window_of);
    let bound_of = |it: &Limited| bound(explanation, it);
    let bound = decision.limited.as_ref().filter(|_| !open.limit).and_then(bound_of);
    // From its own zero the HPA goes to minReplicas, whatever the rates allow.
    let floor = decision.floor.map(|floor| Claim::ZeroToMin { min_replicas: floor.after.0 });
    let bound = bound.or_else(|| disabled(explanation, window.as_ref())).filter(|_| floor.is_none());
    [open_way(explanation), window, bound, floor].into_iter().flatten().collect()
}

/// A disabled direction beside a window that is not known, or of which more is not known than that it holds the replicas.
fn disabled(explanation: &Explanation, window: Option<&Claim>) -> Option<Claim> {
    let direction = Way(explanation.disabled()?);
    matches!(window, None | Some(Claim::WindowByStatus { .. }))
        .then_some(Claim::DirectionDisabled { direction })
}

/// Where the count is known, and what makes it is not. A bound that makes it either way is told instead.
fn open_way(explanation: &Explanation) -> Option<Claim> {
    let open = explanation.open_way();
    let replicas = explanation.decision().desired().filter(|_| open.limit)?.0;
    let window = open.window.then(|| Span(memory_bounds::longest(explanation.snapshot())));
    Some(Claim::EitherWay { window, replicas })
}

fn not_known(explanation: &Explanation) -> Claim {
    let window = Span(memory_bounds::longest(explanation.snapshot()));
    let (least, most) = match explanation.remembered() {
        Remembered::Bounded(least, most) => (Some(least.0), Some(most.0)),
        Remembered::Known | Remembered::BoundsAgree | Remembered::Unknown => (None, None),
    };
    // Otherwise the headline says it.
    let latest = answer::latest_change(explanation).filter(|_| doubt::doubt(explanation).is_some());
    Claim::MemoryUnknown { window, least, most, latest }
}

fn window(explanation: &Explanation, stabilized: &Stabilized) -> Option<Claim> {
    if stabilized.before == stabilized.after {
        return None;
    }
    if explanation.initial().is_some() {
        // The memory was empty, so nothing but the current count can hold.
        let until = explanation.now() + stabilized.window();
        return Some(Claim::MemoryEmpty { until: At(until), then: longer(explanation, until) });
    }
    match (explanation.remembered(), &stabilized.how) {
        (Remembered::Known, Stabilization::Legacy(legacy)) => {
            Some(of_legacy(explanation, stabilized, legacy))
        }
        (Remembered::Known, Stabilization::Behavior(_)) => Some(of_behavior(explanation, stabilized)),
        (Remembered::BoundsAgree, _) => Some(Claim::WindowByStatus { window: Span(stabilized.window()) }),
        (Remembered::Bounded(..) | Remembered::Unknown, _) => None,
    }
}

/// The bound that keeps the count when the window no longer does.
fn bounded(explanation: &Explanation, stabilized: &Stabilized) -> Option<Hold> {
    let (name, bound) = limit::bound(explanation, stabilized.before)?;
    let field = if name == "min" { "minReplicas" } else { "maxReplicas" };
    Some(Hold::Bound { field, replicas: bound.0 })
}

/// What holds the count when the window no longer does, where no sentence about a rate follows.
pub(super) fn longer(explanation: &Explanation, leaves: Instant) -> Option<Hold> {
    let decision = explanation.decision();
    let is_limited = decision.limited.as_ref().is_some_and(|limited| limited.before != limited.after);
    if is_limited || decision.floor.is_some() {
        return None;
    }
    let bounded = decision.stabilized.as_ref().and_then(|it| bounded(explanation, it));
    if let Some(direction) = explanation.disabled().filter(|_| bounded.is_none()) {
        return Some(Hold::Disabled { direction: Way(direction) });
    }
    let is_later = |next: &Next| next.at.since(leaves) >= Duration::from_seconds(1);
    bounded.or_else(|| match explanation.outlook().next.filter(is_later) {
        Some(Next { at, cause: Cause::PeriodEnds, .. }) => Some(Hold::Rate { until: At(at) }),
        Some(_) | None => None,
    })
}

fn of_legacy(explanation: &Explanation, stabilized: &Stabilized, legacy: &LegacyStabilization) -> Claim {
    let at = held_since(explanation, stabilized);
    let current = explanation.current().unwrap_or_default();
    let max = explanation.snapshot().hpa.max;
    let desired = explanation.decision().desired();
    let effect = if stabilized.after > max && stabilized.before <= max && desired == Some(max) {
        Highest::Trimmed(max.0)
    } else if stabilized.after > current && desired.is_some_and(|desired| desired > current) {
        Highest::Raises
    } else {
        Highest::Holds
    };
    Claim::HighestCounts {
        window: Span(legacy.window),
        replicas: stabilized.after.0,
        since: At(at),
        until: At(at + legacy.window),
        effect,
        then: bounded(explanation, stabilized)
            .filter(|_| effect == Highest::Holds && desired == Some(current)),
    }
}

fn of_behavior(explanation: &Explanation, stabilized: &Stabilized) -> Claim {
    let down = stabilized.after > stabilized.before;
    let (at, window) = (held_since(explanation, stabilized), stabilized.window());
    let held = explanation.holder(stabilized).map_or(stabilized.after, |holder| holder.replicas);
    Claim::Stabilized {
        beyond: is_beyond(explanation, stabilized),
        direction: Way(if down { Direction::Down } else { Direction::Up }),
        window: Span(window),
        replicas: held.0,
        since: At(at),
        until: At(at + window),
        then: longer(explanation, at + window),
    }
}

/// True if others of the window, which leave it earlier, go further.
fn is_beyond(explanation: &Explanation, stabilized: &Stabilized) -> bool {
    let down = stabilized.after > stabilized.before;
    let Some(holder) = explanation.holder(stabilized) else { return false };
    let others = explanation.in_window(stabilized.window());
    others.iter().any(|it| if down { it.replicas > holder.replicas } else { it.replicas < holder.replicas })
}

/// When the recommendation was made with which the hold ends.
fn held_since(explanation: &Explanation, stabilized: &Stabilized) -> Instant {
    explanation.holder(stabilized).map_or(explanation.now(), |holder| holder.at)
}

fn bound(explanation: &Explanation, limited: &Limited) -> Option<Claim> {
    if limited.before == limited.after {
        return None;
    }
    let hpa = &explanation.snapshot().hpa;
    let (min_replicas, max_replicas) = (hpa.min.0, hpa.max.0);
    match limited.reason {
        LimitReason::DesiredWithinRange => None,
        // The window is the reason, and its sentence says what max cuts off.
        LimitReason::TooManyReplicas if is_trimmed_window(explanation) => None,
        LimitReason::TooManyReplicas => Some(Claim::LimitedByMax { max_replicas }),
        LimitReason::TooFewReplicas if explanation.current() != Some(limited.after) => {
            Some(Claim::LimitedByMin { min_replicas })
        }
        LimitReason::TooFewReplicas => {
            let is_normal = explanation.snapshot().others_of_target().next().is_none();
            Some(Claim::StaysAtMin { min_replicas, is_normal })
        }
        LimitReason::ScaleUpLimit | LimitReason::ScaleDownLimit => rate(explanation, limited),
    }
}

fn rate(explanation: &Explanation, limited: &Limited) -> Option<Claim> {
    let replicas = limited.after.0;
    let stays = explanation.current() == Some(limited.after);
    match &limited.how {
        Limit::Legacy { .. } => Some(Claim::AtMostDoubled { replicas }),
        Limit::Behavior(Some(limit)) => {
            let is_counted = limit::unknown(explanation, limited).is_none();
            Some(policies(limit, is_counted, replicas, stays.then(|| stay(explanation))))
        }
        Limit::Behavior(None) => None,
    }
}

/// Whether less than what the bounds allow is wanted, and a window made more of it.
fn is_trimmed_window(explanation: &Explanation) -> bool {
    let max = explanation.snapshot().hpa.max;
    let stabilized = explanation.decision().stabilized.as_ref();
    stabilized.is_some_and(|it| it.before <= max && matches!(it.how, Stabilization::Legacy(_)))
}

/// Until when the rates keep the count, as far as that is known.
fn stay(explanation: &Explanation) -> Stay {
    if limit::keeps_zero(explanation) {
        return Stay::Always;
    }
    explanation.outlook().next.map_or(Stay::ForNow, |next| Stay::Until(At(next.at)))
}

/// The policies in a sentence: whether the rescales that they count are known, and until when the count does not move at all.
fn policies(limit: &BehaviorLimit, is_counted: bool, replicas: i32, stays: Option<Stay>) -> Claim {
    let direction = Way(limit.direction);
    match (limit.select, limit.policies.as_slice()) {
        (SelectPolicy::Disabled, _) => Claim::DirectionDisabled { direction },
        (_, [only]) => Claim::OnePolicy {
            policy: Allowance::of(*only, limit.direction, is_counted),
            clamped: limit::clamped_to(limit).filter(|_| is_counted),
            replicas,
            stays,
        },
        (select, policies) => Claim::Policies {
            direction,
            policies: policies.len(),
            strictest: select == SelectPolicy::Min,
            replicas,
            stays,
        },
    }
}

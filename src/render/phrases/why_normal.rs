//! What earlier recommendations, rates and bounds made of the proposal.

use super::{answer, arithmetic, doubt, limit};
use crate::render::units::{clock, replicas, span};
use kubectl_hpa_core::explanation::{Explanation, Remembered};
use kubectl_hpa_core::memory_bounds;
use kubectl_hpa_core::model::{Duration, Instant, SelectPolicy};
use kubectl_hpa_core::trace::{
    BehaviorLimit, Direction, LegacyStabilization, Limit, LimitReason, Limited, Stabilization, Stabilized,
};
use kubectl_hpa_core::whatif::{Cause, Next};

/// At most one sentence for each.
pub(in crate::render) fn sentences(explanation: &Explanation) -> Vec<String> {
    let decision = explanation.decision();
    let mut sentences = Vec::new();
    if answer::waits_for_memory(explanation) {
        sentences.push(not_known(explanation));
        return sentences;
    }
    let open = explanation.open_way();
    sentences.extend(open_way(explanation));
    let window_of = |it: &Stabilized| window(explanation, it);
    sentences.extend(decision.stabilized.as_ref().filter(|_| !open.window).and_then(window_of));
    let bound_of = |it: &Limited| bound(explanation, it);
    sentences.extend(decision.limited.as_ref().filter(|_| !open.limit).and_then(bound_of));
    sentences.extend(
        decision.floor.map(|floor| {
            format!("From its own zero the HPA goes straight to minReplicas {}.", floor.after.0)
        }),
    );
    sentences
}

/// Where the count is known, and what makes it is not. A bound that makes it either way is told instead.
fn open_way(explanation: &Explanation) -> Option<String> {
    let open = explanation.open_way();
    let count = explanation.decision().desired().filter(|_| open.limit)?;
    let what = if open.window {
        let window = span(memory_bounds::longest(explanation.snapshot()));
        format!("a recommendation of the last {window} counts")
    } else {
        "a rate limits the replicas".to_owned()
    };
    Some(format!("Whether {what} is not known here: {} either way.", replicas(count.0)))
}

fn not_known(explanation: &Explanation) -> String {
    let window = span(memory_bounds::longest(explanation.snapshot()));
    let bounds = match explanation.remembered() {
        Remembered::Bounded(low, high) => format!(": {} to {} replicas", low.0, high.0),
        Remembered::Known | Remembered::BoundsAgree | Remembered::Unknown => String::new(),
    };
    // Otherwise the headline says it.
    let change = answer::latest_change(explanation).filter(|_| doubt::doubt(explanation).is_some());
    let change = change.map_or_else(String::new, |change| format!("; it {change}"));
    format!(
        "The controller's memory of the last {window} also counts, and it is not known here{bounds}{change}."
    )
}

fn window(explanation: &Explanation, stabilized: &Stabilized) -> Option<String> {
    if stabilized.before == stabilized.after {
        return None;
    }
    if explanation.initial().is_some() {
        return Some(initial(explanation, stabilized));
    }
    match (explanation.remembered(), &stabilized.how) {
        (Remembered::Known, Stabilization::Legacy(legacy)) => {
            Some(of_legacy(explanation, stabilized, legacy))
        }
        (Remembered::Known, Stabilization::Behavior(_)) => Some(of_behavior(explanation, stabilized)),
        (Remembered::BoundsAgree, _) => {
            let window = span(stabilized.window());
            Some(format!("Its last status shows that a recommendation of the last {window} still counts."))
        }
        (Remembered::Bounded(..) | Remembered::Unknown, _) => None,
    }
}

/// The memory was empty, so nothing but the current count can hold.
fn initial(explanation: &Explanation, stabilized: &Stabilized) -> String {
    let until = explanation.now() + stabilized.window();
    format!(
        "The controller remembers nothing of this HPA (it is new, or the controller has just started): it records the current replicas as a recommendation, which counts until {}{}.",
        clock(explanation.now(), until),
        longer(explanation, until)
    )
}

/// The bound that keeps the count when the window no longer does.
fn bounded(explanation: &Explanation, stabilized: &Stabilized) -> Option<String> {
    let (name, bound) = limit::bound(explanation, stabilized.before)?;
    Some(format!(", and {name}Replicas {} keeps the replicas after that", bound.0))
}

/// What holds the count when the window no longer does, where no sentence about a rate follows.
fn longer(explanation: &Explanation, leaves: Instant) -> String {
    let decision = explanation.decision();
    let is_limited = decision.limited.as_ref().is_some_and(|limited| limited.before != limited.after);
    if is_limited || decision.floor.is_some() {
        return String::new();
    }
    if let Some(direction) = explanation.disabled() {
        let (field, way) = (direction.field(), way(direction));
        return format!(
            ", but {field}.selectPolicy is Disabled, so the replicas do not {way} after that either"
        );
    }
    if let Some(bounded) = decision.stabilized.as_ref().and_then(|it| bounded(explanation, it)) {
        return bounded;
    }
    let later = explanation.outlook().next.filter(|next| next.at.since(leaves) >= Duration::from_seconds(1));
    match later {
        Some(Next { at, cause: Cause::PeriodEnds, .. }) => {
            format!(", and the rate after earlier rescales until {}", clock(explanation.now(), at))
        }
        Some(_) | None => String::new(),
    }
}

fn of_legacy(explanation: &Explanation, stabilized: &Stabilized, legacy: &LegacyStabilization) -> String {
    let (now, at) = (explanation.now(), held_since(explanation, stabilized));
    let (window, age) = (span(legacy.window), span(now.since(at)));
    let leaves = clock(now, at + legacy.window);
    let current = explanation.current().unwrap_or_default();
    let after = stabilized.after.0;
    let max = explanation.snapshot().hpa.max;
    if stabilized.after > max && stabilized.before <= max {
        let max = max.0;
        return format!(
            "In the last {window} the controller recommended up to {after} ({age} ago); without spec.behavior the highest recommendation of the window wins, trimmed to maxReplicas {max}; it expires at {leaves}."
        );
    }
    if stabilized.after > current && explanation.range().is_some_and(|(low, _)| low > current) {
        return format!(
            "In the last {window} the controller recommended {after} ({age} ago); without spec.behavior the highest recommendation of the window wins, so the replicas still rise; it expires at {leaves}."
        );
    }
    format!(
        "In the last {window} the controller recommended up to {after} ({age} ago); without spec.behavior the highest recommendation of the window wins; it expires at {leaves}{}.",
        bounded(explanation, stabilized).unwrap_or_default()
    )
}

fn of_behavior(explanation: &Explanation, stabilized: &Stabilized) -> String {
    let down = stabilized.after > stabilized.before;
    let (field, extreme) = if down { ("scaleDown", "highest") } else { ("scaleUp", "lowest") };
    let (now, at) = (explanation.now(), held_since(explanation, stabilized));
    let window = stabilized.window();
    let held = explanation.holder(stabilized).map_or(stabilized.after, |holder| holder.replicas);
    format!(
        "{field} is stabilized over {}, and the {extreme} recommendation counts: {} ({} ago), until {}{}.",
        span(window),
        held.0,
        span(now.since(at)),
        clock(now, at + window),
        longer(explanation, at + window)
    )
}

/// When the recommendation was made with which the hold ends.
fn held_since(explanation: &Explanation, stabilized: &Stabilized) -> Instant {
    explanation.holder(stabilized).map_or(explanation.now(), |holder| holder.at)
}

fn bound(explanation: &Explanation, limited: &Limited) -> Option<String> {
    // From its own zero the HPA goes to minReplicas, whatever the rates allow.
    if limited.before == limited.after || explanation.decision().floor.is_some() {
        return None;
    }
    let hpa = &explanation.snapshot().hpa;
    Some(match limited.reason {
        LimitReason::DesiredWithinRange => return None,
        // The window is the reason, and its sentence says what max cuts off.
        LimitReason::TooManyReplicas if is_trimmed_window(explanation) => return None,
        LimitReason::TooManyReplicas => format!("maxReplicas limits it to {}.", hpa.max.0),
        LimitReason::TooFewReplicas if explanation.current() != Some(limited.after) => {
            format!("minReplicas limits it to {}.", hpa.min.0)
        }
        LimitReason::TooFewReplicas if explanation.snapshot().others_of_target().next().is_some() => {
            format!("It stays at minReplicas {}.", hpa.min.0)
        }
        LimitReason::TooFewReplicas => format!(
            "It stays at minReplicas {}, which is normal: ScalingLimited TooFewReplicas says only that.",
            hpa.min.0
        ),
        LimitReason::ScaleUpLimit | LimitReason::ScaleDownLimit => rate(explanation, limited),
    })
}

fn rate(explanation: &Explanation, limited: &Limited) -> String {
    let after = limited.after.0;
    let stays = explanation.current() == Some(limited.after);
    match &limited.how {
        Limit::Legacy { .. } => format!(
            "Without spec.behavior a scale-up can at most double the replicas in one sync (or reach 4), so they go to {after} first."
        ),
        Limit::Behavior(Some(limit)) => {
            let is_counted = limit::unknown(explanation, limited).is_none();
            policies(limit, is_counted, after, if stays { Some(stays_until(explanation)) } else { None })
        }
        Limit::Behavior(None) => String::new(),
    }
}

/// Whether less than what the bounds allow is wanted, and a window made more of it.
fn is_trimmed_window(explanation: &Explanation) -> bool {
    let max = explanation.snapshot().hpa.max;
    let stabilized = explanation.decision().stabilized.as_ref();
    stabilized.is_some_and(|it| it.before <= max && matches!(it.how, Stabilization::Legacy(_)))
}

/// Until when the rates keep the count, as far as that is known.
fn stays_until(explanation: &Explanation) -> String {
    if limit::keeps_zero(explanation) {
        return "whatever the load: a percentage of 0 is 0".to_owned();
    }
    explanation
        .outlook()
        .next
        .map_or_else(|| "for now".to_owned(), |next| format!("until {}", clock(explanation.now(), next.at)))
}

const fn way(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "rise",
        Direction::Down => "fall",
    }
}

/// The policies in a sentence: whether the rescales that they count are known, and until when the count does not move at all.
fn policies(limit: &BehaviorLimit, is_counted: bool, after: i32, stays: Option<String>) -> String {
    let (field, way) = (limit.direction.field(), way(limit.direction));
    let moves = if stays.is_some() { "stays at" } else { "goes to" };
    let holds = stays.is_some();
    let until = stays.unwrap_or_else(|| "for now".to_owned());
    let number = limit.policies.len();
    match (limit.select, limit.policies.as_slice()) {
        (SelectPolicy::Disabled, _) => {
            format!("{field}.selectPolicy is Disabled, so the replicas do not {way}.")
        }
        (_, [only]) if is_counted => {
            let (name, calculation) = (limit::policy(only.policy), arithmetic::policy(only, limit.direction));
            let clamped = limit::clamped(limit);
            format!("{field} has one policy, {name}: {calculation}{clamped}, so it {moves} {after} {until}.")
        }
        (_, [only]) => {
            let name = limit::policy(only.policy);
            format!(
                "{field} has one policy, {name}. Which rescales it counts is not known; with any that fit, it {moves} {after} {until}."
            )
        }
        (SelectPolicy::Min, _) if holds => {
            format!(
                "The strictest of the {number} policies of {field} keeps the replicas at {after} {until}."
            )
        }
        (SelectPolicy::Max, _) if holds => {
            format!("None of the {number} policies of {field} lets the replicas {way} from {after} {until}.")
        }
        (SelectPolicy::Min, _) => {
            format!(
                "The strictest of the {number} policies of {field} lets the replicas {way} to {after} for now."
            )
        }
        (SelectPolicy::Max, _) => {
            format!(
                "The most generous of the {number} policies of {field} lets the replicas {way} to {after} for now."
            )
        }
    }
}

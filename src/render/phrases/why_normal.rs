//! What earlier recommendations, rates and bounds made of the proposal.

use super::{answer, arithmetic, limit};
use crate::model::{Instant, SelectPolicy};
use crate::render::explanation::{Explanation, Remembered};
use crate::render::forecast::{holder, window_of};
use crate::render::units::{clock, span};
use crate::trace::{
    BehaviorLimit, Direction, LegacyStabilization, Limit, LimitReason, Limited, Stabilization, Stabilized,
};

/// At most one sentence for each.
pub(in crate::render) fn sentences(explanation: Explanation<'_>) -> Vec<String> {
    let decision = explanation.decision;
    let mut sentences = Vec::new();
    if answer::waits_for_memory(explanation) {
        sentences.push(not_known(explanation));
        return sentences;
    }
    sentences.extend(decision.stabilized.as_ref().and_then(|it| window(explanation, it)));
    sentences.extend(decision.limited.as_ref().and_then(|it| bound(explanation, it)));
    sentences.extend(
        decision.floor.map(|floor| {
            format!("From its own zero the HPA goes straight to minReplicas {}.", floor.after.0)
        }),
    );
    sentences
}

fn not_known(explanation: Explanation<'_>) -> String {
    let window = span(answer::window_ends(explanation).since(explanation.now()));
    let bounds = match explanation.remembered() {
        Remembered::Bounded(low, high) => format!(": the count is {} to {}", low.0, high.0),
        Remembered::Known | Remembered::Recalled | Remembered::Unknown => String::new(),
    };
    format!(
        "What the controller remembers of the last {window} counts as well, and is not known here{bounds}."
    )
}

fn window(explanation: Explanation<'_>, stabilized: &Stabilized) -> Option<String> {
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
        (Remembered::Recalled, _) => {
            let window = span(window_of(stabilized));
            Some(format!("By its last status a recommendation of the last {window} still holds the count."))
        }
        (Remembered::Bounded(..) | Remembered::Unknown, _) => None,
    }
}

/// The memory was empty, so nothing but the current count can hold.
fn initial(explanation: Explanation<'_>, stabilized: &Stabilized) -> String {
    let until = explanation.now() + window_of(stabilized);
    format!(
        "It is the controller's first reconcile of this HPA, which takes the current count for a recommendation; that one holds until {}.",
        clock(explanation.now(), until)
    )
}

fn of_legacy(explanation: Explanation<'_>, stabilized: &Stabilized, legacy: &LegacyStabilization) -> String {
    let (now, at) = (explanation.now(), held_since(explanation, stabilized));
    let (window, age) = (span(legacy.window), span(now.since(at)));
    let leaves = clock(now, at + legacy.window);
    let current = explanation.current().unwrap_or_default();
    let after = stabilized.after.0;
    if stabilized.after > current {
        return format!(
            "In the last {window} the controller recommended {after} ({age} ago), and without spec.behavior the highest recommendation of the window wins, so the count still rises; it leaves at {leaves}."
        );
    }
    format!(
        "In the last {window} the controller recommended up to {after} ({age} ago), and without spec.behavior the highest recommendation of the window wins; it leaves at {leaves}."
    )
}

fn of_behavior(explanation: Explanation<'_>, stabilized: &Stabilized) -> String {
    let down = stabilized.after > stabilized.before;
    let (field, extreme) = if down { ("scaleDown", "highest") } else { ("scaleUp", "lowest") };
    let (now, at) = (explanation.now(), held_since(explanation, stabilized));
    let window = window_of(stabilized);
    let held = holder(explanation, stabilized).map_or(stabilized.after, |holder| holder.replicas);
    format!(
        "{field} is stabilized over {}, where the {extreme} recommendation counts: {} ({} ago) holds until {}.",
        span(window),
        held.0,
        span(now.since(at)),
        clock(now, at + window)
    )
}

/// When the recommendation was made with which the hold ends.
fn held_since(explanation: Explanation<'_>, stabilized: &Stabilized) -> Instant {
    holder(explanation, stabilized).map_or(explanation.now(), |holder| holder.at)
}

fn bound(explanation: Explanation<'_>, limited: &Limited) -> Option<String> {
    if limited.before == limited.after {
        return None;
    }
    let hpa = &explanation.snapshot.hpa;
    Some(match limited.reason {
        LimitReason::DesiredWithinRange => return None,
        LimitReason::TooManyReplicas => format!("maxReplicas is {}, and there it stops.", hpa.max.0),
        LimitReason::TooFewReplicas => format!("minReplicas is {}, and there it rests.", hpa.min.0),
        LimitReason::ScaleUpLimit | LimitReason::ScaleDownLimit => rate(explanation, limited),
    })
}

fn rate(explanation: Explanation<'_>, limited: &Limited) -> String {
    let after = limited.after.0;
    let stays = explanation.current() == Some(limited.after);
    match &limited.how {
        Limit::Legacy { .. } => format!(
            "Without spec.behavior a scale-up at most doubles the count in one sync (or reaches 4), so it goes to {after} first."
        ),
        Limit::Behavior(Some(limit)) => policies(limit, after, stays),
        Limit::Behavior(None) => String::new(),
    }
}

fn policies(limit: &BehaviorLimit, after: i32, stays: bool) -> String {
    let field = limit::field(limit.direction);
    let way = match limit.direction {
        Direction::Up => "rise",
        Direction::Down => "fall",
    };
    let number = limit.policies.len();
    match (limit.select, limit.policies.as_slice()) {
        (SelectPolicy::Disabled, _) => {
            format!("{field}.selectPolicy is Disabled, so the count does not {way}.")
        }
        (_, [only]) => {
            let (name, calculation) = (limit::policy(only.policy), arithmetic::policy(only, limit.direction));
            let moves = if stays { "stays at" } else { "goes to" };
            format!("{field} has one policy, {name}: {calculation}, so it {moves} {after} for now.")
        }
        (SelectPolicy::Min, _) if stays => {
            format!("The strictest of the {number} policies of {field} keeps the count at {after} for now.")
        }
        (SelectPolicy::Max, _) if stays => {
            format!("None of the {number} policies of {field} lets the count {way} from {after} for now.")
        }
        (SelectPolicy::Min, _) => {
            format!(
                "The strictest of the {number} policies of {field} lets the count {way} to {after} for now."
            )
        }
        (SelectPolicy::Max, _) => {
            format!(
                "The most generous of the {number} policies of {field} lets the count {way} to {after} for now."
            )
        }
    }
}

//! What a reconcile adds to the controller's memory besides its recommendation.

use crate::model::{Behavior, Duration, Instant, Memory, Recommendation, Replicas, ScaleEvent};

/// The first reconcile of an HPA stores the current replicas as a recommendation (upstream
/// `recordInitialRecommendation`).
pub(super) fn start(memory: &mut Memory, current: Replicas, now: Instant) {
    if memory.recommendations.is_empty() {
        memory.recommendations.push(Recommendation { replicas: current, at: now });
    }
}

/// A successful rescale is stored for the rates, if there is a `spec.behavior` to use it (upstream
/// `storeScaleEvent`): over the last event that is older than every policy's period, or at the end.
pub(super) fn store_scale(
    memory: &mut Memory,
    behavior: Option<&Behavior>,
    from: Replicas,
    to: Replicas,
    now: Instant,
) {
    let Some(behavior) = behavior else { return };
    let (events, rules, change) = if to > from {
        (&mut memory.scale_ups, &behavior.up, to.0.wrapping_sub(from.0))
    } else {
        (&mut memory.scale_downs, &behavior.down, from.0.wrapping_sub(to.0))
    };
    let cutoff = now - Duration::from_seconds(i64::from(rules.longest_period()));
    // The mark stays when a policy's period becomes longer later: upstream never clears it, it only overwrites the
    // slot.
    for event in events.iter_mut().filter(|event| event.at < cutoff) {
        event.outdated = true;
    }
    let event = ScaleEvent { change, at: now, outdated: false };
    // Upstream's loop runs to the end and keeps the last outdated slot. Only one is reused each time, so the list never
    // shrinks.
    match events.iter_mut().rev().find(|event| event.outdated) {
        Some(slot) => *slot = event,
        None => events.push(event),
    }
}

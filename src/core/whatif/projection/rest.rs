//! Whether the replicas can rest elsewhere.

use crate::model::Replicas;
use crate::play::{Assumptions, Player};
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::trace::Decision;

/// How many pods are looked at at most.
const LOOKS: i64 = 500_000;

/// Whether the metrics want to go on at each count on the way there, and nowhere farther: within their tolerance, or because an
/// average is rounded, the replicas could rest elsewhere as well.
pub(super) fn is_only_rest(snapshot: &Snapshot, rules: &Rules, decision: &Decision, rest: Replicas) -> bool {
    let (Ok(scale), Some(choice)) = (&snapshot.scale, decision.choice) else { return false };
    let (least, most) = (rest.min(scale.replicas).0, rest.max(scale.replicas).0);
    let goes_there = |from: Replicas, wanted: Replicas| {
        let wanted = wanted.max(snapshot.hpa.min).min(snapshot.hpa.max);
        if rest > from { from < wanted && wanted <= rest } else { rest <= wanted && wanted < from }
    };
    let mut between = (least.saturating_add(1)..most).map(Replicas);
    goes_there(scale.replicas, choice.after)
        && i64::from(most) * (i64::from(most) - i64::from(least)) <= LOOKS
        && between.all(|from| wanted_at(snapshot, rules, from).is_some_and(|wanted| goes_there(from, wanted)))
}

/// What the metrics want with so many pods that share the load.
fn wanted_at(snapshot: &Snapshot, rules: &Rules, count: Replicas) -> Option<Replicas> {
    let mut world = snapshot.clone();
    (world.hpa.min, world.hpa.max) = (count, count);
    let simple = Assumptions::default().world(&world).ok()?;
    let mut player = Player::start(world, simple, rules).ok()?;
    player.sync();
    let next = player.sync_at(snapshot.controller.sync_period.value);
    next.and_then(|sync| sync.decision.choice).map(|choice| choice.after)
}

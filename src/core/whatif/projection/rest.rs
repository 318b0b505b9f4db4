//! Whether the replicas go straight to where they rest.

use crate::model::Replicas;
use crate::play::{Assumptions, Player};
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::trace::Decision;

/// How many pods are looked at at most.
const LOOKS: i64 = 100_000;

/// Whether the metrics want nothing else at any count on the way there: within their tolerance, or because an average is rounded,
/// the replicas could rest elsewhere as well, or a recommendation could hold them that no play has made.
pub(super) fn is_straight(snapshot: &Snapshot, rules: &Rules, decision: &Decision, rest: Replicas) -> bool {
    let (Ok(scale), Some(choice)) = (&snapshot.scale, decision.choice) else { return false };
    let (least, most) = (rest.min(scale.replicas).0, rest.max(scale.replicas).0);
    let is_it = |wanted: Replicas| wanted.max(snapshot.hpa.min).min(snapshot.hpa.max) == rest;
    let mut between = (least.saturating_add(1)..most).map(Replicas);
    is_it(choice.after)
        && i64::from(most) * (i64::from(most) - i64::from(least)) <= LOOKS
        && between.all(|from| wanted_at(snapshot, rules, from).is_some_and(is_it))
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

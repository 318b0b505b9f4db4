//! Where the replicas rest whatever the controller remembers.

use std::cmp::Ordering;
use std::iter;

use super::Rest;
use super::play::Played;
use crate::model::Replicas;
use crate::play::{Assumptions, Player};
use crate::rules::Rules;
use crate::snapshot::Snapshot;

/// Where all plays rest, the last of them last, if each goes there without turning: what is between their memories goes there
/// between them.
pub(super) fn one_rest(snapshot: &Snapshot, plays: [&Played; 3]) -> Option<Rest> {
    let current = snapshot.scale.as_ref().ok()?.replicas;
    let [soonest, latest, late] = plays.map(Played::rest);
    let rest = late.filter(|late| {
        [soonest, latest].iter().flatten().filter(|it| it.replicas == late.replicas).count() == 2
    })?;
    let turns = |played: &&Played| {
        let counts = || iter::once(current).chain(played.counts());
        let is_up = rest.replicas > current;
        !counts().zip(counts().skip(1)).all(|(one, next)| if is_up { one <= next } else { one >= next })
    };
    (!plays.iter().any(turns)).then_some(rest)
}

/// Whether the metrics, with one pod less than that on the way there, want to go on: within their tolerance it could rest there
/// as well.
pub(super) fn is_only_rest(snapshot: &Snapshot, rules: &Rules, rest: Replicas) -> bool {
    let Ok(scale) = &snapshot.scale else { return false };
    let before = match rest.cmp(&scale.replicas) {
        Ordering::Greater => Replicas(rest.0 - 1),
        Ordering::Less => Replicas(rest.0 + 1),
        Ordering::Equal => return false,
    };
    if before == scale.replicas {
        return true;
    }
    let mut world = snapshot.clone();
    (world.hpa.min, world.hpa.max) = (before, before);
    let Ok(simple) = Assumptions::default().world(&world) else { return false };
    let Ok(mut player) = Player::start(world, simple, rules) else { return false };
    player.sync();
    let next = player.sync_at(snapshot.controller.sync_period.value);
    let wanted = next.and_then(|sync| sync.decision.choice).map(|choice| choice.after);
    wanted.is_some_and(|wanted| wanted.cmp(&before) == rest.cmp(&before))
}

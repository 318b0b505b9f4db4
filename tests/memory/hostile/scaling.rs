//! Acts upon the scale target.

use super::fields::Who;
use super::world::{SECOND, World};

const KUBECTL_SCALE: Who = Who::through("kubectl", "scale");
pub const APPLY: Who = Who::update("kubectl-client-side-apply");
pub const HELM: Who = Who::update("helm");
pub const ARGO: Who = Who::apply("argocd-controller");

pub fn any_size(world: &mut World) -> i32 {
    let (min, max) = (world.plan.min, world.plan.max);
    match world.draw.between(0, 9) {
        0 => max + world.draw.count(1, 5),
        1 => (min - 1).max(1),
        2 => world.target.replicas,
        _ => world.draw.count(min, max),
    }
}

pub fn scale(world: &mut World, to: i32) -> String {
    let from = world.target.replicas;
    world.set_replicas(KUBECTL_SCALE, to);
    format!("{from} to {to}")
}

pub fn scale_by_hand(world: &mut World) -> String {
    let to = any_size(world);
    scale(world, to)
}

pub fn scale_later(world: &mut World, to: i32) {
    if !world.is_away() {
        let detail = scale(world, to);
        world.done("scale-by-hand", detail);
    }
}

pub fn scale_several_times(world: &mut World) -> String {
    let mut at = world.now;
    for _ in 0..world.draw.between(1, 3) {
        at += world.draw.between(2, 3_000);
        let to = any_size(world);
        world.later.push((at, scale_later, to));
    }
    scale_by_hand(world)
}

pub fn scale_and_back(world: &mut World) -> String {
    let (back, at) = (world.target.replicas, world.now + world.draw.between(2, 20_000));
    world.later.push((at, scale_later, back));
    scale_by_hand(world)
}

pub fn scale_after_rescale(world: &mut World) -> String {
    let (soon, to) = (world.draw.between(5, 4_000), any_size(world));
    world.faults.after_rescale = Some((soon, scale_later, to));
    format!("to {to}, soon after the next rescale")
}

pub fn reset_target(world: &mut World) -> String {
    let (from, to) = (world.target.replicas, world.plan.replicas);
    let who = world.draw.pick(&[APPLY, HELM]);
    world.set_replicas(who, to);
    format!("{from} to {to} by {}", who.manager)
}

/// A server-side apply: takes the replicas, or comes to own them beside who set them.
pub fn argo_applies_target(world: &mut World) -> String {
    let to = world.draw.pick(&[world.plan.replicas, world.target.replicas]);
    let from = world.target.replicas;
    if from == to && !world.target.fields.owns(ARGO, "spec.replicas") {
        let now = world.now;
        world.target.fields.share(ARGO, &["spec.replicas".to_owned()], now);
    }
    world.set_replicas(ARGO, to);
    format!("{from} to {to}")
}

/// Another image: a new replica set grows while the old ones shrink.
pub fn rollout(world: &mut World) -> String {
    let newest = world.target.sets.last().map_or(0, |(number, _)| *number);
    world.target.sets.push((newest + 1, 0));
    world.target.generation += 1;
    world.touch_target();
    format!("web-6d{}", newest + 1)
}

pub fn pause(world: &mut World) -> String {
    let (wait, back) = (world.draw.between(1, 120) * SECOND, any_size(world));
    world.later.push((world.now + wait, scale_later, back));
    scale(world, 0)
}

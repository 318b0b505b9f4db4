//! Acts that refuse something to the controller alone for a while.

use super::refusal::{Refusal, Right, Sizes};
use super::scaling::any_size;
use super::world::{Failing, Millis, SECOND, World};

fn refuse(world: &mut World, refusal: Refusal) -> String {
    let wait: Millis =
        if world.draw.chance(50) { world.draw.between(5, 60) } else { world.draw.between(60, 600) } * SECOND;
    let until = world.now + wait + world.draw.between(0, 999);
    world.refuse(refusal, until);
    format!("{refusal:?} for {} ms", until - world.now)
}

pub fn no_pod_metrics(world: &mut World) -> String {
    refuse(world, Refusal::Right(Right::ListPodMetrics))
}

pub fn no_queue(world: &mut World) -> String {
    refuse(world, Refusal::Right(Right::ListQueue))
}

pub fn no_scale_get(world: &mut World) -> String {
    refuse(world, Refusal::Right(Right::GetScale))
}

pub fn no_scale_update(world: &mut World) -> String {
    refuse(world, Refusal::Right(Right::UpdateScale))
}

/// An admission policy freezes the scale.
pub fn deny_scale(world: &mut World) -> String {
    refuse(world, Refusal::Policy(Sizes::All))
}

/// It refuses only large or only small sizes.
pub fn deny_sizes(world: &mut World) -> String {
    let size = any_size(world).max(1);
    let sizes = if world.draw.chance(50) { Sizes::Above(size) } else { Sizes::Below(size) };
    refuse(world, Refusal::Policy(sizes))
}

pub fn webhook_down(world: &mut World) -> String {
    refuse(world, Refusal::Webhook)
}

/// A metrics API turns the controller away by itself, with a text that names no right.
pub fn adapter_refuses(world: &mut World) -> String {
    let what = world.draw.pick(&[Failing::Samples, Failing::Queue]);
    let code = world.draw.pick(&[403, 404, 500]);
    refuse(world, Refusal::Adapter(what, code))
}

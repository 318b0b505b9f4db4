//! Acts that replace objects.

use super::editing::{anew, edit};
use super::scaling::any_size;
use super::world::{SECOND, Target, World};

/// Deleted and created again, `kubectl replace --force`.
pub fn replace_target(world: &mut World) -> String {
    let wait = gone(world);
    format!("anew after {wait} ms")
}

fn gone(world: &mut World) -> i64 {
    let wait =
        if world.draw.chance(70) { world.draw.between(5, 2_000) } else { world.draw.between(2, 60) * SECOND };
    let back = world.now + wait;
    world.faults.missing_until = world.faults.missing_until.max(Some(back));
    world.target.reacts = None;
    let anew = |world: &mut World, _| {
        let name = world.target.name;
        world.make_target(name);
    };
    world.later.push((back, anew, 0));
    wait
}

/// HPA and target are deleted and created again, as an application is that is installed anew.
pub fn reinstall(world: &mut World) -> String {
    anew(world, |world| gone(world) + world.draw.between(0, 500))
}

/// The HPA scales a different target from now on.
pub fn other_target(world: &mut World) -> String {
    if world.hpa.is_none() || world.misses_target() {
        return "nothing".to_owned();
    }
    let name = if world.target.name == "web" { "site" } else { "web" };
    let replicas = any_size(world).max(1);
    let other = world.other.take().unwrap_or_else(|| {
        world.targets += 1;
        Target::new(name, world.targets - 1, replicas, -600 * SECOND)
    });
    edit(world, |spec| name.clone_into(&mut spec.scale_target_ref.name));
    world.other = Some(std::mem::replace(&mut world.target, other));
    world.pods.clear();
    world.settle_pods(-1_000 * SECOND);
    format!("{name} with {}", world.target.replicas)
}

/// A target that is not.
pub const MISTYPED: &str = "wbe";

/// The name of the target is mistyped, and soon corrected.
pub fn wrong_target(world: &mut World) -> String {
    if world.hpa.is_none() || world.misses_target() {
        return "nothing".to_owned();
    }
    let wait = world.draw.between(50, 60 * SECOND);
    world.faults.missing_until = Some(world.now + wait);
    edit(world, |spec| MISTYPED.clone_into(&mut spec.scale_target_ref.name));
    let right = |world: &mut World, _| {
        let name = world.target.name;
        world.faults.missing_until = None;
        edit(world, |spec| name.clone_into(&mut spec.scale_target_ref.name));
    };
    world.later.push((world.now + wait, right, 0));
    format!("for {wait} ms")
}

/// No more pods than there are, for a while.
pub fn quota(world: &mut World) -> String {
    let until = world.now + world.draw.between(5, 120) * SECOND;
    world.faults.quota = Some((until, world.pods.len()));
    let over = |world: &mut World, _| {
        if world.faults.quota.is_some_and(|(until, _)| until <= world.now) {
            world.faults.quota = None;
            world.settle_pods(world.now);
        }
    };
    world.later.push((until, over, 0));
    String::new()
}

//! Acts of and upon rivals. Each makes one first if there is none.

use kubectl_hpa_core::api::{HpaSpec, HpaStatus};

use super::fields::Owners;
use super::rival::Rival;
use super::scaling::{self, APPLY};
use super::spec;
use super::world::{Hpa, Later, Millis, SECOND, World};

const NAMES: [&str; 2] = ["web-too", "web-also"];

/// A rival of the same target whose bounds leave the count alone, for a while.
pub fn rival(world: &mut World) -> String {
    let (bounds, wait) = (around(world), world.draw.between(100, 60 * SECOND));
    create(world, bounds, Some(wait))
}

pub fn in_bounds(world: &mut World) -> String {
    let bounds = around(world);
    let wait = stay(world);
    create(world, bounds, wait)
}

fn around(world: &World) -> (i32, i32) {
    (1, world.plan.max.max(world.target.replicas) + 5)
}

/// How long a rival stays: some stay for good.
fn stay(world: &mut World) -> Option<Millis> {
    (!world.draw.chance(30)).then(|| world.draw.between(5, 400) * SECOND)
}

/// Its maxReplicas is below the count: it scales the target down without looking at metrics.
pub fn max_below(world: &mut World) -> String {
    let bounds = below(world);
    let wait = stay(world);
    create(world, bounds, wait)
}

fn below(world: &mut World) -> (i32, i32) {
    (1, (world.target.replicas - world.draw.count(1, 3)).max(1))
}

/// Its minReplicas is above the count.
pub fn min_above(world: &mut World) -> String {
    let bounds = above(world);
    let wait = stay(world);
    create(world, bounds, wait)
}

fn above(world: &mut World) -> (i32, i32) {
    let min = world.target.replicas + world.draw.count(1, 3);
    (min, min + world.draw.count(0, 6))
}

fn create(world: &mut World, bounds: (i32, i32), wait: Option<Millis>) -> String {
    let Some(name) = NAMES.into_iter().find(|name| find(world, name).is_none()) else {
        return "no more of them".to_owned();
    };
    let spec = drawn(world, bounds);
    let index = place(world, name, spec);
    let end = |wait| (world.now + wait, delete_at as Later, i32::try_from(index).expect("a place"));
    let end = wait.map(end);
    world.later.extend(end);
    format!("{name} {bounds:?} for {wait:?} ms")
}

fn drawn(world: &mut World, (min, max): (i32, i32)) -> HpaSpec {
    let percent = world.draw.count(10, 95);
    let mut spec = spec::first(&world.plan);
    world.target.name.clone_into(&mut spec.scale_target_ref.name);
    let metrics = vec![spec::metric(world.plan.metric, percent)];
    HpaSpec { min_replicas: Some(min), max_replicas: max, metrics, ..spec }
}

/// The place of a rival that there is now.
fn find(world: &World, name: &str) -> Option<usize> {
    world.rivals.iter().position(|rival| rival.name == name && rival.hpa.is_some())
}

/// The API server stores a new rival.
fn place(world: &mut World, name: &'static str, spec: HpaSpec) -> usize {
    let mut fields = Owners::default();
    fields.update(APPLY, &spec::leaves(&spec), &[], world.now);
    let generation = i64::from(world.counts_generations());
    let hpa = Hpa { created: world.now, generation, spec, status: HpaStatus::default(), fields };
    world.controller.held.insert(name, None);
    let first = world.first_sync();
    let index = world.rivals.iter().position(|rival| rival.name == name).unwrap_or_else(|| {
        let rival = Rival::new(name);
        world.rivals.push(rival);
        world.rivals.len() - 1
    });
    world.rivals[index].hpa = Some(hpa);
    world.rivals[index].enqueue(first);
    index
}

/// One of the rivals that there are.
fn one(world: &mut World) -> usize {
    let there: Vec<usize> =
        (0..world.rivals.len()).filter(|index| world.rivals[*index].hpa.is_some()).collect();
    if there.is_empty() {
        in_bounds(world);
        return find(world, NAMES[0]).expect("a rival");
    }
    world.draw.pick(&there)
}

pub fn edit(world: &mut World, index: usize, change: impl FnOnce(&mut HpaSpec)) {
    let (now, counts, soon) = (world.now, world.counts_generations(), world.first_sync());
    let rival = &mut world.rivals[index];
    let Some(hpa) = &mut rival.hpa else { return };
    let before = hpa.spec.clone();
    change(&mut hpa.spec);
    let (took, removed) = spec::difference("spec", &before, &hpa.spec);
    hpa.fields.update(APPLY, &took, &removed, now);
    if counts && before != hpa.spec {
        hpa.generation += 1;
        rival.enqueue(soon);
    }
}

/// Its bounds change: the count is within them, above or below.
pub fn edit_bounds(world: &mut World) -> String {
    let index = one(world);
    let (min, max) = match world.draw.between(0, 2) {
        0 => around(world),
        1 => below(world),
        _ => above(world),
    };
    edit(world, index, |spec| (spec.min_replicas, spec.max_replicas) = (Some(min), max));
    format!("{} {:?}", world.rivals[index].name, (min, max))
}

/// It scales another target from now on: one that is missing, at zero or has another selector; or the same again.
pub fn retarget(world: &mut World) -> String {
    let index = one(world);
    let name = world.draw.pick(&["gone", "idle", "api", world.target.name]);
    edit(world, index, |spec| name.clone_into(&mut spec.scale_target_ref.name));
    format!("{} to {name}", world.rivals[index].name)
}

/// Its target is scaled to zero, and later back.
pub fn pause(world: &mut World) -> String {
    let index = one(world);
    let target = world.rivals[index].hpa.as_ref().expect("a rival").spec.scale_target_ref.name.clone();
    let Some(aside) = world.asides.iter_mut().find(|aside| aside.name == target) else {
        return scaling::pause(world);
    };
    let back = std::mem::take(&mut aside.replicas);
    let wait = world.draw.between(1, 120) * SECOND;
    let wake = |world: &mut World, back: i32| {
        world.asides.iter_mut().filter(|aside| aside.name == "api").for_each(|aside| aside.replicas = back);
    };
    world.later.push((world.now + wait, wake, back));
    format!("{target} for {wait} ms")
}

fn remove(world: &mut World, index: usize) -> Option<Hpa> {
    let name = world.rivals[index].name;
    world.controller.held.remove(name);
    world.rivals[index].hpa.take()
}

fn delete_at(world: &mut World, index: i32) {
    let index = usize::try_from(index).expect("a place");
    if world.rivals[index].hpa.is_some() && !world.is_away() {
        remove(world, index);
        world.done("rival-delete", world.rivals[index].name.to_owned());
    }
}

pub fn delete(world: &mut World) -> String {
    let index = one(world);
    remove(world, index);
    world.rivals[index].name.to_owned()
}

/// Deleted and created again, with its bounds or with others.
pub fn recreate(world: &mut World) -> String {
    let index = one(world);
    let hpa = remove(world, index).expect("a rival");
    world.rivals[index].gone = Some(hpa.spec);
    let wait =
        if world.draw.chance(70) { world.draw.between(5, 2_000) } else { world.draw.between(2, 60) * SECOND };
    let anew = |world: &mut World, index: i32| {
        let index = usize::try_from(index).expect("a place");
        let name = world.rivals[index].name;
        if let Some(spec) = world.rivals[index].gone.take().filter(|_| find(world, name).is_none()) {
            place(world, name, spec);
            world.done("rival-create", name.to_owned());
        }
    };
    world.later.push((world.now + wait, anew, i32::try_from(index).expect("a place")));
    format!("{} after {wait} ms", world.rivals[index].name)
}

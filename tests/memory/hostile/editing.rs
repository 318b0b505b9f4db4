//! Acts upon the HPA.

use kubectl_hpa_core::api::{Behavior, HpaSpec};
use kubectl_hpa_core::model::{Format, Quantity};

use super::behavior::behavior;
use super::fields::Who;
use super::plan::Metric;
use super::scaling::{APPLY, ARGO, HELM};
use super::spec;
use super::world::{Millis, SECOND, World};

const EDIT: Who = Who::update("kubectl-edit");
/// Entries are apart by the version of the API, too.
const EDIT_V1: Who = Who::update("kubectl-edit-v1");

/// Edits the spec as one of those who do. Before 1.37 what only takes away is done as kubectl apply does it, which leaves a
/// time: a merge patch would leave no sign at all.
pub fn edit(world: &mut World, change: impl FnOnce(&mut kubectl_hpa_core::api::HpaSpec)) {
    let Some(before) = world.hpa.as_ref().map(|hpa| hpa.spec.clone()) else { return };
    let mut spec = before.clone();
    change(&mut spec);
    let leaves_no_sign = spec::difference("spec", &before, &spec).0.is_empty() && !world.counts_generations();
    let who = if leaves_no_sign { APPLY } else { world.draw.pick(&[APPLY, HELM, EDIT, ARGO]) };
    world.edit(who, spec, who == APPLY);
}

pub fn edit_min(world: &mut World) -> String {
    let to = world.draw.count(1, world.plan.max - 1);
    edit(world, |spec| spec.min_replicas = Some(to.min(spec.max_replicas)));
    format!("to {to}")
}

pub fn edit_max(world: &mut World) -> String {
    let to = world.draw.count(world.plan.min.max(1), world.plan.max + 5);
    edit(world, |spec| spec.max_replicas = to.max(spec.min_replicas.unwrap_or(1)));
    format!("to {to}")
}

pub fn edit_metric(world: &mut World) -> String {
    let (metric, percent) = (world.plan.metric, world.draw.count(10, 95));
    edit(world, |spec| spec.metrics = vec![spec::metric(metric, percent)]);
    format!("to {percent}")
}

/// Adds a metric, or goes back to the one.
pub fn edit_metrics(world: &mut World) -> String {
    let (metric, percent, second) = (world.plan.metric, world.draw.count(10, 95), world.draw.count(10, 95));
    let mut metrics = vec![spec::metric(metric, percent)];
    if metric != Metric::Queue && world.draw.chance(60) {
        metrics.push(spec::metric(Metric::Queue, second));
    }
    let detail = format!("{} of them", metrics.len());
    edit(world, |spec| spec.metrics = metrics);
    detail
}

pub fn edit_behavior(world: &mut World) -> String {
    let drawn = behavior(&mut world.draw).unwrap_or_default();
    let detail = serde_json::to_string(&drawn).expect("JSON");
    edit(world, |spec| spec.behavior = Some(spec::stored(drawn)));
    detail
}

/// Through autoscaling/v1 the behavior is an annotation.
pub fn edit_annotation(world: &mut World) -> String {
    let drawn = behavior(&mut world.draw).unwrap_or_default();
    let detail = serde_json::to_string(&drawn).expect("JSON");
    let Some(hpa) = &world.hpa else { return "no HPA".to_owned() };
    let behavior = Some(spec::stored(drawn));
    world.edit_annotations(EDIT_V1, HpaSpec { behavior, ..hpa.spec.clone() });
    detail
}

/// How far the metrics may be off before the controller acts (1.35 and later).
pub fn edit_tolerance(world: &mut World) -> String {
    if world.minor() < 35 {
        return "not known yet".to_owned();
    }
    let milli = world.draw.pick(&[0, 1, 20, 50, 200, 500]);
    let tolerance = Some(Quantity::from_milli(milli, Format::DecimalSI));
    let sides = world.draw.pick(&[[true, true], [true, false], [false, true]]);
    edit(world, |spec| {
        let mut stored = spec.behavior.clone().unwrap_or_else(|| spec::stored(Behavior::default()));
        let rules = [&mut stored.scale_up, &mut stored.scale_down].into_iter().zip(sides);
        for rules in rules.filter(|(_, is_set)| *is_set).filter_map(|(rules, _)| rules.as_mut()) {
            rules.tolerance.clone_from(&tolerance);
        }
        spec.behavior = Some(stored);
    });
    format!("to {milli} of a thousand, {sides:?}")
}

pub fn remove_behavior(world: &mut World) -> String {
    edit(world, |spec| spec.behavior = None);
    String::new()
}

pub fn edit_after_rescale(world: &mut World) -> String {
    let (soon, to) = (world.draw.between(5, 900), world.draw.count(10, 95));
    world.faults.after_rescale = Some((soon, set_metric, to));
    format!("to {to}, soon after the next rescale")
}

fn set_metric(world: &mut World, percent: i32) {
    if !world.is_away() {
        let metric = world.plan.metric;
        edit(world, |spec| spec.metrics = vec![spec::metric(metric, percent)]);
        world.done("edit-metric", format!("to {percent}"));
    }
}

/// Somebody tries one target after another. Since 1.37 each brings a sync at once.
pub fn edit_storm(world: &mut World) -> String {
    let mut at = world.now;
    for _ in 0..world.draw.between(2, 7) {
        at += world.draw.between(5, 3_000);
        let to = world.draw.count(10, 95);
        world.later.push((at, set_metric, to));
    }
    edit_metric(world)
}

/// Both bounds become the current count, and later the usual ones again.
pub fn freeze(world: &mut World) -> String {
    let current = world.target.replicas.max(1);
    let wait = world.draw.between(1, 120) * SECOND;
    world.later.push((world.now + wait, unfreeze, 0));
    edit(world, |spec| (spec.min_replicas, spec.max_replicas) = (Some(current), current));
    format!("at {current} for {wait} ms")
}

fn unfreeze(world: &mut World, _: i32) {
    if !world.is_away() {
        let (min, max) = (world.plan.min, world.plan.max);
        edit(world, |spec| (spec.min_replicas, spec.max_replicas) = (Some(min), max));
        world.done("unfreeze", String::new());
    }
}

/// Behavior is changed and soon set back: the controller may have seen it or not.
pub fn edit_and_back(world: &mut World) -> String {
    let Some(hpa) = &world.hpa else { return "nothing".to_owned() };
    world.set_back = Some(hpa.spec.clone());
    let wait = world.draw.between(50, 2 * world.plan.period);
    world.later.push((world.now + wait, set_back, 0));
    edit_behavior(world)
}

fn set_back(world: &mut World, _: i32) {
    let before = world.set_back.take();
    if let Some(before) = before.filter(|_| !world.is_away()) {
        edit(world, |spec| spec.behavior = before.behavior);
        world.done("edit-behavior", "back".to_owned());
    }
}

/// maxReplicas comes about to where the count is, and is soon set back.
pub fn edit_max_and_back(world: &mut World) -> String {
    let Some(before) = world.hpa.as_ref().map(|hpa| hpa.spec.max_replicas) else {
        return "nothing".to_owned();
    };
    let wait = world.draw.between(50, 2 * world.plan.period);
    world.later.push((world.now + wait, max_back, before));
    let to = world.target.replicas + world.draw.count(-1, 1);
    edit(world, |spec| spec.max_replicas = to.max(spec.min_replicas.unwrap_or(1)).max(1));
    format!("to {to}")
}

fn max_back(world: &mut World, to: i32) {
    if !world.is_away() {
        edit(world, |spec| spec.max_replicas = to.max(spec.min_replicas.unwrap_or(1)));
        world.done("edit-max", "back".to_owned());
    }
}

pub fn annotate(world: &mut World) -> String {
    let now = world.now;
    if let Some(hpa) = &mut world.hpa {
        hpa.fields.update(Who::update("kubectl-annotate"), &["annotations.note".to_owned()], &[], now);
    }
    String::new()
}

/// Somebody applies the manifest again, with another annotation only.
pub fn apply_again(world: &mut World) -> String {
    if let Some(spec) = world.hpa.as_ref().map(|hpa| hpa.spec.clone()) {
        world.edit(APPLY, spec, true);
    }
    String::new()
}

fn create(world: &mut World, _: i32) {
    if world.hpa.is_none() {
        let spec = spec::first(&world.plan);
        world.create_hpa(spec);
        world.done("create-hpa", String::new());
    }
}

/// The HPA is deleted and created again later, but not where its events were deleted, too: nothing else would show that
/// there was one before.
pub fn anew(world: &mut World, wait: impl FnOnce(&mut World) -> Millis) -> String {
    if world.has_deleted_events {
        return "not here".to_owned();
    }
    world.hpa = None;
    world.controller.held.remove("web");
    let wait = wait(world);
    world.later.push((world.now + wait, create, 0));
    format!("anew after {wait} ms")
}

pub fn recreate_hpa(world: &mut World) -> String {
    anew(world, |world| world.draw.between(5, 2_000))
}

pub fn delete_hpa(world: &mut World) -> String {
    anew(world, |world| world.draw.between(2, 200) * SECOND)
}

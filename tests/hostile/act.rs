//! What people and clusters do. A new act is one function and one line of the table.

use super::fields::Who;
use super::plan::{self, Metric};
use super::spec;
use super::world::{SECOND, World};

/// An act: makes itself, and tells what it came to.
pub type Act = fn(&mut World) -> String;

pub const ACTS: &[(&str, Act)] = &[
    ("scale-by-hand", scale_by_hand),
    ("scale-several-times", scale_several_times),
    ("scale-and-back", scale_and_back),
    ("scale-after-rescale", scale_after_rescale),
    ("reset-target", reset_target),
    ("argo-applies-target", argo_applies_target),
    ("rollout", rollout),
    ("edit-min", edit_min),
    ("edit-max", edit_max),
    ("edit-metric", edit_metric),
    ("edit-metrics", edit_metrics),
    ("edit-behavior", edit_behavior),
    ("remove-behavior", remove_behavior),
    ("edit-after-rescale", edit_after_rescale),
    ("annotate", annotate),
    ("apply-again", apply_again),
    ("recreate-hpa", recreate_hpa),
    ("delete-hpa", delete_hpa),
    ("pause", pause),
    ("restart", restart),
    ("new-leader", new_leader),
    ("api-outage", api_outage),
    ("late-sync", late_sync),
    ("scale-write-fails", scale_write_fails),
    ("scale-conflict", scale_conflict),
    ("scale-read-fails", scale_read_fails),
    ("status-conflict", status_conflict),
    ("dropped-events", dropped_events),
    ("pods-unready", pods_unready),
    ("pods-replaced", pods_replaced),
];

const KUBECTL_SCALE: Who = Who::through("kubectl", "scale");
const APPLY: Who = Who::update("kubectl-client-side-apply");
const HELM: Who = Who::update("helm");
const EDIT: Who = Who::update("kubectl-edit");

fn any_size(world: &mut World) -> i32 {
    let (min, max) = (world.plan.min, world.plan.max);
    match world.draw.between(0, 9) {
        0 => max + world.draw.count(1, 5),
        1 => (min - 1).max(1),
        2 => world.target.replicas,
        _ => world.draw.count(min, max),
    }
}

fn scale(world: &mut World, to: i32) -> String {
    let from = world.target.replicas;
    world.set_replicas(KUBECTL_SCALE, to);
    format!("{from} to {to}")
}

fn scale_by_hand(world: &mut World) -> String {
    let to = any_size(world);
    scale(world, to)
}

fn scale_later(world: &mut World, to: i32) {
    if !world.is_away() {
        let detail = scale(world, to);
        world.done("scale-by-hand", detail);
    }
}

fn scale_several_times(world: &mut World) -> String {
    let mut at = world.now;
    for _ in 0..world.draw.between(1, 3) {
        at += world.draw.between(2, 3_000);
        let to = any_size(world);
        world.later.push((at, scale_later, to));
    }
    scale_by_hand(world)
}

fn scale_and_back(world: &mut World) -> String {
    let (back, at) = (world.target.replicas, world.now + world.draw.between(2, 20_000));
    world.later.push((at, scale_later, back));
    scale_by_hand(world)
}

fn scale_after_rescale(world: &mut World) -> String {
    let (soon, to) = (world.draw.between(5, 4_000), any_size(world));
    world.faults.after_rescale = Some((soon, scale_later, to));
    format!("to {to}, soon after the next rescale")
}

fn reset_target(world: &mut World) -> String {
    let (from, to) = (world.target.replicas, world.plan.replicas);
    let who = world.draw.pick(&[APPLY, HELM]);
    world.set_replicas(who, to);
    format!("{from} to {to} by {}", who.manager)
}

/// A server-side apply: takes the replicas, or comes to own them beside who set them.
fn argo_applies_target(world: &mut World) -> String {
    const ARGO: Who = Who::apply("argocd-controller");
    let to = world.draw.pick(&[world.plan.replicas, world.target.replicas]);
    let from = world.target.replicas;
    if from == to {
        let now = world.now;
        world.target.fields.share(ARGO, &["spec.replicas".to_owned()], now);
    }
    world.set_replicas(ARGO, to);
    format!("{from} to {to}")
}

/// Another image: a new replica set grows while the old ones shrink.
fn rollout(world: &mut World) -> String {
    let newest = world.target.sets.last().map_or(0, |(number, _)| *number);
    world.target.sets.push((newest + 1, 0));
    world.touch_target();
    format!("web-6d{}", newest + 1)
}

/// Edits the spec as one of those who do.
fn edit(world: &mut World, change: impl FnOnce(&mut kubectl_hpa::api::HpaSpec)) {
    let Some(mut spec) = world.hpa.as_ref().map(|hpa| hpa.spec.clone()) else { return };
    change(&mut spec);
    let who = world.draw.pick(&[APPLY, HELM, EDIT]);
    world.edit(who, spec, who == APPLY);
}

fn edit_min(world: &mut World) -> String {
    let to = world.draw.count(1, world.plan.max - 1);
    edit(world, |spec| spec.min_replicas = Some(to.min(spec.max_replicas)));
    format!("to {to}")
}

fn edit_max(world: &mut World) -> String {
    let to = world.draw.count(world.plan.min.max(1), world.plan.max + 5);
    edit(world, |spec| spec.max_replicas = to.max(spec.min_replicas.unwrap_or(1)));
    format!("to {to}")
}

fn edit_metric(world: &mut World) -> String {
    let (metric, percent) = (world.plan.metric, world.draw.count(10, 95));
    edit(world, |spec| spec.metrics = vec![spec::metric(metric, percent)]);
    format!("to {percent}")
}

/// Adds a metric, or goes back to the one.
fn edit_metrics(world: &mut World) -> String {
    let (metric, percent, second) = (world.plan.metric, world.draw.count(10, 95), world.draw.count(10, 95));
    let mut metrics = vec![spec::metric(metric, percent)];
    if metric != Metric::Queue && world.draw.chance(60) {
        metrics.push(spec::metric(Metric::Queue, second));
    }
    let detail = format!("{} of them", metrics.len());
    edit(world, |spec| spec.metrics = metrics);
    detail
}

fn edit_behavior(world: &mut World) -> String {
    let behavior = plan::behavior(&mut world.draw).unwrap_or_default();
    let detail = serde_json::to_string(&behavior).expect("JSON");
    edit(world, |spec| spec.behavior = Some(spec::stored(behavior)));
    detail
}

/// Before 1.37 as kubectl apply does it, which leaves a time: a merge patch would leave no sign at all.
fn remove_behavior(world: &mut World) -> String {
    let Some(mut spec) = world.hpa.as_ref().map(|hpa| hpa.spec.clone()) else { return "nothing".to_owned() };
    spec.behavior = None;
    world.edit(APPLY, spec, true);
    String::new()
}

fn edit_after_rescale(world: &mut World) -> String {
    let (soon, to) = (world.draw.between(5, 900), world.draw.count(10, 95));
    let change = |world: &mut World, percent: i32| {
        if !world.is_away() {
            let metric = world.plan.metric;
            edit(world, |spec| spec.metrics = vec![spec::metric(metric, percent)]);
            world.done("edit-metric", format!("to {percent}"));
        }
    };
    world.faults.after_rescale = Some((soon, change, to));
    format!("to {to}, soon after the next rescale")
}

fn annotate(world: &mut World) -> String {
    let now = world.now;
    if let Some(hpa) = &mut world.hpa {
        hpa.fields.update(Who::update("kubectl-annotate"), &["annotations.note".to_owned()], &[], now);
    }
    String::new()
}

/// Somebody applies the manifest again, with another annotation only.
fn apply_again(world: &mut World) -> String {
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

fn recreate_hpa(world: &mut World) -> String {
    world.hpa = None;
    let wait = world.draw.between(5, 2_000);
    world.later.push((world.now + wait, create, 0));
    format!("anew after {wait} ms")
}

fn delete_hpa(world: &mut World) -> String {
    world.hpa = None;
    let wait = world.draw.between(2, 200) * SECOND;
    world.later.push((world.now + wait, create, 0));
    format!("anew after {wait} ms")
}

fn pause(world: &mut World) -> String {
    let (wait, back) = (world.draw.between(1, 120) * SECOND, any_size(world));
    world.later.push((world.now + wait, scale_later, back));
    scale(world, 0)
}

fn restart(world: &mut World) -> String {
    if world.plan.hidden.started || !world.controller.runs {
        return "not here".to_owned();
    }
    let away = world.draw.between(300, 4_000);
    world.restart(away);
    format!("away for {away} ms")
}

fn new_leader(world: &mut World) -> String {
    if world.plan.hidden.started || !world.controller.runs {
        return "not here".to_owned();
    }
    let away = world.draw.between(2_000, 20_000);
    world.restart(away);
    format!("nobody leads for {away} ms")
}

fn api_outage(world: &mut World) -> String {
    let away = world.draw.between(2_000, 40_000);
    world.faults.away_until = world.now + away;
    format!("{away} ms")
}

fn late_sync(world: &mut World) -> String {
    let late = world.draw.between(1_000, 3 * world.plan.period);
    world.controller.next_sync = world.controller.next_sync.map(|next| next + late);
    format!("by {late} ms")
}

fn scale_write_fails(world: &mut World) -> String {
    world.faults.scale_writes = u8::try_from(world.draw.between(1, 3)).expect("small");
    String::new()
}

fn scale_conflict(world: &mut World) -> String {
    let to = any_size(world);
    world.faults.scale_conflict = Some(to);
    format!("to {to}, during the next rescale")
}

fn scale_read_fails(world: &mut World) -> String {
    world.faults.scale_reads = u8::try_from(world.draw.between(1, 3)).expect("small");
    String::new()
}

/// Somebody writes the HPA during the next syncs.
fn status_conflict(world: &mut World) -> String {
    world.faults.conflicts = u8::try_from(world.draw.between(1, 2)).expect("small");
    annotate(world)
}

fn dropped_events(world: &mut World) -> String {
    world.faults.dropped_events = u8::try_from(world.draw.between(1, 4)).expect("small");
    format!("the next {}", world.faults.dropped_events)
}

fn pods_unready(world: &mut World) -> String {
    let until = world.now + world.draw.between(2, 60) * SECOND;
    let mut struck = 0;
    for index in 0..world.pods.len() {
        if world.draw.chance(30) {
            world.pods[index].ready = until;
            world.pods[index].measured = until + world.draw.between(0, 20_000);
            struck += 1;
        }
    }
    format!("{struck} pods")
}

fn pods_replaced(world: &mut World) -> String {
    let lost = world.draw.between(1, 3);
    for _ in 0..lost.min(i64::try_from(world.pods.len()).expect("a count")) {
        world.pods.remove(0);
        world.make_pod(world.now);
    }
    format!("{lost} pods")
}

//! Acts upon what the API shows of the past.

use super::fields::Who;
use super::plan::Sign;
use super::recorder::Emitted;
use super::scaling::any_size;
use super::world::{SECOND, World, seconds};

/// Somebody else tells of a rescale.
pub fn foreign_event(world: &mut World) -> String {
    let to = any_size(world);
    let reason = world.draw.pick(&["All metrics below target", "memory resource utilization above target"]);
    let message = format!("New size: {to}; reason: {reason}");
    let at = world.now - world.draw.between(0, 100 * SECOND);
    let event = Emitted { warning: false, reason: "SuccessfulRescale".to_owned(), message };
    let stored = world.once("somebody", format!("web.f{at}"), event, at);
    world.events.push(stored);
    format!("{to}")
}

/// Somebody deletes the events, but not where the HPA is made anew: those of an earlier HPA are assumed to be left,
/// because nothing else tells of it.
pub fn delete_events(world: &mut World) -> String {
    if world.hpas > 1 || world.hpa.is_none() {
        return "not here".to_owned();
    }
    world.events.clear();
    world.has_deleted_events = true;
    String::new()
}

/// Somebody writes a part of the status, but not where nothing would show it: then it is assumed to be the controller's.
pub fn edit_status(world: &mut World) -> String {
    let (part, size) = (world.draw.between(0, 4), any_size(world));
    let at = seconds(world.now - world.draw.between(0, 100 * SECOND));
    let Some(mut status) = world.hpa.as_ref().map(|hpa| hpa.status.clone()) else {
        return "nothing".to_owned();
    };
    if world.plan.hides(Sign::Fields) {
        return "not here".to_owned();
    }
    let what = match part {
        0 if world.plan.hides(Sign::Events) || world.has_deleted_events => return "not here".to_owned(),
        0 => {
            status.last_scale_time = None;
            "no lastScaleTime".to_owned()
        }
        1 => {
            status.last_scale_time = Some(at);
            format!("lastScaleTime {at}")
        }
        2 => {
            status.desired_replicas = size;
            format!("desiredReplicas {size}")
        }
        3 => {
            status.conditions.clear();
            "no conditions".to_owned()
        }
        _ => {
            for condition in &mut status.conditions {
                condition.last_transition_time = Some(at);
            }
            format!("conditions since {at}")
        }
    };
    world.edit_status(Who::through("kubectl-edit", "status"), status);
    // What it showed as refused it may show no longer.
    world.met.clear();
    what
}

/// Somebody clears the managed fields of the HPA (a patch to `[{}]`).
pub fn clear_fields(world: &mut World) -> String {
    if let Some(hpa) = &mut world.hpa {
        hpa.fields.clear();
    }
    String::new()
}

/// The same of the target.
pub fn clear_target_fields(world: &mut World) -> String {
    world.target.fields.clear();
    String::new()
}

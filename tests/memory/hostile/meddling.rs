//! Acts upon what the API shows of the past.

use super::recorder::Emitted;
use super::scaling::any_size;
use super::world::{SECOND, Stored, World};

/// Somebody else tells of a rescale.
pub fn foreign_event(world: &mut World) -> String {
    let to = any_size(world);
    let reason = world.draw.pick(&["All metrics below target", "memory resource utilization above target"]);
    let message = format!("New size: {to}; reason: {reason}");
    let at = world.now - world.draw.between(0, 100 * SECOND);
    world.events.push(Stored {
        target: None,
        source: "somebody",
        name: format!("web.f{at}"),
        created: world.now,
        event: Emitted { warning: false, reason: "SuccessfulRescale".to_owned(), message },
        count: 1,
        first: at,
        last: at,
        expires: world.now + 3_600 * SECOND,
    });
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

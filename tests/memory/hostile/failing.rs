//! Acts upon the control plane and the pods.

use super::editing::annotate;
use super::plan::Sign;
use super::scaling::any_size;
use super::world::{Failing, SECOND, World};

pub fn restart(world: &mut World) -> String {
    if world.plan.hides(Sign::Started) || !world.controller.runs {
        return "not here".to_owned();
    }
    let away = world.draw.between(300, 4_000);
    world.restart(away);
    format!("away for {away} ms")
}

pub fn new_leader(world: &mut World) -> String {
    if world.plan.hides(Sign::Started) || !world.controller.runs {
        return "not here".to_owned();
    }
    let away = world.draw.between(2_000, 20_000);
    world.restart(away);
    format!("nobody leads for {away} ms")
}

/// Who leads and cannot renew its lease for ten seconds ends.
pub fn api_outage(world: &mut World) -> String {
    let is_known = !world.plan.hides(Sign::Started);
    let away = world.draw.between(2_000, if is_known { 40_000 } else { 10_000 });
    world.faults.away_until = world.now + away;
    if away > 10_000 && world.controller.runs {
        let anew = away + world.draw.between(1_000, 4_000);
        world.restart(anew);
    }
    format!("{away} ms")
}

/// A busy controller comes late, but not for longer than one that remembers can have been cut off.
pub fn late_sync(world: &mut World) -> String {
    if world.faults.is_late {
        return "not again".to_owned();
    }
    world.faults.is_late = true;
    let late = world.draw.between(1_000, 14 * SECOND + world.plan.period / 2);
    // When syncs begin is known already if the plan is run again.
    if !world.has_schedule() {
        world.controller.next_sync = world.controller.next_sync.map(|next| next + late);
    }
    format!("by {late} ms")
}

/// The API answers slowly: the replicas are written long after they were decided.
pub fn slow_syncs(world: &mut World) -> String {
    world.faults.slow_syncs = u8::try_from(world.draw.between(1, 4)).expect("small");
    format!("the next {}", world.faults.slow_syncs)
}

pub fn scale_write_fails(world: &mut World) -> String {
    world.faults.scale_writes = u8::try_from(world.draw.between(1, 3)).expect("small");
    String::new()
}

pub fn scale_conflict(world: &mut World) -> String {
    let to = any_size(world);
    world.faults.scale_conflict = Some(to);
    format!("to {to}, during the next rescale")
}

pub fn scale_read_fails(world: &mut World) -> String {
    world.faults.scale_reads = u8::try_from(world.draw.between(1, 3)).expect("small");
    String::new()
}

/// The API server refuses the next statuses that differ from the stored one, although nobody else writes the HPA.
pub fn status_write_fails(world: &mut World) -> String {
    world.faults.status_writes = u8::try_from(world.draw.between(1, 3)).expect("small");
    String::new()
}

/// Somebody writes the HPA during the next syncs.
pub fn status_conflict(world: &mut World) -> String {
    world.faults.conflicts = u8::try_from(world.draw.between(1, 2)).expect("small");
    annotate(world)
}

/// The API server refuses events of the target. (Those of the HPA are taken to be stored: no other sign tells of a rescale
/// that somebody takes back.)
pub fn refused_events(world: &mut World) -> String {
    world.faults.refused_events = u8::try_from(world.draw.between(1, 4)).expect("small");
    format!("the next {} of the target", world.faults.refused_events)
}

/// An admission webhook stores fewer replicas than the controller asks for.
pub fn cap_writes(world: &mut World) -> String {
    let (wait, most) = (world.draw.between(1, 120) * SECOND, any_size(world).max(1));
    world.faults.cap = Some((world.now + wait, most));
    format!("at {most} for {wait} ms")
}

/// One of the metrics APIs does not answer for a while.
pub fn metric_fails(world: &mut World) -> String {
    let until = world.now + world.draw.between(2, 90) * SECOND;
    let fails = world.draw.pick(&[Failing::Samples, Failing::Queue]);
    world.faults.metric = Some((until, fails));
    format!("{fails:?}")
}

/// Ready pods without samples.
pub fn samples_missing(world: &mut World) -> String {
    let until = world.now + world.draw.between(2, 60) * SECOND;
    let mut struck = 0;
    for index in 0..world.pods.len() {
        if world.draw.chance(40) {
            let pod = &mut world.pods[index];
            pod.measured = pod.measured.max(until);
            struck += 1;
        }
    }
    format!("{struck} pods")
}

pub fn pods_unready(world: &mut World) -> String {
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

pub fn pods_replaced(world: &mut World) -> String {
    let lost = world.draw.between(1, 3);
    for _ in 0..lost.min(i64::try_from(world.pods.len()).expect("a count")) {
        world.pods.remove(0);
        world.make_pod(world.now);
    }
    format!("{lost} pods")
}

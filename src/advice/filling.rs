//! Pods that count and should not, and pods that do not and should.

use super::world::World;
use super::{Advice, Remedy};
use crate::snapshot::Phase;
use crate::trace::{Group, Member};
use crate::whatif::{Change, Knob, Removal};

pub(super) fn advise(world: &World<'_>) -> Vec<Advice> {
    own_pods(world).into_iter().chain(samples(world)).collect()
}

fn own_pods(world: &World<'_>) -> Option<Advice> {
    // Without a census no pod has counted.
    world.decision.metrics.iter().find_map(|trace| trace.census.as_ref())?;
    let (foreign, first) = world.foreign()?;
    let then = world.changed(world.without(Removal::ForeignPods(foreign)))?;
    let changes = vec![Change::new(Knob::OnlyOwnPods, "")];
    Some(Advice { remedy: Remedy::SelectOwnPods { foreign, first }, changes, then: Some(then) })
}

/// Where the count would be another one, were the missing pods like the others.
fn samples(world: &World<'_>) -> Option<Advice> {
    let (metric, places) = world.decision.metrics.iter().find_map(|trace| {
        let members = trace.census.as_ref()?.members.iter().enumerate();
        let is_missing = |(_, member): &(usize, &Member)| matches!(member.group, Group::Missing(_));
        let places: Vec<usize> = members.filter(is_missing).map(|(place, _)| place).collect();
        (!places.is_empty()).then_some((trace.index, places))
    })?;
    // A pod that has done its work will never have a sample.
    let ended = |place: &usize| world.pod(*place).is_some_and(|pod| pod.phase == Phase::Succeeded);
    if places.iter().any(ended) {
        return None;
    }
    let missing = places.len();
    let then = world.changed(world.without(Removal::Filling(missing)))?;
    let first = places.first().copied()?;
    let remedy = Remedy::RestoreSamples { metric, missing, first };
    Some(Advice { remedy, changes: Vec::new(), then: Some(then) })
}

//! Pods that are not bound to a node: more replicas bring nothing while they are not.

use super::world::World;
use super::{Advice, Remedy};
use crate::snapshot::Pod;

pub(super) fn advise(world: &World<'_>) -> impl Iterator<Item = Advice> {
    let waiting =
        longest(world, Pod::waits_for_node).map(|(waiting, first)| Remedy::MakeRoom { waiting, first });
    let gated =
        longest(world, Pod::is_gated).map(|(gated, first)| Remedy::CheckSchedulingGates { gated, first });
    waiting.into_iter().chain(gated).map(Advice::new)
}

/// How many of the target's own pods are so, and the place of the one that has been for longest.
fn longest(world: &World<'_>, is: fn(&Pod) -> bool) -> Option<(usize, usize)> {
    let pods = world.snapshot.pods.iter().flatten().enumerate();
    let own = pods.filter(|(_, pod)| is(pod) && !crate::whatif::is_foreign(world.snapshot, pod));
    let those: Vec<_> = own.collect();
    let (first, _) =
        those.iter().min_by_key(|(_, pod)| pod.unscheduled.map(|unscheduled| unscheduled.since))?;
    Some((those.len(), *first))
}

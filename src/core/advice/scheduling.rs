//! Pods that wait for a node: more replicas bring nothing while they do.

use super::world::World;
use super::{Advice, Remedy};

pub(super) fn advise(world: &World<'_>) -> Option<Advice> {
    let pods = world.snapshot.pods.iter().flatten().enumerate();
    let own = pods.filter(|(_, pod)| !crate::whatif::is_foreign(world.snapshot, pod));
    let waiting: Vec<_> = own.filter(|(_, pod)| pod.waits_for_node()).collect();
    let (first, _) = waiting.iter().min_by_key(|(_, pod)| pod.unscheduled)?;
    Some(Advice::new(Remedy::MakeRoom { waiting: waiting.len(), first: *first }))
}

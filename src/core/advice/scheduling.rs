//! Pods that are not bound to a node: more replicas bring nothing while they are not.

use super::context::AdviceContext;
use super::{Advice, Remedy};
use crate::snapshot::Pod;

pub(super) fn advise(context: &AdviceContext<'_>) -> impl Iterator<Item = Advice> {
    let waiting =
        longest(context, Pod::waits_for_node).map(|(waiting, first)| Remedy::MakeRoom { waiting, first });
    let gated =
        longest(context, Pod::is_gated).map(|(gated, first)| Remedy::CheckSchedulingGates { gated, first });
    waiting.into_iter().chain(gated).map(Advice::new)
}

/// How many of the target's own pods are so, and the place of the one that has been for longest.
fn longest(context: &AdviceContext<'_>, is: fn(&Pod) -> bool) -> Option<(usize, usize)> {
    let pods = context.snapshot.pods.iter().flatten().enumerate();
    let own = pods.filter(|(_, pod)| is(pod) && !crate::whatif::is_foreign(context.snapshot, pod));
    let those: Vec<_> = own.collect();
    let (first, _) =
        those.iter().min_by_key(|(_, pod)| pod.unscheduled.map(|unscheduled| unscheduled.since))?;
    Some((those.len(), *first))
}

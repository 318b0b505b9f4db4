//! Pods that have no node, or a container that waits: more replicas bring nothing while they do not run.

use super::context::AdviceContext;
use super::{Advice, Remedy};
use crate::snapshot::Pod;

pub(super) fn advise(context: &AdviceContext<'_>) -> impl Iterator<Item = Advice> {
    let waiting =
        longest(context, Pod::waits_for_node).map(|(waiting, first)| Remedy::MakeRoom { waiting, first });
    let gated =
        longest(context, Pod::is_gated).map(|(gated, first)| Remedy::CheckSchedulingGates { gated, first });
    let stuck = longest(context, |pod| pod.stuck.is_some() && pod.usage.is_none())
        .map(|(stuck, first)| Remedy::StartContainers { stuck, first });
    waiting.into_iter().chain(gated).chain(stuck).map(Advice::new)
}

/// How many of the target's own pods are so, and the place of the one that has waited, or else existed, for longest.
fn longest(context: &AdviceContext<'_>, is: fn(&Pod) -> bool) -> Option<(usize, usize)> {
    let pods = context.snapshot.pods.iter().flatten().enumerate();
    let own = pods.filter(|(_, pod)| is(pod) && !crate::whatif::is_foreign(context.snapshot, pod));
    let those: Vec<_> = own.collect();
    let (first, _) =
        those.iter().min_by_key(|(_, pod)| pod.unscheduled.map(|it| it.since).or(pod.started))?;
    Some((those.len(), *first))
}

//! Pods that have no node, or a container that waits: more replicas bring nothing while they do not run.

use super::context::AdviceContext;
use super::{Advice, Remedy};
use crate::snapshot::Pod;

pub(super) fn advise(context: &AdviceContext<'_>) -> impl Iterator<Item = Advice> {
    let waiting = longest_first(context, Pod::waits_for_node).map(|waiting| Remedy::MakeRoom { waiting });
    let gated = longest_first(context, Pod::is_gated).map(|gated| Remedy::CheckSchedulingGates { gated });
    let is_silent = |place: &usize| context.pod(*place).is_some_and(|pod| pod.usage.is_none());
    let stuck = longest_first(context, |pod| pod.stuck.is_some() && !pod.phase.has_ended())
        .filter(|stuck| stuck.iter().any(is_silent))
        .map(|stuck| Remedy::StartContainers { stuck });
    waiting.into_iter().chain(gated).chain(stuck).map(Advice::new)
}

/// The places of the target's own pods that are so, the one that has waited, or else existed, for longest first.
fn longest_first(context: &AdviceContext<'_>, is: fn(&Pod) -> bool) -> Option<Vec<usize>> {
    let pods = context.snapshot.pods.iter().flatten().enumerate();
    let own = pods.filter(|(_, pod)| is(pod) && !crate::whatif::is_foreign(context.snapshot, pod));
    let since = |pod: &Pod| pod.unscheduled.map(|it| it.since).or(pod.started);
    // One that has not started comes after those that have.
    let mut those: Vec<_> = own.map(|(place, pod)| (since(pod).is_none(), since(pod), place)).collect();
    those.sort_unstable();
    (!those.is_empty()).then(|| those.into_iter().map(|(.., place)| place).collect())
}

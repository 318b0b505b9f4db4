//! Pods that do not exist, have no node, a container that waits, or never got Ready: more replicas bring nothing while they do no
//! work.

use super::context::AdviceContext;
use super::{Advice, Remedy};
use crate::causes::About;
use crate::model::{Duration, Instant, Replicas};
use crate::snapshot::Pod;
use crate::trace::{Group, HoldReason, Outcome, Unready};
use crate::whatif::{Removal, in_group, settled};

/// So long pods of a rescale may take until they are there.
const ARRIVAL: Duration = Duration::from_seconds(60);

pub(super) fn advise(context: &AdviceContext<'_>) -> impl Iterator<Item = Advice> {
    let waited = |pod: &Pod| pod.unscheduled.map(|it| it.since).or(pod.started);
    // A scale-down deletes first those that have no node (upstream `ActivePodsWithRanks`).
    let proposed = context.decision.choice.map(|choice| choice.after.max(context.snapshot.hpa.min));
    let stays = |highest: Replicas| proposed.map_or(highest, |proposed| proposed.min(highest));
    let goes = context
        .decision
        .found()
        .zip(context.now)
        .map_or(0, |(found, (_, highest))| i64::from(found.0) - i64::from(stays(highest).0));
    let stays = |pods: &Vec<usize>| i64::try_from(pods.len()).is_ok_and(|pods| goes < pods);
    let waiting = longest_first(context, Pod::waits_for_node, waited).filter(stays);
    let waiting = waiting.map(|waiting| Remedy::MakeRoom { waiting });
    let gated = longest_first(context, Pod::is_gated, waited).filter(stays);
    let gated = gated.map(|gated| Remedy::CheckSchedulingGates { gated });
    let is_stuck = |pod: &Pod| pod.stuck.is_some() && !pod.phase.has_ended();
    let stuck = longest_first(context, is_stuck, |pod| pod.started);
    let stuck = stuck.map(|stuck| Remedy::StartContainers { stuck });
    let unstarted = waiting.into_iter().chain(gated).chain(stuck).chain(create_pods(context));
    unstarted.map(Advice::new).chain(get_ready(context))
}

/// Pods that do not exist, if the decision is another with them, or a higher maxReplicas would bring no more of them. Those of
/// the last rescale may be on their way, or those that replace pods that are being deleted.
fn create_pods(context: &AdviceContext<'_>) -> Option<Remedy> {
    let last = context.snapshot.hpa.status.last_scale_time;
    let pods = context.snapshot.pods.iter().flatten();
    let own = pods.filter(|pod| !context.snapshot.is_foreign(pod));
    if last.is_some_and(|last| context.snapshot.taken_at.since(last) < ARRIVAL)
        || own.clone().any(|pod| pod.deleting)
    {
        return None;
    }
    let ended = own.clone().filter(|pod| pod.phase.has_ended()).count();
    let there = own.filter(|pod| pod.is_active()).count();
    let absent =
        usize::try_from(context.decision.found()?.0).ok()?.checked_sub(there).filter(|absent| *absent > 0)?;
    let is_multiplied = Removal::numbers(context.snapshot, context.decision)
        .iter()
        .any(|it| matches!(it, Removal::AbsentPods(_)));
    let matters = || context.changed(context.without(Removal::AbsentPods(absent))).is_some();
    let is_held = context.cause.is_some_and(|cause| cause.about == About::Max);
    (is_multiplied && (is_held || matters())).then_some(Remedy::CreatePods { absent, ended })
}

/// Pods that run and have never been Ready, by the controller's own test, if the decision is another once they are.
fn get_ready(context: &AdviceContext<'_>) -> Option<Advice> {
    let unready = in_group(context.decision, |group| group == Group::Unready(Unready::NeverReady));
    let runs = |pod: &Pod| pod.is_active() && pod.stuck.is_none();
    let mut places = longest_first(context, runs, |pod| pod.started)?;
    places.retain(|place| unready.contains(place));
    if places.is_empty() {
        return None;
    }
    let world = settled(context.snapshot, &places.iter().copied().collect());
    let is_stopped = matches!(
        context.decision.outcome,
        Outcome::Hold { reason: HoldReason::AllMetricsInvalid | HoldReason::InvalidMetricBlocksDown, .. }
    );
    let then = if is_stopped { context.measured(world) } else { context.changed(world) }?;
    Some(Advice { remedy: Remedy::GetReady { unready: places }, changes: Vec::new(), then: Some(then) })
}

/// The places of the target's own pods that are so, the one that has been there for longest first.
fn longest_first(
    context: &AdviceContext<'_>,
    is: fn(&Pod) -> bool,
    since: fn(&Pod) -> Option<Instant>,
) -> Option<Vec<usize>> {
    let pods = context.snapshot.pods.iter().flatten().enumerate();
    let own = pods.filter(|(_, pod)| is(pod) && !context.snapshot.is_foreign(pod));
    // One that has not started comes after those that have.
    let mut those: Vec<_> = own.map(|(place, pod)| (since(pod).is_none(), since(pod), place)).collect();
    those.sort_unstable();
    (!those.is_empty()).then(|| those.into_iter().map(|(.., place)| place).collect())
}

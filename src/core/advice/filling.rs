//! Pods that count and should not, and pods that do not and should.

use std::collections::BTreeSet;

use super::context::{AdviceContext, gone};
use super::{Advice, Remedy};
use crate::snapshot::{Phase, Pod};
use crate::trace::{Group, GroupedPod};
use crate::whatif::{Removal, in_group, without_pods};

pub(super) fn advise(context: &AdviceContext<'_>) -> Vec<Advice> {
    let (finished, foreign) = (finished(context), context.foreign());
    // Where all of the others' pods have finished, deleting them is the simpler way.
    let advice = if foreign.is_subset(&finished) { None } else { own_pods(context, &foreign) };
    advice.or_else(|| delete(context, &finished)).into_iter().chain(samples(context)).collect()
}

fn own_pods(context: &AdviceContext<'_>, foreign: &BTreeSet<usize>) -> Option<Advice> {
    // Without groups no pod counts.
    context.decision.metrics.iter().find_map(|trace| trace.groups.as_ref())?;
    let then = context.measured(without_pods(context.snapshot, foreign));
    let then = then.filter(|then| Some(then.next) != context.now);
    context.select_own_pods(foreign, then)
}

/// The pods that have done their work, and count as missing.
fn finished(context: &AdviceContext<'_>) -> BTreeSet<usize> {
    let mut finished = in_group(context.decision, |group| matches!(group, Group::Missing(_)));
    finished.retain(|place| context.pod(*place).is_some_and(|pod| pod.phase == Phase::Succeeded));
    finished
}

fn delete(context: &AdviceContext<'_>, finished: &BTreeSet<usize>) -> Option<Advice> {
    if finished.is_empty() {
        return None;
    }
    let then = context.changed_in_the_end(without_pods(context.snapshot, finished))?;
    let changes = gone(context, finished).into_iter().collect();
    let remedy = Remedy::DeleteFinishedPods { finished: finished.iter().copied().collect(), lacking: None };
    Some(Advice { remedy, changes, then: Some(then) })
}

/// Whether the missing pods change the decision if they are like the others.
fn samples(context: &AdviceContext<'_>) -> Option<Advice> {
    let (metric, places) = context.decision.metrics.iter().find_map(|trace| {
        let members = trace.groups.as_ref()?.pods.iter().enumerate();
        let is_missing = |(_, member): &(usize, &GroupedPod)| matches!(member.group, Group::Missing(_));
        let places: Vec<usize> = members.filter(is_missing).map(|(place, _)| place).collect();
        (!places.is_empty()).then_some((trace.index, places))
    })?;
    // A pod that has done its work will never have a sample, and one whose container waits has other advice.
    let is_silent = |pod: &Pod| pod.phase == Phase::Succeeded || pod.stuck.is_some();
    if places.iter().any(|place| context.pod(*place).is_some_and(is_silent)) {
        return None;
    }
    let then = context.changed(context.without(Removal::Filling(places.len())))?;
    let remedy = Remedy::RestoreSamples { metric, missing: places };
    Some(Advice { remedy, changes: Vec::new(), then: Some(then) })
}

//! As many pods as replicas: those beyond them taken away, those that are not there added, and unready ones settled.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::sampled::middle;
use crate::model::{Duration, Replicas};
use crate::snapshot::{ConditionStatus, Phase, Pod, PodUsage, Readiness, Reading, Snapshot};
use crate::trace::{Calculation, Decision, Group};

/// The places of the pods that the deciding metric counts; `None` if it counts none.
#[must_use]
pub fn counted(snapshot: &Snapshot, decision: &Decision) -> Option<BTreeSet<usize>> {
    let (winner, proposal) = decision.winner()?;
    let pods = snapshot.pods.iter().flatten().enumerate();
    match (&proposal.calculation, &winner.groups) {
        (Calculation::PerPod(_), Some(groups)) => {
            let counts = |place: usize| {
                groups.pods.get(place).is_some_and(|member| !matches!(member.group, Group::Ignored(_)))
            };
            Some(pods.filter(|(place, _)| counts(*place)).map(|(place, _)| place).collect())
        }
        (Calculation::Total(_), _) => {
            Some(pods.filter(|(_, pod)| pod.is_running_and_ready()).map(|(place, _)| place).collect())
        }
        (Calculation::PerPod(_) | Calculation::PerReplica(_), _) => None,
    }
}

/// The counted pods beyond the replicas: first those of others, then those of smaller revisions, then the last ones.
pub(super) fn surplus(snapshot: &Snapshot, decision: &Decision) -> BTreeSet<usize> {
    let (Some(counted), Some(Replicas(current))) = (counted(snapshot, decision), decision.found()) else {
        return BTreeSet::new();
    };
    let beyond = counted.len().saturating_sub(usize::try_from(current).unwrap_or_default());
    if beyond == 0 {
        return BTreeSet::new();
    }
    let pods = snapshot.pods.as_deref().unwrap_or_default();
    let owner = |pod: &Pod| pod.owner.as_ref().map(|owner| owner.name.clone());
    let mut revisions = BTreeMap::new();
    for pod in counted.iter().filter_map(|place| pods.get(*place)) {
        *revisions.entry(owner(pod)).or_insert(0_usize) += 1;
    }
    let rank = |place: &usize| {
        pods.get(*place).map(|pod| {
            let is_own = !pod.is_of_another(&snapshot.hpa.target);
            (is_own, revisions.get(&owner(pod)).copied().unwrap_or_default(), owner(pod), Reverse(*place))
        })
    };
    let mut ranked: Vec<usize> = counted.into_iter().collect();
    ranked.sort_by_key(rank);
    ranked.into_iter().take(beyond).collect()
}

/// How many pods there are fewer than replicas, if one that is ready shows what they would be like.
pub(super) fn absent(snapshot: &Snapshot, decision: &Decision) -> usize {
    let (Some(counted), Some(Replicas(current))) = (counted(snapshot, decision), decision.found()) else {
        return 0;
    };
    let wanted = usize::try_from(current).unwrap_or_default();
    let absent = wanted.saturating_sub(counted.len());
    if absent <= MOST_ADDED && like(snapshot, decision).is_some() { absent } else { 0 }
}

/// No more pods are imagined: replicas can be typed, pods cannot.
const MOST_ADDED: usize = 10_000;

/// The place of the pod that the others would be like.
#[must_use]
pub fn like(snapshot: &Snapshot, decision: &Decision) -> Option<usize> {
    match &decision.winner()?.0.groups {
        Some(groups) => middle(groups),
        None => snapshot.pods.as_ref().ok()?.iter().position(Pod::is_running_and_ready),
    }
}

/// Adds so many pods, with the samples of the ready pod in the middle.
pub(super) fn add(world: &mut Snapshot, decision: &Decision, number: usize) {
    let Some(like) = like(world, decision) else { return };
    let Ok(pods) = &mut world.pods else { return };
    let Some(pod) = pods.get(like).cloned() else { return };
    let named = |place: usize| Pod { name: format!("{}-absent-{place}", pod.name).into(), ..pod.clone() };
    *pods = pods.iter().cloned().chain((0..number).map(named)).collect::<Vec<_>>().into();
    if let (Ok(usages), Some(_)) = (&mut world.usages, &pod.usage) {
        usages.items += number;
    }
    for reading in &mut world.readings {
        if let Reading::Pods(Ok(samples)) = reading {
            let sample = samples.own.get(like).copied().flatten();
            samples.own.extend(std::iter::repeat_n(sample, number));
            samples.items = samples.foreign.len() + samples.own.iter().flatten().count();
        }
    }
}

/// A world like this one with these pods running and ready.
#[must_use]
pub fn settled(snapshot: &Snapshot, places: &BTreeSet<usize>) -> Snapshot {
    let mut world = snapshot.clone();
    settle(&mut world, places);
    world
}

/// Lets pods be running and ready for as long as the controller asks of any, with samples of now.
pub(super) fn settle(world: &mut Snapshot, places: &BTreeSet<usize>) {
    let (now, period) = (world.taken_at, world.controller.cpu_initialization_period.value);
    let since = now - period - Duration::from_seconds(1);
    let Ok(pods) = &mut world.pods else { return };
    for place in places {
        let Some(pod) = pods.get_mut(*place) else { continue };
        pod.phase = Phase::Running;
        pod.started = Some(pod.started.map_or(since, |started| started.min(since)));
        pod.ready = Some(Readiness { status: ConditionStatus::True, since });
        pod.usage = pod.usage.take().map(|usage| PodUsage { at: now, ..usage });
    }
}

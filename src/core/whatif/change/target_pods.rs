//! The target and its pods.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::own_pods::{items, named_pods, own_pods};
use super::pod_state::{MOST, State};
use super::{Problem, median, number};
use crate::api::{Pod, PodCondition, PodMetrics};
use crate::model::{Duration, Instant};
use crate::snapshot::{Case, owned_by};

/// `scale.spec.replicas` and `scale.status.replicas`.
pub(super) fn replicas(case: &mut Case, count: i32) -> Result<(), Problem> {
    let scale = case.scale.as_mut().and_then(|scale| scale.object.as_mut());
    let scale = scale.ok_or(Problem::NoScale)?;
    scale.spec.replicas = count;
    scale.status.replicas = count;
    Ok(())
}

/// A change of pods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PodChange {
    /// `NAME=STATE`; the name may have `*` for any text.
    Turn(String, State),
    /// `+N STATE`.
    Add(usize, State),
    /// `-N`.
    Remove(usize),
}

/// `NAME=STATE`, `+N STATE`, `-N`; several with commas between them.
pub(super) fn read(text: &str) -> Result<Vec<PodChange>, Problem> {
    text.split(',').map(str::trim).map(pod_change).collect()
}

fn pod_change(part: &str) -> Result<PodChange, Problem> {
    if let Some(more) = part.strip_prefix('+') {
        let (count, state) = more.trim().split_once(' ').unwrap_or((more.trim(), "ready"));
        return match (pod_count(count)?, state_of(state.trim())?) {
            (_, State::Gone) => Err(Problem::AddsGone),
            (_, State::MedianSample) => Err(Problem::AddsMedianSample),
            (count, state) => Ok(PodChange::Add(count, state)),
        };
    }
    if let Some(fewer) = part.strip_prefix('-') {
        return Ok(PodChange::Remove(pod_count(fewer.trim())?));
    }
    let (name, state) = number::pair(part).ok_or_else(|| Problem::NotAPodChange(part.to_owned()))?;
    Ok(PodChange::Turn(name.to_owned(), state_of(state)?))
}

fn state_of(text: &str) -> Result<State, Problem> {
    State::parse(text).ok_or_else(|| Problem::NotAPodState(text.to_owned()))
}

/// Changes the pods, from left to right.
pub(super) fn pods(case: &mut Case, changes: &[PodChange]) -> Result<(), Problem> {
    changes.iter().try_for_each(|change| match change {
        PodChange::Turn(name, state) => turn(case, name, *state),
        PodChange::Add(count, state) => add(case, *count, *state),
        PodChange::Remove(count) => remove(case, *count),
    })
}

fn pod_count(text: &str) -> Result<usize, Problem> {
    let count = text.parse().ok().filter(|count| (1..=MOST).contains(count));
    count.ok_or_else(|| Problem::NotAPodCount(text.to_owned()))
}

fn turn(case: &mut Case, pattern: &str, state: State) -> Result<(), Problem> {
    let (places, now) = (named_pods(case, pattern)?, case.at);
    let pods = items(case)?;
    let names: BTreeSet<String> = places.iter().map(|place| pods[*place].metadata.name.clone()).collect();
    for place in places.into_iter().rev() {
        if state == State::Gone {
            pods.remove(place);
        } else {
            put(Arc::make_mut(&mut pods[place]), state, now);
        }
    }
    if !state.has_samples() {
        drop_samples(case, &|pod| names.contains(pod));
    }
    if state == State::MedianSample {
        for name in &names {
            median::give(case, name);
        }
    }
    Ok(())
}

pub(super) fn put(pod: &mut Pod, state: State, now: Instant) {
    let hour = Duration::from_seconds(3600);
    let ready = |is: bool, since: Instant| {
        vec![PodCondition {
            kind: "Ready".into(),
            status: if is { "True" } else { "False" }.into(),
            last_transition_time: Some(since),
            ..PodCondition::default()
        }]
    };
    let running = |pod: &mut Pod| pod.status.phase = "Running".into();
    match state {
        State::Ready => {
            running(pod);
            pod.metadata.deletion_timestamp = None;
            pod.status.start_time = Some(now - hour);
            pod.status.conditions = ready(true, now - hour);
        }
        State::NotReady => {
            running(pod);
            pod.status.conditions = ready(false, now);
        }
        State::Starting => {
            running(pod);
            pod.status.start_time = Some(now);
            pod.status.conditions = ready(false, now);
        }
        State::Pending => {
            pod.status.phase = "Pending".into();
            pod.status.start_time = None;
            pod.status.conditions.clear();
        }
        State::Failed => pod.status.phase = "Failed".into(),
        State::Deleting => pod.metadata.deletion_timestamp = Some(now),
        State::NoSample | State::MedianSample | State::Gone => {}
    }
}

/// Copies of the first of the target's pods that is Running, or else of the first, at the end of the list; with copies
/// of its samples, unless the state leaves samples out. They are named after it: `NAME-added-1` and so on.
fn add(case: &mut Case, count: usize, state: State) -> Result<(), Problem> {
    let (own, now) = (own_pods(case)?, case.at);
    let pods = items(case)?;
    let running = own.iter().find(|place| pods[**place].status.phase == "Running");
    let place = running.or(own.first()).ok_or(Problem::NoPodToCopy)?;
    let template = pods[*place].clone();
    let names = fresh_names(pods, &template.metadata.name, count);
    for name in &names {
        let mut pod = Pod::clone(&template);
        pod.metadata.name.clone_from(name);
        put(&mut pod, state, now);
        pods.push(Arc::new(pod));
    }
    if state.has_samples() {
        copy_samples(case, &template.metadata.name, &names);
    }
    Ok(())
}

/// Names that no pod has.
fn fresh_names(pods: &[Arc<Pod>], like: &str, count: usize) -> Vec<String> {
    let taken: BTreeSet<&str> = pods.iter().map(|pod| &*pod.metadata.name).collect();
    let names: Range<usize> = 1..taken.len() + count + 1;
    let fresh = names.map(|number| format!("{like}-added-{number}"));
    fresh.filter(|name| !taken.contains(name.as_str())).take(count).collect()
}

/// The last of the pods that the target selects are left out, with their samples.
fn remove(case: &mut Case, count: usize) -> Result<(), Problem> {
    let own = own_pods(case)?;
    if own.len() < count {
        return Err(Problem::TooFewPods(own.len()));
    }
    let gone = own[own.len() - count..].to_vec();
    keep(case, &|place, _| !gone.contains(&place))
}

/// Leaves out the pods whose owner is not the target, and their samples.
pub(super) fn only_own(case: &mut Case) -> Result<(), Problem> {
    let target = case.hpa.0.spec.scale_target_ref.clone();
    if owned_by(&target.kind, &target.name, None, None).is_none() {
        return Err(Problem::OwnersUnknown(target.kind));
    }
    keep(case, &|_, pod| {
        let owner = pod.metadata.owner_references.iter().find(|owner| owner.controller == Some(true));
        let owner = owner.map(|owner| (owner.kind.as_str(), owner.name.as_str()));
        let hash = pod.metadata.labels.get("pod-template-hash");
        owned_by(&target.kind, &target.name, owner, hash) == Some(true)
    })
}

/// Keeps some of the pods that the target selects; those that it does not select have no part in anything.
fn keep(case: &mut Case, is_kept: &dyn Fn(usize, &Pod) -> bool) -> Result<(), Problem> {
    let own = own_pods(case)?;
    let pods = items(case)?;
    let gone: BTreeSet<String> = own
        .iter()
        .filter(|place| !is_kept(**place, &pods[**place]))
        .map(|place| pods[*place].metadata.name.clone())
        .collect();
    pods.retain(|pod| !gone.contains(&pod.metadata.name));
    drop_samples(case, &|pod| gone.contains(pod));
    Ok(())
}

fn drop_samples(case: &mut Case, is_gone: &dyn Fn(&str) -> bool) {
    if let Some(items) = case.pod_metrics.as_mut().and_then(|metrics| metrics.items.as_mut()) {
        items.retain(|item| !is_gone(&item.metadata.name));
    }
    for answer in case.custom_metrics.iter_mut().filter(|answer| answer.query.described_object.is_none()) {
        if let Some(items) = &mut answer.items {
            items.retain(|item| !is_gone(&item.described_object.name));
        }
    }
}

fn copy_samples(case: &mut Case, like: &str, names: &[String]) {
    if let Some(items) = case.pod_metrics.as_mut().and_then(|metrics| metrics.items.as_mut())
        && let Some(item) = items.iter().find(|item| item.metadata.name == like).cloned()
    {
        items.extend(names.iter().map(|name| {
            let mut item = PodMetrics::clone(&item);
            item.metadata.name.clone_from(name);
            Arc::new(item)
        }));
    }
    for answer in case.custom_metrics.iter_mut().filter(|answer| answer.query.described_object.is_none()) {
        let Some(items) = &mut answer.items else { continue };
        let Some(item) = items.iter().find(|item| item.described_object.name == like).cloned() else {
            continue;
        };
        items.extend(names.iter().map(|name| {
            let mut item = item.clone();
            item.described_object.name.clone_from(name);
            item
        }));
    }
}

//! What a person means who types a change, given what there is: some is refused that could be done and is hardly meant.
//!
//! [`super::change`] does what it is told; the real controller's input is changed by the same words, as its judge.

use std::sync::Arc;

use super::name::TypedName;
use super::number::Named;
use super::own_pods::named_pods;
use super::pod_state::State;
use super::target_pods::PodChange;
use super::usage::Amount;
use super::{Change, ChangeError, Knob, Problem, Setting, median, usage};
use crate::api::PodMetrics;
use crate::model::Quantity;
use crate::snapshot::Case;

/// More than so many times what is used now is taken for a number whose unit was forgotten.
const TIMES: i64 = 100;

/// The changes as they are meant: a pod that is made ready and has no sample is given the others' median, with a word of
/// its own that says so.
///
/// # Errors
/// If a change is not likely to be meant as it was typed; with what may be.
pub fn meant(case: &Case, changes: &[Change]) -> Result<Vec<Change>, ChangeError> {
    let one = |change: &Change| {
        check(case, &change.setting).map_err(|problem| change.refused(problem))?;
        Ok(match &change.setting {
            Setting::Pods(pods) => ready_pods(case, &change.typed, pods),
            _ => change.clone(),
        })
    };
    changes.iter().map(one).collect()
}

fn check(case: &Case, setting: &Setting) -> Result<(), Problem> {
    setting.check()?;
    match setting {
        Setting::Request(it) => request(case, it),
        Setting::Usage(it) => usage(case, it),
        _ => Ok(()),
    }
}

/// Any name could be that of a resource, and a slip would change nothing.
fn request(case: &Case, Named { name, typed, .. }: &Named<Quantity>) -> Result<(), Problem> {
    let containers = usage::container_names(case).unwrap_or_default();
    let is_container = |name: &str| containers.iter().any(|container| container == name);
    let resource = match name.split_once('/') {
        Some((container, resource)) if is_container(container) => resource,
        // The container is complained of.
        Some(_) => return Ok(()),
        None => name.as_str(),
    };
    if is_resource(case, resource) {
        Ok(())
    } else if is_container(resource) {
        Err(Problem::ContainerForResource(resource.to_owned(), typed.clone()))
    } else {
        Err(Problem::NoSuchResource(resource.to_owned(), typed.clone()))
    }
}

/// What Kubernetes knows, and what something here requests or is measured by.
fn is_resource(case: &Case, name: &str) -> bool {
    let pods = case.pods.as_ref().and_then(|pods| pods.items.as_deref()).unwrap_or_default();
    let is_requested =
        || pods.iter().flat_map(|pod| pod.spec.running()).any(|it| it.resources.requests.get(name).is_some());
    let is_measured = || case.hpa.0.spec.metrics.iter().any(|metric| super::name::short(metric) == name);
    matches!(name, "cpu" | "memory" | "ephemeral-storage")
        || name.starts_with("hugepages-")
        || name.contains('/')
        || is_requested()
        || is_measured()
}

/// `cpu=90` is 90 cores.
fn usage(case: &Case, Named { name, typed, value }: &Named<Amount>) -> Result<(), Problem> {
    let is_bare = typed.ends_with(|last: char| last.is_ascii_digit() || last == '.');
    let (typed_name, _) = TypedName::read(name)?.of_pods();
    let is_of_pods = case.custom_metrics.iter().any(|answer| usage::is_of_pods(answer, &typed_name));
    let milli = match value {
        Amount::Quantity(quantity) if is_bare && !is_of_pods => quantity.milli_value(),
        _ => return Ok(()),
    };
    match most_used(case, typed_name.name).filter(|most| milli > most.saturating_mul(TIMES)) {
        Some(most) => Err(Problem::NoUnit { name: name.clone(), typed: typed.clone(), milli, most }),
        None => Ok(()),
    }
}

/// What the pod uses that uses most, in milli-units; `None` where nothing is used.
fn most_used(case: &Case, resource: &str) -> Option<i64> {
    let items = case.pod_metrics.as_ref()?.items.as_ref()?;
    let used = |item: &Arc<PodMetrics>| {
        let amounts = item.containers.iter().filter_map(|it| it.usage.get(resource));
        amounts.map(Quantity::milli_value).fold(0, i64::saturating_add)
    };
    items.iter().map(used).max().filter(|most| *most > 0)
}

fn ready_pods(case: &Case, typed: &str, pods: &[PodChange]) -> Change {
    let (mut meant, mut parts) = (Vec::new(), Vec::new());
    for (part, change) in typed.split(',').zip(pods) {
        meant.push(change.clone());
        parts.push(part.to_owned());
        let PodChange::Turn(pattern, State::Ready) = change else { continue };
        let pods = case.pods.as_ref().and_then(|pods| pods.items.as_deref()).unwrap_or_default();
        for place in named_pods(case, pattern).unwrap_or_default() {
            let name = &pods[place].metadata.name;
            if median::is_lacking(case, name) {
                meant.push(PodChange::Turn(name.clone(), State::MedianSample));
                parts.push(format!("{name}=median-sample"));
            }
        }
    }
    Change { knob: Knob::Pods, typed: parts.join(","), setting: Setting::Pods(meant) }
}

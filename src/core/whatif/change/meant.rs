//! What a person means who types a change, given what there is: some is refused that could be done and is hardly meant.
//!
//! [`super::change`] does what it is told; the real controller's input is changed by the same words, as its judge.

use super::number::{self, of_milli};
use super::{Change, ChangeError, Knob, median, pods, usage};
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
    changes.iter().map(|change| one(case, change).map_err(|problem| change.refused(problem))).collect()
}

fn one(case: &Case, change: &Change) -> Result<Change, String> {
    super::typed::check(change.knob, change.value.trim())?;
    match change.knob {
        Knob::Request => request(case, &change.value)?,
        Knob::Usage => usage(case, &change.value)?,
        Knob::Pods => return Ok(Change::new(Knob::Pods, ready_pods(case, &change.value)?)),
        _ => {}
    }
    Ok(change.clone())
}

/// Any name could be that of a resource, and a slip would change nothing.
fn request(case: &Case, text: &str) -> Result<(), String> {
    let (name, value) = number::pair(text)?;
    let containers = usage::container_names(case).unwrap_or_default();
    let is_container = |name: &str| containers.iter().any(|container| container == name);
    let resource = match name.split_once('/') {
        Some((container, resource)) if is_container(container) => resource,
        // The container is complained of.
        Some(_) => return Ok(()),
        None => name,
    };
    if is_resource(case, resource) {
        Ok(())
    } else if is_container(resource) {
        Err(format!("{resource} is a container; name its resource, for example {resource}/cpu={value}"))
    } else {
        Err(format!("no resource is called {resource}; expected for example cpu={value}"))
    }
}

/// What Kubernetes knows, and what something here requests or is measured by.
fn is_resource(case: &Case, name: &str) -> bool {
    let pods = case.pods.as_ref().and_then(|pods| pods.items.as_deref()).unwrap_or_default();
    let is_requested =
        || pods.iter().flat_map(usage::running).any(|it| it.resources.requests.get(name).is_some());
    let is_measured = || case.hpa.0.spec.metrics.iter().any(|metric| super::name::short(metric) == name);
    matches!(name, "cpu" | "memory" | "ephemeral-storage")
        || name.starts_with("hugepages-")
        || name.contains('/')
        || is_requested()
        || is_measured()
}

/// `cpu=90` is 90 cores.
fn usage(case: &Case, text: &str) -> Result<(), String> {
    let (name, value) = number::pair(text)?;
    let is_bare = value.ends_with(|last: char| last.is_ascii_digit() || last == '.');
    let is_of_pods = case
        .custom_metrics
        .iter()
        .any(|it| it.query.described_object.is_none() && it.query.metric.name == name);
    if !is_bare || is_of_pods {
        return Ok(());
    }
    let milli = number::quantity(value)?.milli_value();
    let Some(most) = most_used(case, name).filter(|most| milli > most.saturating_mul(TIMES)) else {
        return Ok(());
    };
    let (unit, small) = match name {
        "cpu" => (" cores", format!("{name}={value}m")),
        "memory" => (" bytes", format!("{name}={value}Mi")),
        _ => ("", format!("{name}={value}m")),
    };
    Err(format!(
        "{value} without a unit is {value}{unit}, and no pod uses more than {} now; say for example {name}={value}% \
         of the request, {small}, or {name}={milli}m if you mean {value}{unit}",
        of_milli(most)
    ))
}

/// What the pod uses that uses most, in milli-units; `None` where nothing is used.
fn most_used(case: &Case, resource: &str) -> Option<i64> {
    let items = case.pod_metrics.as_ref()?.items.as_ref()?;
    let used = |item: &PodMetrics| {
        let amounts = item.containers.iter().filter_map(|it| it.usage.get(resource));
        amounts.map(Quantity::milli_value).fold(0, i64::saturating_add)
    };
    items.iter().map(used).max().filter(|most| *most > 0)
}

fn ready_pods(case: &Case, text: &str) -> Result<String, String> {
    let mut meant = Vec::new();
    for (part, change) in text.split(',').zip(pods::read(text)?) {
        meant.push(part.to_owned());
        if let pods::PodChange::Turn(name, pods::State::Ready) = change
            && median::is_lacking(case, name)
        {
            meant.push(format!("{name}=median-sample"));
        }
    }
    Ok(meant.join(","))
}

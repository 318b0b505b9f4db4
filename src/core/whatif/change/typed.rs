//! What can be told of a value without knowing what it is to change.

use super::{Knob, behavior, metrics, number, pods, usage};

/// Whether there can be a case to which a knob could be turned so.
pub(super) fn check(knob: Knob, text: &str) -> Result<(), String> {
    match knob {
        Knob::RemoveMetric | Knob::Container | Knob::OnlyOwnPods | Knob::NoMemory => Ok(()),
        Knob::AddMetric => metrics::read(text).and_then(|_| added(text)),
        Knob::Target => target(text),
        Knob::Min | Knob::Max | Knob::Replicas => number::replicas(text).map(drop),
        Knob::ScaleUp | Knob::ScaleDown => behavior::rules(&mut None, text),
        Knob::Pods => pods::read(text).map(drop),
        Knob::Request => quantity_of(text).and_then(|()| resource(text)),
        Knob::Metric => quantity_of(text),
        Knob::Usage => usage(text),
        Knob::Load => usage::parts(text).map(drop),
    }
}

/// Whether a named target is a percentage or a quantity hangs on the metric.
fn target(text: &str) -> Result<(), String> {
    if !text.contains('=') {
        return number::percent(text).map(drop);
    }
    let (_, value) = number::pair(text)?;
    if number::percent(value).is_ok() {
        return Ok(());
    }
    number::quantity(value)
        .map_err(|_| format!("`{value}` is no target; expected one such as 80, 500m or 1.5Gi"))?;
    number::countable(value)
}

fn usage(text: &str) -> Result<(), String> {
    match number::pair(text)? {
        (_, value) if value.ends_with('%') => usage::percent(value).map(drop),
        (_, value) => number::countable(value),
    }
}

fn quantity_of(text: &str) -> Result<(), String> {
    let (_, value) = number::pair(text)?;
    number::countable(value)
}

/// Only of cpu and memory everybody knows what they are; of another name an HPA would ask the resource metrics in vain.
fn added(text: &str) -> Result<(), String> {
    if text.starts_with('{') {
        return Ok(());
    }
    resource(text)?;
    match number::pair(text)? {
        ("cpu" | "memory", _) => Ok(()),
        (name, value) => Err(format!(
            "only cpu and memory have a short form; expected an entry of spec.metrics in JSON, for example \
             '{{\"type\":\"External\",\"external\":{{\"metric\":{{\"name\":\"{name}\"}},\"target\":{{\"type\":\"AverageValue\",\
             \"averageValue\":\"{value}\"}}}}}}'"
        )),
    }
}

/// Names of resources are written small.
fn resource(text: &str) -> Result<(), String> {
    let (name, value) = number::pair(text)?;
    let (before, resource) =
        name.rsplit_once('/').map_or(("", name), |(before, resource)| (before, resource));
    let known = ["cpu", "memory"].into_iter().find(|known| known.eq_ignore_ascii_case(resource));
    match known.filter(|known| *known != resource) {
        Some(known) => {
            let slash = if before.is_empty() { "" } else { "/" };
            Err(format!("no resource is called {resource}; did you mean {before}{slash}{known}={value}?"))
        }
        None => Ok(()),
    }
}

//! What can be told of a value without knowing what it is to change.

use super::{Knob, behavior, metrics, number, pods, usage};

/// Whether there can be a case to which a knob could be turned so.
pub(super) fn check(knob: Knob, text: &str) -> Result<(), String> {
    match knob {
        Knob::RemoveMetric | Knob::Container | Knob::OnlyOwnPods | Knob::NoMemory => Ok(()),
        Knob::AddMetric => metrics::read(text).map(drop),
        Knob::Target => target(text),
        Knob::Min | Knob::Max | Knob::Replicas => number::replicas(text).map(drop),
        Knob::ScaleUp | Knob::ScaleDown => behavior::rules(&mut None, text),
        Knob::Pods => pods::read(text).map(drop),
        Knob::Request | Knob::Metric => quantity_of(text),
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

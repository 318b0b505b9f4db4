//! A metric as `kubectl describe hpa` prints it, with what it was and what it should be.

use serde_json::{Value, json};

use crate::model::Quantity;

/// Where kubectl found no value.
const NO_VALUE: [&str; 2] = ["<unknown>", "<nil>"];

/// The metric of the spec, and that of the status; null if it has none.
pub(super) fn read(line: &str) -> Option<(Value, Value)> {
    let (title, values) = line.rsplit_once(':')?;
    let (current, target) = values.trim().split_once(" / ")?;
    let (kind, source, measure) = title_of(title.trim_end())?;
    let target = match measure {
        Measure::Utilization if target == "<auto>" => json!({"type": "Utilization"}),
        Measure::Utilization => json!({"type": "Utilization", "averageUtilization": percent(target)?}),
        Measure::Average => json!({"type": "AverageValue", "averageValue": quantity(target)?}),
        Measure::Value => json!({"type": "Value", "value": quantity(target)?}),
    };
    let current = match measure {
        _ if NO_VALUE.contains(&current) => Value::Null,
        Measure::Utilization => {
            let (utilization, average) = current.strip_suffix(')')?.split_once(" (")?;
            let average = if NO_VALUE.contains(&average) { Value::Null } else { quantity(average)? };
            json!({"averageUtilization": percent(utilization)?, "averageValue": average})
        }
        Measure::Average => json!({"averageValue": quantity(current)?}),
        Measure::Value => json!({"value": quantity(current)?}),
    };
    let of = |part: &str, value: Value| {
        let mut source = source.clone();
        source[part] = value;
        // The field is called as the type, but for its first letter.
        let field = kind[..1].to_lowercase() + &kind[1..];
        json!({"type": kind, field: source})
    };
    Some((of("target", target), if current.is_null() { current } else { of("current", current) }))
}

/// A metric of cpu by its utilization, as autoscaling/v1 has it.
pub(super) fn of_cpu(target: &str, current: &str) -> Option<(Value, Value)> {
    let of = |part: &str, value: Value| json!({"type": "Resource", "resource": {"name": "cpu", part: value}});
    let target = of("target", json!({"type": "Utilization", "averageUtilization": percent(target)?}));
    if current == "<unknown>%" {
        return Some((target, Value::Null));
    }
    Some((target, of("current", json!({"averageUtilization": percent(current)?}))))
}

/// The target that a metric is compared with.
#[derive(Clone, Copy)]
enum Measure {
    Utilization,
    Average,
    Value,
}

/// Type, source and measure.
fn title_of(title: &str) -> Option<(&'static str, Value, Measure)> {
    if let Some(resource) = title.strip_prefix("resource ") {
        let (resource, measure) = match resource.strip_suffix("(as a percentage of request)") {
            Some(resource) => (resource.trim_end(), Measure::Utilization),
            None => (resource, Measure::Average),
        };
        let resource = resource.strip_suffix(" on pods")?;
        return Some(match resource.strip_suffix('"') {
            Some(of_container) => {
                let (resource, container) = halves(of_container, " of container \"")?;
                (
                    "ContainerResource",
                    json!({"name": name(resource)?, "container": name(container)?}),
                    measure,
                )
            }
            None => ("Resource", json!({"name": name(resource)?}), measure),
        });
    }
    if let Some(metric) = title.strip_suffix(" on pods") {
        return Some(("Pods", json!({"metric": {"name": unquoted(metric)?}}), Measure::Average));
    }
    let (metric, measure) = match title.strip_suffix(" (target average value)") {
        Some(metric) => (metric, Measure::Average),
        None => (title.strip_suffix(" (target value)")?, Measure::Value),
    };
    // The name of an object's metric is not escaped: where it may be either, it is neither.
    match (unquoted(metric), halves(metric.strip_prefix('"')?, "\" on ")) {
        (Some(metric), None) => Some(("External", json!({"metric": {"name": metric}}), measure)),
        (None, Some((metric, object))) => {
            let (kind, object) = reference(object)?;
            let object = json!({"kind": kind, "name": object});
            Some(("Object", json!({"metric": {"name": name(metric)?}, "describedObject": object}), measure))
        }
        _ => None,
    }
}

/// Both sides of what may be there once.
fn halves<'a>(text: &'a str, between: &str) -> Option<(&'a str, &'a str)> {
    text.split_once(between).filter(|(_, after)| !after.contains(between))
}

/// Kind and name.
pub(super) fn reference(text: &str) -> Option<(&str, &str)> {
    let (kind, of_kind) = text.split_once('/')?;
    Some((name(kind)?, name(of_kind)?))
}

/// A name as it is; `None` if it is empty.
pub(super) fn name(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// A name without blanks.
pub(super) fn word(text: &str) -> Option<&str> {
    name(text).filter(|text| !text.contains(char::is_whitespace))
}

/// Go quotes as JSON does, but for control characters.
fn unquoted(text: &str) -> Option<String> {
    serde_json::from_str(text).ok()
}

fn percent(text: &str) -> Option<i32> {
    text.strip_suffix('%')?.parse().ok()
}

fn quantity(text: &str) -> Option<Value> {
    Quantity::parse(text).ok()?;
    Some(text.into())
}

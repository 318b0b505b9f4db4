//! An HPA as `kubectl describe hpa` prints it.
//!
//! Source: `HorizontalPodAutoscalerDescriber` of kubectl's `pkg/describe`, the same from 1.23 to 1.37.

use serde_json::{Map, Value, json};

use super::lines::{Lines, Unreadable};
use super::metric;
use super::shape;
use crate::model::Instant;

/// The HPA that begins here, up to its events.
pub(super) fn read(lines: &mut Lines) -> Result<Value, Unreadable> {
    lines.indent_here();
    let name = lines.needed("Name:", "NAME", metric::word)?;
    let namespace = lines.field("Namespace:").unwrap_or_default();
    let labels = labels(lines)?;
    let hidden = annotations(lines);
    let created = match lines.field("CreationTimestamp:") {
        Some(text) => time(text).ok_or_else(|| lines.expected_before("a time of RFC 1123"))?,
        None => Value::Null,
    };
    let (kind, target) = lines.needed("Reference:", "KIND/NAME", metric::reference)?;
    let metrics = metrics(lines, hidden)?;
    let min = lines.needed("Min replicas:", "N", |text| match text {
        "<unset>" => Some(None),
        number => number.parse::<i32>().ok().map(Some),
    })?;
    let max = lines.needed("Max replicas:", "N", |text| text.parse::<i32>().ok())?;
    let behavior = behavior(lines)?;
    let (current, desired) = lines.needed(&format!("{kind} pods:"), "N current / N desired", |text| {
        let (current, desired) = text.strip_suffix(" desired")?.split_once(" current / ")?;
        Some((current.parse::<i32>().ok()?, desired.parse::<i32>().ok()?))
    })?;
    let conditions = conditions(lines)?;
    if lines.peek().is_some_and(|line| !is_after(line)) {
        return Err(lines.expected("`Conditions:` or `Events:`"));
    }
    let (metrics, currents): (Vec<Value>, Vec<Value>) = metrics.into_iter().unzip();
    let has_values = currents.iter().any(|current| !current.is_null());
    // The controller leaves an empty status of a metric that failed beside others.
    let currents: Vec<Value> =
        currents.into_iter().map(|it| if it.is_null() { json!({"type": ""}) } else { it }).collect();
    Ok(json!({
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": name, "namespace": namespace, "labels": labels, "creationTimestamp": created},
        "spec": {
            "scaleTargetRef": {"kind": kind, "name": target},
            "minReplicas": min,
            "maxReplicas": max,
            "metrics": metrics,
            "behavior": behavior,
        },
        "status": {
            "currentReplicas": current,
            "desiredReplicas": desired,
            "currentMetrics": has_values.then_some(currents),
            "conditions": conditions,
        },
    }))
}

fn labels(lines: &mut Lines) -> Result<Map<String, Value>, Unreadable> {
    let mut labels = Map::new();
    let mut next = lines.field("Labels:").filter(|first| *first != "<none>");
    while let Some(label) = next {
        let (key, value) =
            label.split_once('=').ok_or_else(|| lines.expected_before("a label, KEY=VALUE"))?;
        labels.insert(key.to_owned(), value.into());
        next = lines.below();
    }
    Ok(labels)
}

/// Passes over the annotations: long ones are cut. True if some of autoscaling/v1 stand for metrics or a behavior.
fn annotations(lines: &mut Lines) -> bool {
    let is_of_spec = |line: &str| {
        let key = line.strip_prefix("autoscaling.alpha.kubernetes.io/");
        key.is_some_and(|key| key.starts_with("metrics:") || key.starts_with("behavior:"))
    };
    let Some(first) = lines.field("Annotations:") else { return false };
    let mut is_hidden = is_of_spec(first);
    while let Some(line) = lines.peek().filter(|line| line.is_empty() || line.starts_with(' ')) {
        is_hidden |= is_of_spec(line.trim_start());
        lines.skip();
    }
    is_hidden
}

/// Each metric of the spec with that of the status.
fn metrics(lines: &mut Lines, is_hidden: bool) -> Result<Vec<(Value, Value)>, Unreadable> {
    if let Some(target) = lines.field("Target CPU utilization:").filter(|_| !is_hidden) {
        let current = lines.field("Current CPU utilization:").unwrap_or_default();
        let metric = metric::of_cpu(target, current);
        return Ok(vec![metric.ok_or_else(|| lines.expected_before("`Current CPU utilization:  N%`"))?]);
    }
    if lines.field("Metrics:").is_none() {
        return Err(lines.expected("`Metrics:  ( current / target )`"));
    }
    let mut metrics = Vec::new();
    while let Some(line) = lines.below() {
        let metric =
            metric::read(line).ok_or_else(|| lines.expected_before("a metric, NAME:  NOW / TARGET"))?;
        metrics.push(metric);
    }
    // The API server fills in a metric where there is none.
    if metrics.is_empty() { Err(lines.expected("a metric, NAME:  NOW / TARGET")) } else { Ok(metrics) }
}

fn behavior(lines: &mut Lines) -> Result<Value, Unreadable> {
    if lines.field("Behavior:").is_none() {
        return Ok(Value::Null);
    }
    let mut behavior = json!({});
    while let Some(direction) = lines.below() {
        let direction = match direction {
            "Scale Up:" => "scaleUp",
            "Scale Down:" => "scaleDown",
            _ => return Err(lines.expected_before("`Scale Up:` or `Scale Down:`")),
        };
        behavior[direction] = rules(lines)?;
    }
    Ok(behavior)
}

fn rules(lines: &mut Lines) -> Result<Value, Unreadable> {
    let seconds = |text: &str| text.strip_suffix(" seconds")?.trim().parse::<i32>().ok();
    let mut rules = json!({});
    if let Some(window) = lines.field_below("Stabilization Window:") {
        let window =
            seconds(window).ok_or_else(|| lines.expected_before("`Stabilization Window: N seconds`"))?;
        rules["stabilizationWindowSeconds"] = window.into();
    }
    if let Some(select) = lines.field_below("Select Policy:") {
        rules["selectPolicy"] = select.into();
        if lines.field_below("Policies:").is_none() {
            return Err(lines.expected("`Policies:`"));
        }
        let mut policies = Vec::new();
        while let Some(policy) = lines.field_below("- Type:") {
            let read = || {
                let (kind, numbers) = policy.split_once("Value:")?;
                let (value, period) = numbers.split_once("Period:")?;
                let value = value.trim().parse::<i32>().ok()?;
                Some(json!({"type": kind.trim(), "value": value, "periodSeconds": seconds(period)?}))
            };
            let form = "`- Type: TYPE  Value: N  Period: N seconds`";
            policies.push(read().ok_or_else(|| lines.expected_before(form))?);
        }
        rules["policies"] = policies.into();
    }
    Ok(rules)
}

fn conditions(lines: &mut Lines) -> Result<Vec<Value>, Unreadable> {
    if lines.field("Conditions:").is_none() {
        return Ok(Vec::new());
    }
    for header in ["Type  ", "----  "] {
        if lines.field_below(header).is_none() {
            return Err(lines.expected("the header of the conditions"));
        }
    }
    let mut conditions: Vec<[String; 4]> = Vec::new();
    while let Some(line) = lines.peek() {
        match (cells(line), conditions.last_mut()) {
            (Some(cells), _) => conditions.push(cells.map(str::to_owned)),
            (None, _) if !line.is_empty() && is_after(line) => break,
            // The controller quotes errors of other servers, which may have any number of lines.
            (None, Some([.., message])) => message.extend(["\n", line]),
            (None, None) => return Err(lines.expected("a condition")),
        }
        lines.skip();
    }
    // A message that is cut is none, and what stands before it may be cut, too, if there is none.
    if lines.is_cut()
        && let Some([.., message]) = conditions.last_mut()
    {
        if message.is_empty() {
            conditions.pop();
        } else {
            message.clear();
        }
    }
    let object = |[kind, status, reason, message]: [String; 4]| {
        let message = message.trim_end();
        json!({"type": kind, "status": status, "reason": reason, "message": message})
    };
    Ok(conditions.into_iter().map(object).collect())
}

/// Type, status, reason and message; `None` if it is no condition. After a message of several lines the columns are others.
fn cells(line: &str) -> Option<[&str; 4]> {
    let (kind, rest) = cell(line.strip_prefix("  ")?);
    let (status, rest) = cell(rest);
    let (reason, message) = if metric::word(cell(rest).0).is_some() { cell(rest) } else { ("", rest) };
    (metric::word(kind).is_some() && ["True", "False", "Unknown"].contains(&status))
        .then_some([kind, status, reason, message])
}

/// The first cell of a row, and the others.
fn cell(row: &str) -> (&str, &str) {
    row.split_once("  ").map_or((row, ""), |(cell, rest)| (cell, rest.trim_start()))
}

/// True if a line is none of the HPA.
fn is_after(line: &str) -> bool {
    let is_next = shape::is_name(line) || shape::is_table(line) || shape::is_passed_over(line);
    line.starts_with("Events:") || is_next
}

/// A time of RFC 1123 in that of RFC 3339; null for Go's zero time.
fn time(text: &str) -> Option<Value> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let words: Vec<&str> = text.split_whitespace().collect();
    let [_, day, month, year, clock, zone] = words.as_slice() else { return None };
    let month = MONTHS.iter().position(|name| name == month)? + 1;
    let (hours, minutes) = zone.split_at_checked(3)?;
    let time = format!("{year}-{month:02}-{day}T{clock}{hours}:{minutes}");
    let is_zero = Instant::parse(&time).ok()?.is_zero();
    Some(if is_zero { Value::Null } else { time.into() })
}

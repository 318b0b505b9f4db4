//! Holds our decisions against those of the real controller: replicas, status with messages, events, memory, error.

use kubectl_hpa::engine::decide;
use kubectl_hpa::model::{Memory, ScaleEvent};
use kubectl_hpa::rules::Rules;
use kubectl_hpa::snapshot::{Case, Snapshot};
use kubectl_hpa::status::report;
use kubectl_hpa::trace::{Decision, Outcome, SelectorVerdict};
use serde::Deserialize;
use serde_json::{Value, json};

/// A sequence as the oracle prints it: one line of JSON.
#[derive(Deserialize)]
struct Sequence {
    seed: u64,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    case: Value,
    outcome: Value,
}

/// Judges one sequence; returns the number of its reconciles, or what differs first.
pub fn judge(line: &str) -> Result<usize, String> {
    let sequence: Sequence = serde_json::from_str(line).map_err(|error| format!("no sequence: {error}"))?;
    for (index, step) in sequence.steps.iter().enumerate() {
        let place = format!("seed {} step {index}", sequence.seed);
        judge_step(step).map_err(|problem| format!("{place}: {problem}\ncase: {}", step.case))?;
    }
    Ok(sequence.steps.len())
}

fn judge_step(step: &Step) -> Result<(), String> {
    let case: Case = serde_json::from_value(step.case.clone()).map_err(|error| format!("case: {error}"))?;
    let snapshot = Snapshot::freeze(case).map_err(|error| format!("freeze: {error}"))?;
    let controller = &snapshot.controller;
    let rules = Rules::for_version(&controller.version.value, &controller.feature_gates)
        .map_err(|error| format!("rules: {error}"))?;
    let decision = decide(&snapshot, &rules);
    let ours = outcome(&snapshot, &decision, &rules);
    let theirs = &step.outcome;
    let keys = ["desiredReplicas", "rescaled", "status", "statusChanged", "events", "memory", "error"];
    let differing = keys.iter().find(|key| !same(key, &ours[**key], &theirs[**key], &decision));
    differing.map_or(Ok(()), |key| {
        Err(format!("{key} differs\n  controller: {}\n        ours: {}", theirs[*key], ours[*key]))
    })
}

/// The controller names three or more ambiguous HPAs in a random order (since 1.37 the first two that it meets), so
/// that the names differ, and with them whether the message is a new one.
fn same(key: &str, ours: &Value, theirs: &Value, decision: &Decision) -> bool {
    let random =
        matches!(&decision.selector, Some(SelectorVerdict::Ambiguous(claimants)) if claimants.len() > 2);
    if random && key == "statusChanged" {
        return true;
    }
    if random && matches!(key, "status" | "events" | "error") {
        return without_names(&ours.to_string()) == without_names(&theirs.to_string());
    }
    ours == theirs
}

fn without_names(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some(start) = rest.find("(e.g. [") {
        let end = rest[start..].find("])").map_or(rest.len(), |end| start + end);
        kept.push_str(&rest[..start]);
        rest = &rest[end..];
    }
    kept + rest
}

fn outcome(snapshot: &Snapshot, decision: &Decision, rules: &Rules) -> Value {
    let report = report(snapshot, decision, rules);
    let events = report.events.iter().map(|event| {
        let kind = if event.warning { "Warning" } else { "Normal" };
        json!({"type": kind, "reason": event.reason, "message": event.message})
    });
    json!({
        "desiredReplicas": decision.desired(),
        "rescaled": matches!(decision.outcome, Outcome::Scale { failed: None, .. }),
        "status": report.status,
        "statusChanged": report.status_changed,
        "events": events.collect::<Vec<_>>(),
        "memory": memory(&decision.memory),
        "error": report.error,
    })
}

fn memory(memory: &Memory) -> Value {
    let events = |events: &[ScaleEvent]| {
        let event = |event: &ScaleEvent| json!({"change": event.change, "at": event.at.to_rfc3339_nano(), "outdated": event.outdated});
        events.iter().map(event).collect::<Vec<_>>()
    };
    let recommendations = memory.recommendations.iter();
    let recommendations = recommendations
        .map(|earlier| json!({"replicas": earlier.replicas, "at": earlier.at.to_rfc3339_nano()}));
    json!({
        "recommendations": recommendations.collect::<Vec<_>>(),
        "scaleUpEvents": events(&memory.scale_ups),
        "scaleDownEvents": events(&memory.scale_downs),
    })
}

//! Holds our decisions against those of the real controller: replicas, status with messages, events, memory, error.
//! What is decided on is a sequence of cases, or a case after changes were made to it.

use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::model::{Memory, ScaleEvent};
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Case, Snapshot};
use kubectl_hpa_core::status::report;
use kubectl_hpa_core::trace::{Decision, HoldReason, Outcome, SelectorVerdict};
use kubectl_hpa_core::whatif::{Change, Knob, change};
use serde::Deserialize;
use serde_json::{Value, json};

use super::play;

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

/// A case, changes of it, and the outcome of the changed case.
#[derive(Deserialize)]
struct Pair {
    seed: u64,
    case: Value,
    changes: Vec<Typed>,
    outcome: Value,
}

/// A change as it is typed.
#[derive(Deserialize)]
struct Typed {
    flag: String,
    value: String,
}

/// Judges one line, a sequence or a pair; returns the number of its reconciles, or what differs first.
pub fn judge(line: &str) -> Result<usize, String> {
    let line: Value = serde_json::from_str(line).map_err(|error| format!("no JSON: {error}"))?;
    if line.get("world").is_some() {
        return play::judge(line);
    }
    if line.get("changes").is_some() {
        return judge_pair(&serde_json::from_value(line).map_err(|error| format!("no pair: {error}"))?);
    }
    let sequence: Sequence = serde_json::from_value(line).map_err(|error| format!("no sequence: {error}"))?;
    for (index, step) in sequence.steps.iter().enumerate() {
        let place = format!("seed {} step {index}", sequence.seed);
        let judged = read(&step.case).and_then(|case| judge_case(case, &step.outcome));
        judged.map_err(|problem| format!("{place}: {problem}\ncase: {}", step.case))?;
    }
    Ok(sequence.steps.len())
}

fn read(case: &Value) -> Result<Case, String> {
    serde_json::from_value(case.clone()).map_err(|error| format!("case: {error}"))
}

fn judge_pair(pair: &Pair) -> Result<usize, String> {
    let typed =
        pair.changes.iter().map(|typed| format!("{} '{}'", typed.flag, typed.value)).collect::<Vec<_>>();
    let judged = judge_changed(pair);
    judged.map_err(|problem| {
        format!("seed {}: {}: {problem}\ncase: {}", pair.seed, typed.join(" "), pair.case)
    })?;
    Ok(1)
}

fn judge_changed(pair: &Pair) -> Result<(), String> {
    let mut case = read(&pair.case)?;
    let typed = pair.changes.iter().map(|typed| Ok((knob(&typed.flag)?, &*typed.value)));
    let typed = typed.collect::<Result<Vec<_>, String>>()?;
    let changes: Result<Vec<Change>, _> =
        typed.into_iter().map(|(knob, value)| Change::new(knob, value)).collect();
    match (changes.and_then(|changes| change(&mut case, &changes)), pair.outcome.get("impossible")) {
        (Ok(()), None) => judge_case(case, &pair.outcome),
        (Err(_), Some(_)) => Ok(()),
        (Err(error), None) => Err(format!("the change cannot be made: {error}")),
        (Ok(()), Some(why)) => Err(format!("the change should not be possible: {why}")),
    }
}

fn knob(flag: &str) -> Result<Knob, String> {
    let found = Knob::ALL.into_iter().find(|knob| knob.flag() == flag);
    found.ok_or_else(|| format!("{flag} turns no knob"))
}

fn judge_case(case: Case, theirs: &Value) -> Result<(), String> {
    let frozen = Snapshot::freeze(case);
    if let Some(errors) = theirs["invalid"].as_array() {
        return judge_refusal(frozen.map(drop).map_err(|error| error.to_string()), errors);
    }
    let snapshot = frozen.map_err(|error| format!("freeze: {error}"))?;
    let controller = &snapshot.controller;
    let rules = Rules::for_version(&controller.version.value, &controller.feature_gates)
        .map_err(|error| format!("rules: {error}"))?;
    let decision = decide(&snapshot, &rules);
    decision.check(&snapshot.hpa).map_err(|fault| fault.to_string())?;
    judge_crash(&decision, theirs.get("panic"))?;
    if theirs.get("panic").is_some() {
        return Ok(());
    }
    compare(&snapshot, &decision, &rules, theirs)
}

/// Holds a decision against the controller's outcome; the error is what differs first.
pub fn compare(
    snapshot: &Snapshot,
    decision: &Decision,
    rules: &Rules,
    theirs: &Value,
) -> Result<(), String> {
    let ours = outcome(snapshot, decision, rules);
    let keys = ["desiredReplicas", "rescaled", "status", "statusChanged", "events", "memory", "error"];
    let differing = keys.iter().find(|key| !same(key, &ours[**key], &theirs[**key], decision));
    differing.map_or(Ok(()), |key| {
        Err(format!("{key} differs\n  controller: {}\n        ours: {}", theirs[*key], ours[*key]))
    })
}

/// Some old controllers end at a nil pointer. Nothing is left of them that could be compared.
fn judge_crash(decision: &Decision, theirs: Option<&Value>) -> Result<(), String> {
    let ours = matches!(decision.outcome, Outcome::Hold { reason: HoldReason::Crash, .. });
    if ours == theirs.is_some() { Ok(()) } else { Err(format!("crash differs: {theirs:?}, ours: {ours}")) }
}

/// What the API server does not take is refused with its errors, all of them in its order.
fn judge_refusal(ours: Result<(), String>, errors: &[Value]) -> Result<(), String> {
    let lines = errors.iter().filter_map(Value::as_str).map(|error| format!("hpa.{error}"));
    let theirs = lines.collect::<Vec<_>>().join("\n");
    match ours {
        Err(ours) if ours == theirs => Ok(()),
        ours => Err(format!("refusal differs\n  API server: {theirs}\n        ours: {ours:?}")),
    }
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

pub fn memory(memory: &Memory) -> Value {
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

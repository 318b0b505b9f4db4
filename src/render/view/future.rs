//! What is to come, for programs.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::claims::{Told, proposal_noted};
use super::subject::SubjectView;
use crate::render::claims::ProposalNote;
use crate::render::future::{Future, Played};
use crate::render::phrases::metric::label;
use crate::render::phrases::{backtest, future as words};
use kubectl_hpa_core::model::{Duration, Format, Quantity, Replicas};
use kubectl_hpa_core::play::StartLoad;
use kubectl_hpa_core::run::{Begun, Calibration, Figure, Recorded, Rescale, Span, Totals};
use kubectl_hpa_core::snapshot::case::API_VERSION;

/// What was played as programs read it: `apiVersion: kubectl-hpa/v1`, `kind: Future`. Times are seconds.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FutureView {
    api_version: &'static str,
    kind: &'static str,
    subject: SubjectView,
    changes: Vec<String>,
    start: String,
    seconds: Value,
    assumed: String,
    /// Obstacles to the changes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Told<ProposalNote>>,
    runs: Vec<RunView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<Value>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    better: Map<String, Value>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RunView {
    name: String,
    load: Vec<Value>,
    settles: Option<Replicas>,
    changes: Vec<Value>,
    spans: Vec<Value>,
    totals: Map<String, Value>,
}

/// What was played as a serializable value.
///
/// # Panics
/// Never: there is at least one run.
#[must_use]
pub fn future_view(future: &Future<'_>) -> FutureView {
    let first = &future.runs[0];
    let best = future.better();
    let better = Figure::ALL
        .into_iter()
        .filter_map(|figure| Some((name(figure).to_owned(), json!(future.runs.get(best(figure)?)?.name))));
    FutureView {
        api_version: API_VERSION,
        kind: "Future",
        subject: SubjectView::of(first.explanation),
        changes: future.changes.to_vec(),
        start: first.explanation.now().to_rfc3339_nano(),
        seconds: seconds(first.run.totals.time.nanoseconds().into()),
        assumed: words::assumed(future),
        notes: future.proposal().as_ref().map(proposal_noted).unwrap_or_default(),
        runs: future.all().iter().map(|played| run(future, played)).collect(),
        record: future.record.map(|(recorded, calibration)| record(future, recorded, calibration)),
        better: better.collect(),
    }
}

/// The record, and how well a play of it matches.
fn record(future: &Future<'_>, recorded: &Recorded, calibration: &Calibration) -> Value {
    let nanoseconds = |time: Duration| seconds(time.nanoseconds().into());
    let gap = |[from, to]: &[Duration; 2]| json!({"after": nanoseconds(*from), "seconds": nanoseconds(to.minus(*from))});
    json!({
        "verdict": backtest::verdict(future, recorded, calibration),
        "looks": recorded.looks,
        "begins": match recorded.begun {
            Begun::First => "first",
            Begun::Unread => "read",
            Begun::Edited => "edited",
            Begun::Recreated => "recreated",
        },
        "unreadLooks": recorded.skipped.unread,
        "disorderedLooks": recorded.skipped.disordered,
        "secondsAtLimit": nanoseconds(recorded.saturated),
        "gaps": recorded.gaps.iter().map(gap).collect::<Vec<_>>(),
        "calibration": {
            "isClose": calibration.is_close(),
            "doubt": calibration.doubt.map(backtest::code),
            "seconds": nanoseconds(calibration.time),
            "secondsEqual": nanoseconds(calibration.equal),
            "recordedReplicaSeconds": seconds(calibration.replica_time[0]),
            "playedReplicaSeconds": seconds(calibration.replica_time[1]),
            "rescales": calibration.rescales,
            "matchedRescales": calibration.matched,
            "playedRescales": calibration.played,
        },
    })
}

fn run(future: &Future<'_>, played: &Played<'_>) -> RunView {
    let totals = &played.run.totals;
    let starts = future.assumptions.starts(played.explanation.snapshot());
    RunView {
        name: played.name.to_owned(),
        load: starts.iter().filter_map(|it| load(played, it)).collect(),
        settles: words::settles(future, played),
        changes: played.run.changes.iter().map(|it| change(played, it)).collect(),
        spans: played.run.spans.iter().map(span).collect(),
        totals: Figure::ALL
            .into_iter()
            .map(|figure| (name(figure).to_owned(), amount(figure, totals)))
            .collect(),
    }
}

/// The load of a metric at the first sync.
fn load(played: &Played<'_>, start: &StartLoad) -> Option<Value> {
    let spec = played.explanation.snapshot().hpa.metrics.get(start.metric)?;
    let pods = start.pods.map(|pods| {
        json!({
            "ready": pods.ready,
            "measured": pods.measured,
            "leftOutSamples": pods.refused,
            "unready": pods.unready,
            "unreadyUse": Quantity::from_milli(pods.starting.0, Format::DecimalSI),
        })
    });
    Some(json!({
        "metric": label(spec),
        "amount": Quantity::from_milli(start.demand.0, Format::DecimalSI),
        "usageOverTarget": words::ratio(played, *start).filter(|ratio| ratio.is_finite()),
        "pods": pods,
    }))
}

fn change(played: &Played<'_>, change: &Rescale) -> Value {
    json!({
        "after": seconds(change.at.nanoseconds().into()),
        "from": change.from,
        "to": change.to,
        "why": words::why(played, change),
        "reason": change.reason,
        "code": change.cause.code.as_str(),
        "cause": change.cause.about.as_str(),
        "weight": change.cause.weight.as_str(),
    })
}

fn span(span: &Span) -> Value {
    json!({
        "after": seconds(span.at.nanoseconds().into()),
        "fewestReplicas": span.replicas.0,
        "mostReplicas": span.replicas.1,
        "usageOverTarget": span.ratio.filter(|ratio| ratio.is_finite()),
    })
}

const fn name(figure: Figure) -> &'static str {
    match figure {
        Figure::PodTime => "podSeconds",
        Figure::Cpu => "requestedCoreSeconds",
        Figure::Memory => "requestedByteSeconds",
        Figure::OverTarget => "secondsOverTarget",
        Figure::OverTolerance => "secondsOverTolerance",
        Figure::LongestOverTarget => "longestSecondsOverTarget",
        Figure::Undecided => "secondsUndecided",
        Figure::AtMax => "secondsAtMax",
        Figure::AtMin => "secondsAtMin",
        Figure::Rescales => "rescales",
        Figure::Flips => "flips",
    }
}

fn amount(figure: Figure, totals: &Totals) -> Value {
    let amount = figure.of(totals);
    match figure {
        Figure::Rescales | Figure::Flips => json!(i64::try_from(amount).unwrap_or(i64::MAX)),
        Figure::Cpu | Figure::Memory => seconds(amount / 1_000),
        _ => seconds(amount),
    }
}

/// Nanoseconds in seconds, whole where they are.
fn seconds(nanoseconds: i128) -> Value {
    const SECOND: i128 = 1_000_000_000;
    let (whole, rest) = (nanoseconds.div_euclid(SECOND), nanoseconds.rem_euclid(SECOND));
    let whole = i64::try_from(whole).unwrap_or(i64::MAX);
    if rest == 0 {
        return json!(whole);
    }
    let text = format!("{whole}.{rest:09}");
    text.parse::<f64>().map_or(Value::Null, |number| json!(number))
}

/// Writes each span of each run in a line of comma-separated values.
///
/// # Errors
/// Those of the writer.
pub fn future_csv(out: &mut dyn Write, future: &Future<'_>) -> io::Result<()> {
    writeln!(out, "run,seconds,fewest_replicas,most_replicas,usage_over_target")?;
    for played in &future.all() {
        for span in &played.run.spans {
            let ratio = span.ratio.map(|ratio| ratio.to_string()).unwrap_or_default();
            let at = seconds(span.at.nanoseconds().into());
            let (low, high) = span.replicas;
            writeln!(out, "{},{at},{},{},{ratio}", quoted(played.name), low.0, high.0)?;
        }
    }
    Ok(())
}

/// A text as RFC 4180 has it; what a spreadsheet takes for a formula is a text.
pub(in crate::render) fn quoted(text: &str) -> String {
    let safe = crate::render::sanitize(text);
    // A number with its sign is no formula.
    let is_number = |text: &str| {
        text.trim_start_matches(['+', '-']).chars().all(|it| it.is_ascii_digit() || ".%".contains(it))
    };
    let formula = safe.starts_with(['=', '+', '-', '@']) && !is_number(&safe);
    let text = if formula { format!("'{safe}") } else { safe.into_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

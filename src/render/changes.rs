//! A change of the replicas in one line, and as programs read it.

use std::io::{self, Write};

use serde::Serialize;

use super::options::Options;
use super::page::{Line, Role};
use super::phrases::answer::answer;
use super::view::{KeyView, Moment, json_line};
use kubectl_hpa_core::comparison::{ChangeCause, ReplicaChange};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::snapshot::RescaleEventReason;
use kubectl_hpa_core::snapshot::case::API_VERSION;
use kubectl_hpa_core::trace::Code;

/// A change as programs read it: `apiVersion: kubectl-hpa/v1`, `kind: ReplicaChange`. Its schema is
/// `schema/replica-change.schema.json`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReplicaChangeView<'a> {
    api_version: &'static str,
    kind: &'static str,
    subject: KeyView<'a>,
    at: Moment,
    from: i32,
    to: i32,
    /// Who made it: `decision`, `hpa` or `other`.
    by: &'static str,
    reason: String,
    /// The step that decided; `null` if that was not seen.
    code: Option<&'static str>,
}

/// Writes a change after the look `before` in one line: when, of which HPA, from what to what, why, and the code of the step.
///
/// # Errors
/// Those of the writer.
pub fn replica_change(
    out: &mut dyn Write,
    change: &ReplicaChange,
    before: &Explanation,
    options: &Options,
) -> io::Result<()> {
    let key = &before.snapshot().hpa.key;
    let piece = |role, text: &str| Line::of(options.glyphs, role, text);
    let code = code(change).map_or_else(String::new, |code| format!("  {}", code.as_str()));
    let line = piece(Role::Quiet, &format!("{}  ", change.at))
        .joined(piece(Role::Subject, &format!("{}/{}", key.namespace, key.name)))
        .joined(piece(Role::Answer, &format!("  {} → {}", change.from.0, change.to.0)))
        .joined(piece(Role::Plain, &format!("  {}", reason(change, before))))
        .joined(piece(Role::Quiet, &code));
    writeln!(out, "{}", line.paint(options.paint))
}

/// Writes the same as a line of JSON.
///
/// # Errors
/// Those of the writer.
pub fn replica_change_json(
    out: &mut dyn Write,
    change: &ReplicaChange,
    before: &Explanation,
) -> io::Result<()> {
    let view = ReplicaChangeView {
        api_version: API_VERSION,
        kind: "ReplicaChange",
        subject: KeyView::of(&before.snapshot().hpa.key, before.snapshot().origin.as_ref()),
        at: Moment(change.at),
        from: change.from.0,
        to: change.to.0,
        by: match change.cause {
            ChangeCause::Decided(_) => "decision",
            ChangeCause::Unseen(_) => "hpa",
            ChangeCause::Foreign => "other",
        },
        reason: reason(change, before),
        code: code(change).map(Code::as_str),
    };
    json_line(out, &view)
}

fn code(change: &ReplicaChange) -> Option<Code> {
    match change.cause {
        ChangeCause::Decided(code) => code,
        ChangeCause::Unseen(_) | ChangeCause::Foreign => None,
    }
}

fn reason(change: &ReplicaChange, before: &Explanation) -> String {
    let told = match change.cause {
        ChangeCause::Decided(_) => return answer(before).right,
        ChangeCause::Foreign => return "not by the HPA: somebody else set the replicas".to_owned(),
        ChangeCause::Unseen(told) => told,
    };
    let told = match told {
        RescaleEventReason::AboveTarget => "a metric was above its target",
        RescaleEventReason::BelowTarget => "all metrics were below their targets",
        RescaleEventReason::AboveMax => "there were more than maxReplicas",
        RescaleEventReason::BelowMin => "there were fewer than minReplicas",
        RescaleEventReason::Unclear => "the reason is not known",
    };
    format!("by the HPA, between two looks: {told}")
}

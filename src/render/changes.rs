//! A change of the replicas in one line, and as programs read it.

use std::io::{self, Write};

use serde::Serialize;

use super::options::Options;
use super::page::{Line, Page, Role};
use super::phrases::answer::answer_line;
use super::units;
use super::view::{KeyView, Moment, json_line, quoted};
use kubectl_hpa_core::comparison::{ChangeCause, ReplicaChange};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Instant, ObjectReference, Replicas};
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
    /// The look before it; `null` if `at` is when it was, to the second.
    after: Option<Moment>,
    from: Option<i32>,
    to: Option<i32>,
    /// The replicas that the HPA found, if they were others than `from`.
    found: Option<i32>,
    /// Who made it: `decision`, `hpa`, `otherHpa`, `controller`, `other`, `unknown`; or `retarget`.
    by: &'static str,
    /// The other HPA or the field manager.
    who: Option<&'a str>,
    /// The new target.
    target: Option<TargetView<'a>>,
    reason: String,
    /// The step that decided; `null` if that was not seen.
    code: Option<&'static str>,
}

/// What the HPA scales now.
#[derive(Clone, Copy, Debug, Serialize)]
struct TargetView<'a> {
    kind: &'a str,
    name: &'a str,
}

/// Writes a change after the look `before` in one line: when, of which HPA, from what to what, who and why, and the code of the
/// step.
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
    let line = piece(Role::Quiet, &format!("{}  ", change.time()))
        .joined(piece(Role::Subject, &format!("{}/{}", key.namespace, key.name)))
        .joined(piece(Role::Answer, &format!("  {}", ends(change, before))))
        .joined(piece(Role::Plain, &format!("  {}{}", reason(change, before), after(change))))
        .joined(piece(Role::Quiet, &code));
    writeln!(out, "{}", line.paint(options.paint))
}

/// A time in which nobody looked at an HPA for longer than a sync period.
#[derive(Clone, Debug)]
pub struct Unseen {
    /// The HPA's namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The last look before.
    pub since: Instant,
    /// The first look after.
    pub until: Instant,
}

/// So many times without a look are named.
const NAMED: usize = 5;

/// Writes how much of the past is known: so many changes of so many HPAs, and when nobody looked.
///
/// # Errors
/// Those of the writer.
pub fn past_total(
    out: &mut dyn Write,
    changes: usize,
    hpas: usize,
    [first, last]: [Instant; 2],
    unseen: &[Unseen],
    options: &Options,
) -> io::Result<()> {
    let mut page = Page::new(options.style());
    let (changes, hpas) = (units::count(changes, "change"), units::count(hpas, "HPA"));
    page.note("Total", Role::Plain, &format!("{changes} of {hpas} from {first} to {last}"));
    let spans = unseen.iter().take(NAMED);
    let mut spans: Vec<String> =
        spans.map(|it| format!("{}/{} {} to {}", it.namespace, it.name, it.since, it.until)).collect();
    if unseen.len() > NAMED {
        spans.push(format!("{} more", unseen.len() - NAMED));
    }
    if !spans.is_empty() {
        page.note("Not seen", Role::Holds, &spans.join(", "));
    }
    page.write(out)
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
    let number = |replicas: Option<Replicas>| replicas.map(|it| it.0);
    let view = ReplicaChangeView {
        api_version: API_VERSION,
        kind: "ReplicaChange",
        subject: KeyView::of(&before.snapshot().hpa.key, before.snapshot().origin.as_ref()),
        at: Moment(change.time()),
        after: change.at.is_none().then_some(Moment(change.after)),
        from: number(change.from),
        to: number(change.to),
        found: number(change.found),
        by: by(&change.cause),
        who: who(&change.cause),
        target: target(&change.cause).map(|it| TargetView { kind: &it.kind, name: &it.name }),
        reason: reason(change, before),
        code: code(change).map(Code::as_str),
    };
    json_line(out, &view)
}

/// Writes changes, each with the look before it, as comma-separated values, a row for each; an empty cell is not known.
///
/// # Errors
/// Those of the writer.
pub fn replica_changes_csv<'a>(
    out: &mut dyn Write,
    changes: impl Iterator<Item = (&'a ReplicaChange, &'a Explanation)>,
) -> io::Result<()> {
    writeln!(out, "at,after,namespace,name,from,to,by,who,code,reason")?;
    for (change, before) in changes {
        let key = &before.snapshot().hpa.key;
        let number = |replicas: Option<Replicas>| replicas.map_or_else(String::new, |it| it.0.to_string());
        let cells = [
            change.time().to_rfc3339_nano(),
            change.at.map_or_else(|| change.after.to_rfc3339_nano(), |_| String::new()),
            quoted(&key.namespace),
            quoted(&key.name),
            number(change.from),
            number(change.to),
            by(&change.cause).to_owned(),
            quoted(who(&change.cause).unwrap_or_default()),
            code(change).map_or_else(String::new, |code| code.as_str().to_owned()),
            quoted(&reason(change, before)),
        ];
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(())
}

const fn by(cause: &ChangeCause) -> &'static str {
    match cause {
        ChangeCause::Decided(_) => "decision",
        ChangeCause::Hpa(_) | ChangeCause::HpaFromUnseen(_) => "hpa",
        ChangeCause::OtherHpa(_) => "otherHpa",
        ChangeCause::AnyHpa => "controller",
        ChangeCause::Manager(_) => "other",
        ChangeCause::Unknown => "unknown",
        ChangeCause::Retargeted(_) => "retarget",
    }
}

fn who(cause: &ChangeCause) -> Option<&str> {
    match cause {
        ChangeCause::OtherHpa(name) | ChangeCause::Manager(name) => Some(name),
        _ => None,
    }
}

const fn target(cause: &ChangeCause) -> Option<&ObjectReference> {
    if let ChangeCause::Retargeted(target) = cause { Some(target) } else { None }
}

fn code(change: &ReplicaChange) -> Option<Code> {
    if let ChangeCause::Decided(code) = change.cause { code } else { None }
}

/// From what to what: replicas, or targets.
fn ends(change: &ReplicaChange, before: &Explanation) -> String {
    let replicas = |it: Option<Replicas>| it.map_or_else(|| "?".to_owned(), |it| it.0.to_string());
    match target(&change.cause) {
        Some(target) => format!("{} → {}/{}", before.target(), target.kind, target.name),
        None => format!("{} → {}", replicas(change.from), replicas(change.to)),
    }
}

/// The beginning of the time in which it was, if nothing tells that to the second.
fn after(change: &ReplicaChange) -> String {
    let clock = || format!(", after {}", units::clock(change.seen, change.after));
    if change.at.is_none() { clock() } else { String::new() }
}

fn reason(change: &ReplicaChange, before: &Explanation) -> String {
    let found =
        change.found.map_or_else(String::new, |found| format!(", which found {}", units::replicas(found.0)));
    match &change.cause {
        ChangeCause::Decided(_) => answer_line(before).right,
        ChangeCause::Hpa(reason) => format!("by the HPA{found}: {}", event_reason(*reason)),
        ChangeCause::HpaFromUnseen(reason) => {
            format!("by the HPA, from replicas that were never seen: {}", event_reason(*reason))
        }
        ChangeCause::OtherHpa(name) => format!("by HPA {name} of the same target{found}"),
        ChangeCause::AnyHpa => "by the controller, not known for which HPA".to_owned(),
        ChangeCause::Manager(name) => format!("by {name} (field manager)"),
        ChangeCause::Unknown => "not known by whom: no event, status or managed field shows it".to_owned(),
        ChangeCause::Retargeted(target) => {
            let now = change.to.map_or_else(
                || "whose replicas could not be read".to_owned(),
                |to| format!("which has {}", units::replicas(to.0)),
            );
            format!("scaleTargetRef was changed: the HPA now scales {}/{}, {now}", target.kind, target.name)
        }
    }
}

const fn event_reason(reason: RescaleEventReason) -> &'static str {
    match reason {
        RescaleEventReason::AboveTarget => "a metric was above its target",
        RescaleEventReason::BelowTarget => "all metrics were below their targets",
        RescaleEventReason::AboveMax => "there were more than maxReplicas",
        RescaleEventReason::BelowMin => "there were fewer than minReplicas",
        RescaleEventReason::Unclear => "the reason is not known",
    }
}

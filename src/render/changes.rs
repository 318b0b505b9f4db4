//! A change of the replicas in one line, and as programs read it.

use std::io::{self, Write};

use serde::Serialize;

use super::options::Options;
use super::page::{Line, Page, Role};
use super::phrases::answer::answer_line;
use super::units;
use super::view::{KeyView, Moment, json_line, quoted};
use kubectl_hpa_core::comparison::{ChangeCause, ChangeSource, ReplicaChange};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Instant, ObjectReference, Replicas};
use kubectl_hpa_core::snapshot::case::API_VERSION;
use kubectl_hpa_core::snapshot::{HpaKey, Origin, RescaleEventReason};
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
    /// Where it is known from: `look`, `event` or `log`.
    source: &'static str,
    /// So many changes an event combines here; else 1.
    count: u32,
}

/// A change of the replicas of an HPA.
#[derive(Clone, Copy, Debug)]
pub struct Changed<'a> {
    change: &'a ReplicaChange,
    key: &'a HpaKey,
    origin: Option<&'a Origin>,
    /// The look before it, if there were looks.
    before: Option<&'a Explanation>,
}

impl<'a> Changed<'a> {
    /// A change that no look was before.
    #[must_use]
    pub const fn of(change: &'a ReplicaChange, key: &'a HpaKey, origin: Option<&'a Origin>) -> Self {
        Self { change, key, origin, before: None }
    }

    /// A change after a look.
    #[must_use]
    pub fn after(change: &'a ReplicaChange, before: &'a Explanation) -> Self {
        let snapshot = before.snapshot();
        Self { change, key: &snapshot.hpa.key, origin: snapshot.origin.as_ref(), before: Some(before) }
    }
}

/// What the HPA scales now.
#[derive(Clone, Copy, Debug, Serialize)]
struct TargetView<'a> {
    kind: &'a str,
    name: &'a str,
}

/// Writes a change in one line: when, of which HPA, from what to what, who and why, and the code of the step or where it is known
/// from.
///
/// # Errors
/// Those of the writer.
pub fn replica_change(out: &mut dyn Write, changed: &Changed<'_>, options: &Options) -> io::Result<()> {
    let change = changed.change;
    let piece = |role, text: &str| Line::of(options.glyphs, role, text);
    let mut end = code(change).map_or_else(String::new, |code| format!("  {}", code.as_str()));
    if change.source != ChangeSource::Look {
        end = format!("{end}  {}", source(change));
    }
    let text = format!("  {}{}{}", times(change), reason(changed), after(change));
    let line = piece(Role::Quiet, &format!("{}  ", change.time()))
        .joined(piece(Role::Subject, &subject(changed.key)))
        .joined(piece(Role::Answer, &format!("  {}", ends(changed))))
        .joined(piece(Role::Plain, &text))
        .joined(piece(Role::Quiet, &end));
    writeln!(out, "{}", line.paint(options.paint))
}

/// `NAMESPACE/NAME`; the log of an older controller has the name alone.
fn subject(key: &HpaKey) -> String {
    if key.namespace.is_empty() { key.name.to_string() } else { format!("{}/{}", key.namespace, key.name) }
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

/// How much of the past is known.
#[derive(Clone, Debug, Default)]
pub struct PastTotal<'a> {
    /// So many changes.
    pub changes: usize,
    /// Of so many HPAs.
    pub hpas: usize,
    /// From when to when; `None` if only events tell, which are deleted.
    pub span: Option<[Instant; 2]>,
    /// When nobody looked.
    pub unseen: &'a [Unseen],
    /// True if events were read.
    pub has_events: bool,
    /// The last time of a log whose lines have neither a year nor a zone.
    pub undated_log: Option<Instant>,
}

/// Writes how much of the past is known: so many changes of so many HPAs, when nobody looked, and what may be missing.
///
/// # Errors
/// Those of the writer.
pub fn past_total(out: &mut dyn Write, total: &PastTotal<'_>, options: &Options) -> io::Result<()> {
    let mut page = Page::new(options.style());
    let (changes, hpas) = (units::count(total.changes, "change"), units::count(total.hpas, "HPA"));
    let span = total.span.map_or_else(String::new, |[first, last]| format!(" from {first} to {last}"));
    page.note("Total", Role::Plain, &format!("{changes} of {hpas}{span}"));
    let unseen = total.unseen;
    let spans = unseen.iter().take(NAMED);
    let mut spans: Vec<String> =
        spans.map(|it| format!("{}/{} {} to {}", it.namespace, it.name, it.since, it.until)).collect();
    if unseen.len() > NAMED {
        spans.push(format!("{} more", unseen.len() - NAMED));
    }
    if !spans.is_empty() {
        page.note("Not seen", Role::Holds, &spans.join(", "));
    }
    if total.has_events {
        page.note("Events", Role::Quiet, EVENTS);
    }
    if let Some(last) = total.undated_log {
        let last = last.to_string();
        let year = last.split('-').next().unwrap_or_default();
        let text = format!("its times have no year and no zone; read as UTC, the last one of {year}");
        page.note("Log", Role::Quiet, &text);
    }
    page.write(out)
}

/// Events leave this open: the flag `--event-ttl` of the API server, and the rate limit of client-go's recorder.
const EVENTS: &str = "the API server deletes them after one hour by default, and some are never sent: earlier changes are missing, others may be";

/// Writes the same as a line of JSON.
///
/// # Errors
/// Those of the writer.
pub fn replica_change_json(out: &mut dyn Write, changed: &Changed<'_>) -> io::Result<()> {
    let Changed { change, key, origin, .. } = *changed;
    let number = |replicas: Option<Replicas>| replicas.map(|it| it.0);
    let view = ReplicaChangeView {
        api_version: API_VERSION,
        kind: "ReplicaChange",
        subject: KeyView::of(key, origin),
        at: Moment(change.time()),
        after: change.at.is_none().then_some(Moment(change.after)),
        from: number(change.from),
        to: number(change.to),
        found: number(change.found),
        by: by(&change.cause),
        who: who(&change.cause),
        target: target(&change.cause).map(|it| TargetView { kind: &it.kind, name: &it.name }),
        reason: reason(changed),
        code: code(change).map(Code::as_str),
        source: source(change),
        count: change.count,
    };
    json_line(out, &view)
}

/// Writes changes as comma-separated values, a row for each; an empty cell is not known.
///
/// # Errors
/// Those of the writer.
pub fn replica_changes_csv<'a>(
    out: &mut dyn Write,
    changes: impl Iterator<Item = Changed<'a>>,
) -> io::Result<()> {
    writeln!(out, "at,after,namespace,name,from,to,by,who,code,reason,source,count")?;
    for changed in changes {
        let Changed { change, key, .. } = changed;
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
            quoted(&reason(&changed)),
            source(change).to_owned(),
            change.count.to_string(),
        ];
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(())
}

const fn source(change: &ReplicaChange) -> &'static str {
    match change.source {
        ChangeSource::Look => "look",
        ChangeSource::Event => "event",
        ChangeSource::Log => "log",
    }
}

/// How often, if an event combines several.
fn times(change: &ReplicaChange) -> String {
    if change.count == 1 { String::new() } else { format!("{} times ", change.count) }
}

const fn by(cause: &ChangeCause) -> &'static str {
    match cause {
        ChangeCause::Decided(_) => "decision",
        ChangeCause::Hpa(_) | ChangeCause::Stated(_) | ChangeCause::HpaFromUnseen(_) => "hpa",
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
fn ends(Changed { change, before, .. }: &Changed<'_>) -> String {
    let replicas = |it: Option<Replicas>| it.map_or_else(|| "?".to_owned(), |it| it.0.to_string());
    match (target(&change.cause), before) {
        (Some(target), Some(before)) => format!("{} → {}/{}", before.target(), target.kind, target.name),
        _ => format!("{} → {}", replicas(change.from), replicas(change.to)),
    }
}

/// The beginning of the time in which it was, if nothing tells that to the second.
fn after(change: &ReplicaChange) -> String {
    let clock = || format!(", after {}", units::clock(change.seen, change.after));
    if change.at.is_none() { clock() } else { String::new() }
}

fn reason(Changed { change, before, .. }: &Changed<'_>) -> String {
    let found =
        change.found.map_or_else(String::new, |found| format!(", which found {}", units::replicas(found.0)));
    match &change.cause {
        ChangeCause::Decided(_) => before.map_or_else(String::new, |before| answer_line(before).right),
        ChangeCause::Hpa(reason) => format!("by the HPA{found}: {}", event_reason(*reason)),
        ChangeCause::Stated(words) => format!("by the HPA{found}: {words}"),
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

//! The first two lines: what this is about, and the answer.

use crate::render::claims::Answer;
use crate::render::page::{Line, Page, Role};
use crate::render::phrases::answer::answer;
use crate::render::phrases::origin;
use crate::render::units::{count, list, moment, on_day};
use crate::render::versions;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Evidence, Instant};
use kubectl_hpa_core::rules::GATES;
use kubectl_hpa_core::snapshot::Controller;

/// The least column in which the right halves begin.
const COLUMN: usize = 32;

/// What this is about, alone.
pub(super) fn subject(page: &mut Page, explanation: &Explanation) {
    let subject = named(page, explanation);
    let column = (subject.width() + 3).max(COLUMN);
    beside(page, &subject, column, &abouts(explanation));
    deleted(page, explanation);
}

/// The same where no version is the controller's.
pub(super) fn of_any_version(page: &mut Page, explanation: &Explanation) {
    let subject = named(page, explanation);
    let column = (subject.width() + 3).max(COLUMN);
    let abouts = settings(&explanation.snapshot().controller);
    let origin = origin(explanation);
    beside(page, &subject, column, &abouts.map(|told| format!("{origin}{told} · {}", now(explanation))));
}

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    let subject = named(page, explanation);
    let answer = answer(explanation);
    let left = page.line(answer.role, &answer.left(explanation.now()));
    let column = (subject.width().max(left.width()) + 3).max(COLUMN);
    let abouts = abouts(explanation);
    let beside = abouts.iter().find(|about| page.has_room(column, about));
    page.beside_at(&subject, column, Role::Quiet, beside.map_or("", |about| about.as_str()));
    right_of_answer(page, &left, beside.map(|_| column), &answer, explanation.now());
    if beside.is_none() {
        below(page, &abouts);
    }
    deleted(page, explanation);
}

/// The controller does not look at the deletion timestamp: what has a finalizer is scaled until it is gone.
///
/// Source: `reconcileAutoscaler` of upstream's `horizontal.go`.
fn deleted(page: &mut Page, explanation: &Explanation) {
    if let Some(at) = explanation.snapshot().hpa.deleted {
        let since = moment(explanation.now(), at);
        let text = format!("being deleted since {since}; the controller scales its target until it is gone");
        page.text(Role::Holds, &text);
    }
}

fn named(page: &Page, explanation: &Explanation) -> Line {
    let key = &explanation.snapshot().hpa.key;
    page.line(Role::Subject, &format!("{}/{} → {}", key.namespace, key.name, explanation.target()))
}

fn abouts(explanation: &Explanation) -> [String; 2] {
    settings(&explanation.snapshot().controller).map(|told| about(explanation, &told))
}

/// Where the settings come from, in full and in short. Both say what is assumed: no screen is too narrow for that.
fn settings(controller: &Controller) -> [String; 2] {
    let evidence = controller.weakest_evidence();
    let known = match evidence {
        Evidence::Given => "given",
        Evidence::Observed => "read",
        Evidence::Inferred => "inferred",
        Evidence::Assumed => "assumed",
        Evidence::Unknown => "unknown",
    };
    let default =
        if evidence == Evidence::Assumed && controller.assumes_defaults() { "default " } else { "" };
    let given = if evidence == Evidence::Given { Vec::new() } else { given(controller) };
    if given.is_empty() {
        return [format!("{default}flags {known}"), format!("flags {known}")];
    }
    [
        format!("{} given, the rest {known}", list(&given)),
        format!("{} given, rest {known}", count(given.len(), "setting")),
    ]
}

/// The settings that somebody stated, by the names of their flags; and the gates, where they have a bearing.
fn given(controller: &Controller) -> Vec<&str> {
    let settings = [
        ("architecture", controller.architecture.evidence),
        ("tolerance", controller.tolerance.evidence),
        ("downscale-stabilization", controller.downscale_stabilization.evidence),
        ("cpu-initialization-period", controller.cpu_initialization_period.evidence),
        ("initial-readiness-delay", controller.initial_readiness_delay.evidence),
    ];
    let gates = controller.feature_gates.iter().map(|(name, gate)| (&**name, gate.evidence));
    let all = settings.into_iter().chain(gates.filter(|(name, _)| GATES.contains(name)));
    all.filter(|(_, evidence)| *evidence == Evidence::Given).map(|(name, _)| name).collect()
}

/// The longest that fits beside the subject, else below it.
fn beside(page: &mut Page, subject: &Line, column: usize, abouts: &[String; 2]) {
    if let Some(about) = abouts.iter().find(|about| page.has_room(column, about)) {
        page.beside_at(subject, column, Role::Quiet, about);
    } else {
        page.push(subject.clone());
        below(page, abouts);
    }
}

fn below(page: &mut Page, [long, short]: &[String; 2]) {
    page.text(Role::Quiet, if page.has_room(2, long) { long } else { short });
}

/// The reason goes beside the answer if it fits there in one line, else below it, without the bounds.
fn right_of_answer(page: &mut Page, left: &Line, column: Option<usize>, answer: &Answer, now: Instant) {
    let near = left.width() + 3;
    let columns = || column.into_iter().chain([near]);
    let right = answer.right(now);
    if let Some(column) = columns().find(|column| page.has_room(*column, &right)) {
        return page.beside_at(left, column, Role::Plain, &right);
    }
    let (reason, bounds) = answer.stacked(now);
    let bounds = bounds.unwrap_or_default();
    let column = columns().find(|column| page.has_room(*column, &bounds)).unwrap_or(near);
    page.beside_at(left, column, Role::Plain, &bounds);
    page.text(Role::Plain, &reason);
}

fn about(explanation: &Explanation, settings: &str) -> String {
    let controller = &explanation.snapshot().controller;
    let version = version(explanation, controller);
    let who = if controller.is_shared() {
        format!("{} controllers at once", controller.unelected.len())
    } else {
        "controller".to_owned()
    };
    format!("{}{who} {version} · {settings} · {}", origin(explanation), now(explanation))
}

/// `context prod · `; nothing where it is not known.
fn origin(explanation: &Explanation) -> String {
    explanation
        .snapshot()
        .origin
        .as_ref()
        .map_or_else(String::new, |origin| format!("{} · ", origin::named(origin)))
}

fn now(explanation: &Explanation) -> String {
    on_day(explanation.now()).replace(' ', "\u{a0}")
}

fn version(explanation: &Explanation, controller: &Controller) -> String {
    let version = versions::named(&controller.version.value, explanation.rules());
    if controller.version.evidence == Evidence::Assumed { format!("{version} (assumed)") } else { version }
}

//! A decision as it is and as it would be.

use std::io::{self, Write};
use std::iter;

use super::{advice, head, steps as numbered};
use crate::render::options::{Options, Rows};
use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::answer::{AnswerLine, answer_line};
use crate::render::phrases::notes::proposal_note;
use crate::render::phrases::why::why;
use crate::render::rendered::{RenderedPod, RenderedStep};
use crate::render::simulation::Simulation;
use crate::render::units::{moment, replicas, span, thousandths};
use kubectl_hpa_core::comparison::{Comparison, Requested};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::ResourceName;
use kubectl_hpa_core::whatif::{Projection, Step};

/// So many pods that count differently are named.
const PODS: usize = 10;

/// Writes a simulation for people.
///
/// # Errors
/// Those of the writer.
pub fn simulation(out: &mut dyn Write, simulation: &Simulation<'_>, options: &Options) -> io::Result<()> {
    let mut page = Page::new(options.style());
    head::subject(&mut page, simulation.sides.then);
    changes(&mut page, simulation);
    sides(&mut page, simulation);
    reasons(&mut page, simulation);
    advice::right(&mut page, simulation.sides.then);
    difference(&mut page, simulation);
    if options.is_wide() {
        numbered::section(&mut page, simulation.sides.then, options);
    }
    pods(&mut page, simulation, options);
    projection(&mut page, simulation);
    net_effect(&mut page, simulation);
    if let Some(note) = proposal_note(&simulation.sides) {
        page.note("Note", Role::Plain, &note.text());
    }
    page.write(out)
}

fn changes(page: &mut Page, simulation: &Simulation<'_>) {
    let changes = simulation.changes.join(" ");
    page.note("Changed", Role::Plain, if changes.is_empty() { "nothing" } else { &changes });
}

fn sides(page: &mut Page, simulation: &Simulation<'_>) {
    page.title("Decision", title(simulation));
    let now = simulation.sides.now.map_or_else(|| before(simulation), answer_line);
    let mut then = answer_line(simulation.sides.then);
    // A decision that is held or stopped keeps its own color.
    if then.role == Role::Answer && is_changed(simulation) {
        then.role = Role::Added;
    }
    let answers = [("now", now), ("then", then)];
    page.table(&named_answers(answers));
}

fn is_changed(simulation: &Simulation<'_>) -> bool {
    simulation.sides.now.is_some() && simulation.sides.comparison() == Comparison::Different
}

/// Each answer beside the name of those who give it.
pub(super) fn named_answers<'a>(answers: impl IntoIterator<Item = (&'a str, AnswerLine)>) -> Table {
    let mut table = Table::new([("", Align::Left), ("", Align::Left), ("", Align::Text)]);
    for (name, AnswerLine { left, right, role }) in answers {
        table.row([Cell::new(Role::Quiet, name), Cell::new(role, left), Cell::from(right)]);
    }
    table
}

fn title(simulation: &Simulation<'_>) -> &'static str {
    match (simulation.sides.now, simulation.sides.comparison()) {
        (Some(_), Comparison::Same) if simulation.sides.may_differ_later() => "no change now",
        (Some(_), Comparison::Same) => "no change",
        (Some(_), Comparison::Different) => "changes",
        (Some(_), Comparison::Unknown) => "may or may not change",
        (None, _) if simulation.is_typed => "first sync",
        (None, _) => "new HPA",
    }
}

/// What there is before an HPA is.
fn before(simulation: &Simulation<'_>) -> AnswerLine {
    let current = simulation.sides.then.current();
    let is_own = simulation.sides.then.snapshot().hpa.status.is_scaled_to_zero();
    let right = match current {
        Some(it) if simulation.is_typed && it.0 == 0 && is_own => {
            "as typed, as the HPA's own zero; any other is a pause"
        }
        Some(it) if simulation.is_typed && it.0 == 0 => "not the HPA's own zero; no cluster was read",
        _ if simulation.is_typed => "as given, for ready pods; no cluster was read",
        _ => "there is no such HPA yet",
    };
    AnswerLine {
        left: current.map_or_else(|| "replicas unknown".to_owned(), |it| replicas(it.0)),
        right: right.to_owned(),
        role: Role::Quiet,
    }
}

/// Why it would be decided so, or is and would be.
fn reasons(page: &mut Page, simulation: &Simulation<'_>) {
    let (now, then) = (simulation.sides.now.map(why), why(simulation.sides.then));
    let is_as_now = now.as_ref() == Some(&then);
    // If only the outcome differs, the sentences read alike, and the steps below show the difference.
    if then.is_empty() || is_as_now && !simulation.sides.is_same() {
        return;
    }
    page.title("Why", "");
    for claim in then {
        page.paragraph(&claim.text(simulation.sides.then.now()));
    }
}

fn difference(page: &mut Page, simulation: &Simulation<'_>) {
    let Some(difference) = simulation.sides.first_difference() else { return };
    page.title("First difference", "");
    let names = ["now", "then"];
    page.table(&steps(names, RenderedStep::of_sides(&simulation.sides, [difference.now, difference.then])));
    if let Some(deciding) = RenderedStep::of_deciding(&simulation.sides) {
        page.title("What decides", "");
        page.table(&steps(names, deciding));
    }
}

/// A step of each side, beside the side's name.
pub(super) fn steps(names: [&str; 2], sides: [Option<RenderedStep>; 2]) -> Table {
    let columns = [("", Align::Left), ("", Align::Text), ("", Align::Text), ("", Align::Remark)];
    let mut table = Table::new(columns);
    for (name, parts) in names.into_iter().zip(sides) {
        let name = Cell::new(Role::Quiet, name);
        match parts {
            Some(RenderedStep { label, text, code }) => {
                table.row([name, Cell::from(label), Cell::from(text), Cell::new(Role::Quiet, code)]);
            }
            None => table.row([name, Cell::default(), Cell::new(Role::Quiet, "no such step")]),
        }
    }
    table
}

fn pods(page: &mut Page, simulation: &Simulation<'_>, options: &Options) {
    let moved: Vec<RenderedPod> = simulation.sides.regrouped().iter().map(RenderedPod::of).collect();
    if moved.is_empty() {
        return;
    }
    let columns =
        [("POD", Align::Name), ("METRIC", Align::Left), ("NOW", Align::Left), ("THEN", Align::Left)];
    let mut table = Table::new(columns);
    let shown = if options.rows == Rows::All || options.is_wide() { moved.len() } else { PODS };
    for it in moved.iter().take(shown) {
        let [pod, metric, now] = [&it.pod, &it.metric, &it.now].map(|text| Cell::from(text.as_str()));
        table.row([pod, metric, now, Cell::new(Role::Added, &it.then)]);
    }
    if moved.len() > shown {
        table.row([Cell::new(Role::Quiet, format!("… {} more", moved.len() - shown))]);
    }
    page.title("Pods", "that count differently");
    page.table(&table);
}

/// What follows, if the load stays.
fn projection(page: &mut Page, simulation: &Simulation<'_>) {
    let projection = simulation.sides.then.projection();
    if projection.steps.is_empty() {
        return;
    }
    let sync = span(simulation.sides.then.snapshot().controller.sync_period.value);
    let first = simulation.sides.then.range().map_or(0, |(low, _)| low.0);
    let parts = iter::once(format!("{first} now")).chain(shown(simulation.sides.then, projection));
    let parts = parts.collect::<Vec<_>>().join(", ");
    page.note(
        "What happens next",
        Role::Plain,
        &format!(
            "{parts}; assuming a sync every {sync} and at the end of each window and period, a constant load, and new pods that are ready at once and share it (--over takes other assumptions)"
        ),
    );
}

/// The first few and the last of many steps.
fn shown(explanation: &Explanation, projection: &Projection) -> Vec<String> {
    let at = |step: &Step| format!("{} at {}", step.replicas.0, moment(explanation.now(), step.at));
    match projection.steps.as_slice() {
        [first, second, ..] if projection.goes_on => {
            vec![at(first), at(second), "and so on".to_owned()]
        }
        [first, second, _, .., last] if projection.steps.len() > 4 => {
            let unknown = (!projection.is_known).then(|| "then not known".to_owned());
            [at(first), at(second), "…".to_owned(), at(last)].into_iter().chain(unknown).collect()
        }
        all => {
            let unknown = (!projection.is_known).then(|| "then not known".to_owned());
            all.iter().map(at).chain(unknown).collect()
        }
    }
}

fn net_effect(page: &mut Page, simulation: &Simulation<'_>) {
    let Some(effect) = simulation.sides.net_effect() else { return };
    let requests: Vec<&Requested> = effect.requests.iter().filter(|it| it.more() != 0).collect();
    let more = effect.more();
    if more == 0 && requests.is_empty() {
        return;
    }
    let [now, then] = effect.replicas.map(|replicas| replicas.0);
    let count = match more {
        0 => format!("same replicas ({now})"),
        -1 | 1 => format!("{more:+} replica ({now} → {then})"),
        _ => format!("{more:+} replicas ({now} → {then})"),
    };
    let parts: Vec<String> = iter::once(count).chain(requests.into_iter().map(requested)).collect();
    page.note("Net effect", Role::Plain, &parts.join(", "));
}

fn requested(it: &Requested) -> String {
    let amount = |milli: i64| match it.resource {
        ResourceName::Memory => bytes(milli),
        _ => thousandths(milli.unsigned_abs().into()),
    };
    let [now, then] = it.milli.map(amount);
    let sign = if it.more() < 0 { "-" } else { "+" };
    format!("{sign}{} {} requested ({now} → {then})", amount(it.more()), it.resource.as_str())
}

/// Milli-bytes in Mi, without a sign.
fn bytes(milli: i64) -> String {
    let mebi = i128::from(milli.unsigned_abs()) / (1024 * 1024);
    format!("{}Mi", thousandths(mebi))
}

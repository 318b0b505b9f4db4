//! Many HPAs: a row each, and how many are in which state.

use std::io::{self, Write};

use crate::render::fleet::{Fleet, Listed};
use crate::render::options::Options;
use crate::render::page::{Align, Cell, Line, Page, Role, Table};
use crate::render::phrases::listed::{sum, word};
use crate::render::phrases::origin::{CaseNames, clusters};
use crate::render::units::age;
use crate::render::units::range;
use kubectl_hpa_core::comparison::Unanswered;
use kubectl_hpa_core::model::{HpaState, Severity};
use kubectl_hpa_core::snapshot::Origin;

/// From this width on the reasons have a column; on a narrower screen each is below its row.
const ROOMY: usize = 100;

/// Writes a list of HPAs for people.
///
/// # Errors
/// Those of the writer.
pub fn fleet(out: &mut dyn Write, fleet: &Fleet, options: &Options) -> io::Result<()> {
    let mut page = Page::new(options.style());
    if page.draws() {
        page.push(page.line(Role::Subject, &fleet.title()));
    }
    if !fleet.rows.is_empty() {
        page.table(&fitting(fleet, &page, options));
    }
    unread(&mut page, &fleet.errors);
    // On a page for a browser the title says it.
    if !page.draws() {
        origins(&mut page, &fleet.origins);
    }
    total(&mut page, fleet);
    page.write(out)
}

/// Writes only how many HPAs there are in each state, as at the end of the list.
///
/// # Errors
/// Those of the writer.
pub fn fleet_total(out: &mut dyn Write, fleet: &Fleet, options: &Options) -> io::Result<()> {
    let mut page = Page::new(options.style());
    total(&mut page, fleet);
    page.write(out)
}

fn total(page: &mut Page, fleet: &Fleet) {
    let all: usize = fleet.counts.iter().map(|(_, number)| number).sum();
    let hidden = all - fleet.rows.len();
    let rest = if hidden == 0 { String::new() } else { format!("; {hidden} not shown") };
    let read = fleet.read().map_or_else(String::new, |read| format!("; {read}"));
    page.note("Total", Role::Plain, &format!("{}{rest}{read}", sum(&fleet.counts)));
}

/// Which clusters it is of.
pub(super) fn origins<'a>(page: &mut Page, origins: impl IntoIterator<Item = &'a Origin>) {
    if let Some((title, names)) = clusters(origins) {
        page.note(title, Role::Quiet, &names);
    }
}

/// The clusters that nothing could be read of. Why not stands on standard error, which a page for a browser is without.
pub(super) fn unread(page: &mut Page, errors: &[Unanswered]) {
    for error in errors.iter().filter(|error| error.is_of_cluster()) {
        let context = format!("context {}", error.context.as_deref().unwrap_or_default());
        let text = if page.draws() { format!("{context}: {}", error.message) } else { context };
        page.note("Not read", Role::Stops, &text);
    }
}

/// Where the columns of a wide list stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wide {
    /// Nowhere.
    No,
    /// Beside the others.
    Columns,
    /// Below each row, so that they take no room from the others.
    Below,
}

fn fitting(fleet: &Fleet, page: &Page, options: &Options) -> Table {
    if options.is_wide() {
        let columns = table(fleet, Wide::Columns, Align::Text);
        let has_room = page.width() >= ROOMY && page.has_room_for(&columns);
        return if has_room { columns } else { table(fleet, Wide::Below, Align::Below) };
    }
    let columns = table(fleet, Wide::No, Align::Text);
    let has_room = page.width() >= ROOMY && page.has_columns_for(&columns);
    if has_room { columns } else { table(fleet, Wide::No, Align::Remark) }
}

fn table(fleet: &Fleet, wide: Wide, why: Align) -> Table {
    let columns = [
        ("CONTEXT", Align::Name),
        ("CASE", case_align(fleet.rows.iter().filter_map(|row| row.origin.as_ref()))),
        ("NS", Align::Name),
        ("NAME", Align::Name),
        ("TARGET", Align::Name),
        ("REPLICAS", Align::Left),
        ("WANTED", Align::Right),
        ("BOUNDS", Align::Left),
        ("METRIC", Align::Reading),
        ("STATE", Align::Left),
        ("SINCE", Align::Right),
        ("WHY", why),
    ];
    let cases = CaseNames::of(fleet.origins.iter());
    let mut table = Table::new(columns);
    for row in &fleet.rows {
        let show = |is_shown: bool, text: &str| if is_shown { text.to_owned() } else { String::new() };
        let wanted = row.wanted.map_or_else(String::new, |wanted| wanted.0.to_string());
        let since = row.since.map_or_else(String::new, |(at, now)| age(now, at));
        table.row([
            Cell::new(Role::Quiet, show(fleet.is_of_clusters, row.context().unwrap_or_default())),
            Cell::new(Role::Quiet, cases.name(row.origin.as_ref())),
            Cell::new(Role::Quiet, show(fleet.is_everywhere, &row.namespace)),
            Cell::from(beside_case(row.origin.as_ref(), &row.name)),
            Cell::new(Role::Quiet, show(wide == Wide::Columns, &row.target)),
            Cell::from(replicas(row)),
            Cell::from(show(wide == Wide::Columns, &wanted)),
            Cell::new(Role::Quiet, row.bounds.map_or_else(String::new, range)),
            Cell::from(
                row.metric.as_ref().map_or_else(String::new, |(name, reads)| format!("{name} {reads}")),
            ),
            Cell::new(role(row.state), word(row.state)),
            Cell::new(Role::Quiet, since),
            Cell::from(if wide == Wide::Below { below(row, &wanted) } else { row.marked_why() }),
        ]);
    }
    table
}

/// The names of examples are short and tell them apart; paths of files may be long.
pub(super) fn case_align<'a>(mut origins: impl Iterator<Item = &'a Origin>) -> Align {
    if origins.any(|origin| is_example(Some(origin))) { Align::Left } else { Align::Name }
}

/// What tells an HPA from others beside its case: nothing of an example, which the next command asks for by its own name.
pub(super) fn beside_case<'a>(origin: Option<&Origin>, name: &'a str) -> &'a str {
    if is_example(origin) { "" } else { name }
}

fn is_example(origin: Option<&Origin>) -> bool {
    matches!(origin, Some(Origin::Example(_)))
}

/// What is told below a row: its reason, after what has no column.
fn below(row: &Listed, wanted: &str) -> String {
    let is_said = wanted.is_empty() || row.why().starts_with(&format!("{wanted} wanted"));
    let wanted = if is_said { String::new() } else { format!("{wanted} wanted") };
    let parts = [row.target.clone(), wanted, row.marked_why()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Writes a row in one line, for following it as it changes.
///
/// # Errors
/// Those of the writer.
pub fn listed_line(
    out: &mut dyn Write,
    row: &Listed,
    is_gone: bool,
    is_of_clusters: bool,
    options: &Options,
) -> io::Result<()> {
    let piece = |role, text: &str| Line::of(options.glyphs, role, text);
    let context = row.context().filter(|_| is_of_clusters).map_or_else(String::new, |it| format!("{it}  "));
    let at = row.at.map_or_else(String::new, |at| format!("{at}  "));
    let line = piece(Role::Quiet, &(at + &context))
        .joined(piece(Role::Subject, &format!("{}/{}", row.namespace, row.name)));
    let metric = row.metric.as_ref().map_or_else(String::new, |(name, reads)| format!("  {name} {reads}"));
    let line = if is_gone {
        line.joined(piece(Role::Stops, "  gone"))
    } else {
        line.joined(piece(Role::Answer, &format!("  {}", replicas(row))))
            .joined(piece(role(row.state), &format!("  {}", word(row.state))))
            .joined(piece(Role::Plain, &format!("{metric}  {}", row.marked_why())))
    };
    writeln!(out, "{}", line.paint(options.paint))
}

const fn role(state: HpaState) -> Role {
    match state.severity() {
        Severity::Stops => Role::Stops,
        Severity::Holds => Role::Holds,
        Severity::Calm => Role::Plain,
    }
}

/// `4`, `4 → 8`, `10 → 5–10`, `3 → 3 or 5`; `?` if it is not known.
fn replicas(row: &Listed) -> String {
    let current = row.current.map_or_else(|| "?".to_owned(), |current| current.0.to_string());
    match row.range {
        Some((low, high)) if low == high && Some(low) == row.current => current,
        Some((low, high)) if row.is_either => format!("{current} → {} or {}", low.0, high.0),
        Some(next) => format!("{current} → {}", range(next)),
        None if row.current.is_none() => current,
        None => format!("{current} → ?"),
    }
}

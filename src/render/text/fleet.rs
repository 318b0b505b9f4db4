//! Many HPAs: a row each, and how many are in which state.

use std::io::{self, Write};

use crate::render::fleet::{Fleet, Listed};
use crate::render::options::Options;
use crate::render::page::{Align, Cell, Line, Page, Role, Table};
use crate::render::phrases::listed::{sum, word};
use crate::render::phrases::origin::clusters;
use crate::render::units::age;
use kubectl_hpa_core::comparison::Unanswered;
use kubectl_hpa_core::model::{HpaState, Replicas, Severity};
use kubectl_hpa_core::snapshot::Origin;

/// From this width on the reasons have a column; on a narrower screen each is below its row.
const ROOMY: usize = 100;

/// Writes a list of HPAs for people.
///
/// # Errors
/// Those of the writer.
pub fn fleet(out: &mut dyn Write, fleet: &Fleet, options: &Options) -> io::Result<()> {
    let mut page = Page::new(options.style());
    if !fleet.rows.is_empty() {
        let why = if page.width() < ROOMY { Align::Remark } else { Align::Text };
        page.table(&table(fleet, options.is_wide(), why));
    }
    let all: usize = fleet.counts.iter().map(|(_, number)| number).sum();
    let hidden = all - fleet.rows.len();
    let rest = if hidden == 0 { String::new() } else { format!("; {hidden} not shown") };
    unread(&mut page, &fleet.errors);
    origins(&mut page, &fleet.origins);
    page.note("Total", Role::Plain, &format!("{}{rest}", sum(&fleet.counts)));
    page.write(out)
}

/// Which clusters it is of.
pub(super) fn origins<'a>(page: &mut Page, origins: impl IntoIterator<Item = &'a Origin>) {
    if let Some((title, names)) = clusters(origins) {
        page.note(title, Role::Quiet, &names);
    }
}

/// The clusters that nothing could be read of.
pub(super) fn unread(page: &mut Page, errors: &[Unanswered]) {
    for error in errors.iter().filter(|error| error.is_of_cluster()) {
        let context = error.context.as_deref().unwrap_or_default();
        page.note("Not read", Role::Stops, &format!("context {context}: {}", error.message));
    }
}

fn table(fleet: &Fleet, is_wide: bool, why: Align) -> Table {
    let columns = [
        ("CONTEXT", Align::Name),
        ("NS", Align::Name),
        ("NAME", Align::Name),
        ("TARGET", Align::Name),
        ("REPLICAS", Align::Left),
        ("WANTED", Align::Right),
        ("BOUNDS", Align::Left),
        ("METRIC", Align::Name),
        ("STATE", Align::Left),
        ("SINCE", Align::Right),
        ("WHY", why),
    ];
    let mut table = Table::new(columns);
    for row in &fleet.rows {
        let show = |is_shown: bool, text: &str| if is_shown { text.to_owned() } else { String::new() };
        let wanted = row.wanted.map_or_else(String::new, |wanted| wanted.0.to_string());
        let since = row.since.map_or_else(String::new, |(at, now)| age(now, at));
        table.row([
            Cell::new(Role::Quiet, show(fleet.is_of_clusters, row.context().unwrap_or_default())),
            Cell::new(Role::Quiet, show(fleet.is_everywhere, &row.namespace)),
            Cell::from(row.name.as_str()),
            Cell::new(Role::Quiet, show(is_wide, &row.target)),
            Cell::from(replicas(row)),
            Cell::from(show(is_wide, &wanted)),
            Cell::new(Role::Quiet, row.bounds.map_or_else(String::new, range)),
            Cell::from(
                row.metric.as_ref().map_or_else(String::new, |(name, reads)| format!("{name} {reads}")),
            ),
            Cell::new(role(row.state), word(row.state)),
            Cell::new(Role::Quiet, since),
            Cell::from(row.marked_why()),
        ]);
    }
    table
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

/// `4`, `4 → 8`, `10 → 5–10`; `?` if it is not known.
fn replicas(row: &Listed) -> String {
    let current = row.current.map_or_else(|| "?".to_owned(), |current| current.0.to_string());
    match row.range {
        Some((low, high)) if low == high && Some(low) == row.current => current,
        Some(next) => format!("{current} → {}", range(next)),
        None => format!("{current} → ?"),
    }
}

/// `5`, or `5–10`.
fn range((low, high): (Replicas, Replicas)) -> String {
    if low == high { low.0.to_string() } else { format!("{}–{}", low.0, high.0) }
}

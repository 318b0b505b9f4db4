//! Many HPAs: a row each, and how many are in which state.

use std::io::{self, Write};

use crate::render::fleet::{Fleet, Listed};
use crate::render::options::Options;
use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::listed::{sum, word};
use crate::render::units::age;
use kubectl_hpa_core::model::{HpaState, Replicas, Severity};

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
    page.note("Total", Role::Plain, &format!("{}{rest}", sum(&fleet.counts)));
    page.write(out)
}

fn table(fleet: &Fleet, is_wide: bool, why: Align) -> Table {
    let columns = [
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
            Cell::from(row.why.as_str()),
        ]);
    }
    table
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

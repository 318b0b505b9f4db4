//! A change of many HPAs: a row for each that changes, and the sum.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::fleet::{beside_case, case_align, origins, unread};
use crate::render::fleet_simulation::{FleetSimulation, SimulatedRow};
use crate::render::options::Options;
use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::effect::{replicas, requests, settled, sum};
use crate::render::phrases::origin::CaseNames;
use crate::render::units::{count, few};
use kubectl_hpa_core::comparison::{Comparison, Unanswered};

/// So many HPAs that have no row are named.
const NAMED: usize = 5;

/// Writes a change of many HPAs for people.
///
/// # Errors
/// Those of the writer.
pub fn fleet_simulation(out: &mut dyn Write, fleet: &FleetSimulation, options: &Options) -> io::Result<()> {
    let mut page = Page::new(options.style());
    page.beside(&page.line(Role::Subject, "Changed"), Role::Plain, &fleet.changes.join(" "));
    let may_change = fleet.changed().any(|row| row.comparison == Comparison::Unknown);
    let title = if may_change { "HPAs that change or may change" } else { "HPAs that change" };
    if fleet.changed().next().is_some() {
        page.title(title, "after this sync, and where the replicas settle; what they request");
        page.table(&table(fleet));
    }
    if let Some(sum) = sum(&fleet.totals()) {
        page.note("Sum", Role::Plain, &sum);
    }
    for (message, names) in by_message(fleet) {
        let text = format!("{}: {message} ({})", count(names.len(), "HPA"), few(&names, NAMED));
        page.note("Not applicable", Role::Holds, &text);
    }
    unread(&mut page, &fleet.failed);
    origins(&mut page, fleet.rows.iter().filter_map(|row| row.origin.as_ref()));
    page.note("Total", Role::Plain, &total(fleet));
    page.write(out)
}

fn table(fleet: &FleetSimulation) -> Table {
    let columns = [
        ("CONTEXT", Align::Name),
        ("CASE", case_align(fleet.rows.iter().filter_map(|row| row.origin.as_ref()))),
        ("NS", Align::Name),
        ("NAME", Align::Name),
        ("NEXT", Align::Left),
        ("SETTLES", Align::Left),
        ("CPU", Align::Left),
        ("MEMORY", Align::Left),
        ("", Align::Remark),
    ];
    let cases = CaseNames::of(fleet.rows.iter().filter_map(|row| row.origin.as_ref()));
    let (mut table, totals) = (Table::new(columns), fleet.totals());
    for row in fleet.changed() {
        let may = if row.comparison == Comparison::Unknown { "may change" } else { "" };
        let effect = row.effect.as_ref();
        let [cpu, memory] = effect.map(|it| requests(it, &totals)).unwrap_or_default();
        table.row([
            Cell::new(Role::Quiet, row.context().filter(|_| fleet.is_of_clusters).unwrap_or_default()),
            Cell::new(Role::Quiet, cases.name(row.origin.as_ref())),
            Cell::new(Role::Quiet, beside_case(row.origin.as_ref(), &row.key.namespace)),
            Cell::from(beside_case(row.origin.as_ref(), &row.key.name)),
            Cell::from(effect.map_or_else(String::new, |it| replicas(it.next))),
            Cell::from(effect.map_or_else(String::new, settled)),
            Cell::from(cpu),
            Cell::from(memory),
            Cell::new(Role::Holds, may),
        ]);
    }
    table
}

/// The same problem of many HPAs is told once.
fn by_message(fleet: &FleetSimulation) -> BTreeMap<&str, Vec<String>> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for one in &fleet.misfits {
        found.entry(&one.message).or_default().push(one.place(fleet.is_of_clusters));
    }
    found
}

/// The name of an HPA that has a row.
fn row_place(row: &SimulatedRow, fleet: &FleetSimulation) -> String {
    Unanswered::of(&row.key.namespace, &row.key.name, row.origin.as_ref()).place(fleet.is_of_clusters)
}

fn total(fleet: &FleetSimulation) -> String {
    let failed = || fleet.failed.iter().filter(|error| !error.is_of_cluster());
    let all = fleet.rows.len() + fleet.misfits.len() + failed().count();
    let undecided: Vec<String> = fleet
        .rows
        .iter()
        .filter(|row| row.comparison == Comparison::Unknown && row.effect.is_none())
        .map(|row| row_place(row, fleet))
        .chain(failed().map(|error| error.place(fleet.is_of_clusters)))
        .collect();
    let may = fleet.changed().filter(|row| row.comparison == Comparison::Unknown).count();
    let broken: Vec<String> =
        fleet.rows.iter().filter(|row| row.stays_broken).map(|row| row_place(row, fleet)).collect();
    let same = fleet.count(Comparison::Same) - broken.len();
    let changed = fleet.count(Comparison::Different);
    let mut parts = vec![
        format!("{changed} {}", if changed == 1 { "changes" } else { "change" }),
        format!("{same} unchanged"),
    ];
    if !broken.is_empty() {
        parts.push(format!("{} cannot decide ({})", broken.len(), few(&broken, NAMED)));
    }
    match (may + undecided.len(), may) {
        (0, _) => {}
        (unknown, _) if undecided.is_empty() => parts.push(format!("{unknown} unknown")),
        (unknown, 0) => parts.push(format!("{unknown} unknown ({})", few(&undecided, NAMED))),
        (unknown, _) => {
            parts.push(format!("{unknown} unknown ({may} in the table; {})", few(&undecided, NAMED)));
        }
    }
    if let number @ 1.. = fleet.misfits.len() {
        parts.push(format!("{number} not applicable"));
    }
    format!("{}: {}", count(all, "HPA"), parts.join(", "))
}

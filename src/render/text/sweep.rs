//! A knob turned from one end to the other: a table and a chart.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::head;
use crate::render::options::Options;
use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::sweep::Sweep;
use crate::render::units;
use crate::render::units::range;
use kubectl_hpa_core::model::Replicas;
use kubectl_hpa_core::whatif::{Point, Undecided, Unsettled};

/// Writes a sweep for people.
///
/// # Errors
/// Those of the writer.
pub fn sweep(out: &mut dyn Write, sweep: &Sweep<'_>, options: &Options) -> io::Result<()> {
    let mut page = Page::new(options.style());
    head::subject(&mut page, sweep.now);
    if !sweep.changes.is_empty() {
        page.note("Changed", Role::Plain, &sweep.changes.join(" "));
    }
    page.title("Sweep", &beside(sweep));
    if let [_, inner] = sweep.axes {
        page.table(&matrix(sweep, &inner.values));
    } else {
        let room = page.width().saturating_sub(52).clamp(8, 60);
        page.table(&chart(sweep, room));
    }
    let mut problems: Vec<String> = sweep
        .points
        .iter()
        .filter_map(|point| point.replicas.as_ref().err())
        .map(ToString::to_string)
        .collect();
    problems.dedup();
    for problem in problems.iter().take(3) {
        page.note("No decision", Role::Holds, problem);
    }
    if let Some(why) = unsettled(sweep).filter(|_| sweep.axes.len() == 1) {
        page.note("Settles", Role::Quiet, &format!("? is not known: {why}"));
    }
    page.write(out)
}

/// Why it cannot be said where the replicas settle, each reason once.
fn unsettled(sweep: &Sweep<'_>) -> Option<String> {
    let reasons: BTreeSet<Unsettled> = sweep.points.iter().filter_map(|point| point.settles?.err()).collect();
    let words = |reason: &Unsettled| match reason {
        Unsettled::Pods => "not every pod counts yet, or there are more or fewer pods than replicas",
        Unsettled::Memory => "it depends on the controller's memory",
        Unsettled::Never => "the replicas go on changing",
    };
    let words: Vec<&str> = reasons.iter().map(words).collect();
    (!words.is_empty()).then(|| words.join("; or "))
}

/// Where today's replicas stay.
fn beside(sweep: &Sweep<'_>) -> String {
    let names: Vec<&str> = sweep.axes.iter().map(|axis| axis.name.as_str()).collect();
    let names = names.join(" by ");
    let mut counts = sweep.points.iter().map(|point| point.current);
    let Some(Some(current)) = counts.next().filter(|first| counts.all(|other| other == *first)) else {
        return names;
    };
    let count = units::replicas(current.0);
    let same: Vec<String> =
        sweep.points.iter().filter(|point| stays(point)).map(|it| it.values.join(" ")).collect();
    let is_open = |point: &Point| match &point.replicas {
        Ok((low, high)) => low != high && (*low..=*high).contains(&current),
        Err(why) => *why == Undecided::Unknown,
    };
    let stay = if current.0 == 1 { "stays" } else { "stay" };
    match (sweep.axes, same.as_slice()) {
        ([_], []) if sweep.points.iter().any(is_open) => {
            format!("{names}; it is not known which values keep {count} at the next sync")
        }
        ([_], []) => format!("{names}; no value keeps {count} at the next sync"),
        ([_], [only]) => format!("{names}; {count} {stay} at the next sync with {only}"),
        ([_], [first, .., last]) => {
            format!("{names}; {count} {stay} at the next sync with {first} to {last}")
        }
        _ => format!("{names}; {count} now"),
    }
}

/// Whether the replicas stay as they are there.
fn stays(point: &Point) -> bool {
    point.current.is_some_and(|current| point.replicas == Ok((current, current)))
}

/// A bar ends where the replicas settle. Where that is not known, a light one shows those after the next sync.
fn chart(sweep: &Sweep<'_>, room: usize) -> Table {
    let columns = [
        ("VALUE", Align::Right),
        ("NEXT SYNC", Align::Right),
        ("SETTLES", Align::Right),
        ("", Align::Left),
        ("", Align::Left),
    ];
    let mut table = Table::new(columns);
    let all = sweep.points.iter().filter_map(|point| Some(drawn(point)?.0.0));
    let most = all.max().unwrap_or(1).max(1);
    for point in sweep.points {
        let value = Cell::from(point.values.join(" "));
        match (&point.replicas, drawn(point)) {
            (Ok(next), Some((end, is_settled))) => {
                let stays = point.current == Some(end) && (is_settled || stays(point));
                let role = if stays { Role::Answer } else { Role::Plain };
                let bar = if is_settled { "█" } else { "░" }.repeat(length(end.0, most, room));
                let mark = Cell::new(Role::Quiet, if stays { "← stays" } else { "" });
                let next = Cell::new(role, range(*next));
                table.row([value, next, settles(point), Cell::new(role, bar), mark]);
            }
            _ => table.row([value, Cell::new(Role::Holds, "–")]),
        }
    }
    table
}

/// Where a bar ends, and whether the replicas settle there.
fn drawn(point: &Point) -> Option<(Replicas, bool)> {
    let (_, highest) = point.replicas.as_ref().ok()?;
    Some(point.settles.and_then(Result::ok).map_or((*highest, false), |settles| (settles, true)))
}

/// Where the replicas settle.
fn settles(point: &Point) -> Cell {
    match point.settles {
        Some(Ok(settles)) => Cell::from(settles.0.to_string()),
        _ => Cell::new(Role::Quiet, "?"),
    }
}

/// A bar's length; what is more than nothing is seen.
pub(super) fn length(replicas: i32, most: i32, room: usize) -> usize {
    let (replicas, most) = (i64::from(replicas.max(0)), i64::from(most));
    let room = i64::try_from(room).unwrap_or(8);
    let length = if replicas == 0 { 0 } else { (replicas * room / most).max(1) };
    usize::try_from(length).unwrap_or_default()
}

/// A row for each value of the first axis, a column for each of the second.
fn matrix(sweep: &Sweep<'_>, inner: &[String]) -> Table {
    let columns = std::iter::repeat_n(("", Align::Right), inner.len() + 1);
    let mut table = Table::new(columns);
    let heads = inner.iter().map(|value| Cell::from(value.as_str()));
    table.heads(std::iter::once(Cell::default()).chain(heads));
    for row in sweep.points.chunks(inner.len().max(1)) {
        let value = row.first().and_then(|point| point.values.first()).cloned().unwrap_or_default();
        let cells = row.iter().map(|point| match &point.replicas {
            Ok(it) if stays(point) => Cell::new(Role::Answer, range(*it)),
            Ok(it) => Cell::from(range(*it)),
            Err(_) => Cell::new(Role::Holds, "–"),
        });
        table.row(std::iter::once(Cell::new(Role::Quiet, value)).chain(cells));
    }
    table
}

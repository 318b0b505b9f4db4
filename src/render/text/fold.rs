//! Folding a ledger: rows that are alike become a count.

use super::passes::Passes;
use crate::render::options::{Options, Rows};
use crate::render::page::{Cell, Role};
use crate::render::units::Unit;
use kubectl_hpa_core::model::Milli;
use kubectl_hpa_core::snapshot::Pod;
use kubectl_hpa_core::trace::{Code, GroupedPod};

/// Up to so many rows are shown unless they are alike.
const ROWS: usize = 10;
/// From a longer ledger so many of each group.
const EACH: usize = 3;

/// One pod, or several that were folded.
pub(super) struct Row<'a> {
    pub rank: u8,
    pub name: &'a str,
    pub group: &'static str,
    pub code: Code,
    pub request: Option<Milli>,
    pub sample: Option<Milli>,
    pub first: Option<Milli>,
    pub second: Option<Milli>,
    /// The pod that it is about; `None` of a sample without one.
    pub pod: Option<(&'a GroupedPod, &'a Pod)>,
}

/// What the row of one pod says besides. Of the many that are folded nobody asks.
#[derive(Default)]
pub(super) struct Remarks {
    pub age: String,
    pub why: String,
}

/// A row of the table: a pod as it is, or pods folded together.
pub(super) enum Entry<'a> {
    Pod(Row<'a>),
    Folded(Vec<Row<'a>>),
}

/// Folds sorted rows; more of them where there are several ledgers.
pub(super) fn fold<'a>(rows: Vec<Row<'a>>, several: bool, shown: Rows) -> Vec<Entry<'a>> {
    let long = several || rows.len() > ROWS;
    let mut groups: Vec<Vec<Row<'a>>> = Vec::new();
    for row in rows {
        match groups.last_mut().filter(|group| group.last().is_some_and(|last| belongs(last, &row, long))) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups.into_iter().flat_map(|group| fold_group(group, shown)).collect()
}

/// Whether two neighbors fold: in a short ledger only if they are alike in all that counts.
fn belongs(last: &Row<'_>, row: &Row<'_>, long: bool) -> bool {
    let same_group = last.rank == row.rank && last.code == row.code;
    same_group && (long || is_alike(last, row))
}

fn is_alike(one: &Row<'_>, other: &Row<'_>) -> bool {
    (one.request, one.sample, one.first, one.second)
        == (other.request, other.sample, other.first, other.second)
}

fn fold_group(mut group: Vec<Row<'_>>, shown: Rows) -> Vec<Entry<'_>> {
    let alike = group.windows(2).all(|pair| matches!(pair, [one, other] if is_alike(one, other)));
    let kept = if alike { 1 } else { EACH };
    if shown == Rows::All || group.len() < kept + 2 {
        return group.into_iter().map(Entry::Pod).collect();
    }
    group.sort_by_key(|row| std::cmp::Reverse(row.sample));
    let folded = group.split_off(kept);
    group.into_iter().map(Entry::Pod).chain([Entry::Folded(folded)]).collect()
}

impl<'a> Entry<'a> {
    pub fn cells(
        &self,
        unit: Unit,
        passes: &Passes<'_>,
        options: &Options,
        remarks: impl Fn(&Row<'a>) -> Remarks,
    ) -> [Cell; 9] {
        match self {
            Self::Pod(row) => pod(row, &remarks(row), unit, passes, options),
            Self::Folded(rows) => folded(rows, unit, passes),
        }
    }
}

fn pod(row: &Row<'_>, remarks: &Remarks, unit: Unit, passes: &Passes<'_>, options: &Options) -> [Cell; 9] {
    let sample =
        row.sample.map(|sample| if options.is_wide() { unit.raw(sample) } else { unit.human(sample) });
    [
        Cell::from(row.name),
        Cell::new(role(row), row.group),
        row.request.map_or_else(Cell::default, |request| Cell::from(unit.human(request))),
        sample.map_or_else(|| Cell::new(Role::Quiet, "–"), Cell::from),
        Cell::new(Role::Quiet, remarks.age.as_str()),
        if passes.plain { Cell::default() } else { amount(unit, row.first) },
        if passes.has_second() { amount(unit, row.second) } else { Cell::default() },
        if options.is_wide() { Cell::new(Role::Quiet, row.code.as_str()) } else { Cell::default() },
        Cell::from(remarks.why.as_str()),
    ]
}

fn role(row: &Row<'_>) -> Role {
    match row.rank {
        0..=2 => Role::Holds,
        _ => Role::Plain,
    }
}

fn folded(rows: &[Row<'_>], unit: Unit, passes: &Passes<'_>) -> [Cell; 9] {
    let each = rows.windows(2).all(|pair| matches!(pair, [one, other] if is_alike(one, other)));
    let name =
        if each { format!("… {} more, each", rows.len()) } else { format!("… {} more", rows.len()) };
    let quiet = |text: String| Cell::new(Role::Quiet, text);
    let of = |value: fn(&Row<'_>) -> Option<Milli>| quiet(range(rows, unit, value));
    let first = if passes.plain { Cell::default() } else { of(|row| row.first) };
    let second = if passes.has_second() { of(|row| row.second) } else { Cell::default() };
    let total = if each { String::new() } else { total(rows, unit, passes) };
    [
        quiet(name),
        quiet(rows.first().map_or_else(String::new, |row| row.group.to_owned())),
        of(|row| row.request),
        of(|row| row.sample),
        Cell::default(),
        first,
        second,
        Cell::default(),
        quiet(total),
    ]
}

/// From the smallest to the largest, or the one that all have.
fn range(rows: &[Row<'_>], unit: Unit, value: fn(&Row<'_>) -> Option<Milli>) -> String {
    let values: Vec<Milli> = rows.iter().filter_map(value).collect();
    match (values.iter().min(), values.iter().max()) {
        (Some(least), Some(most)) if least == most => unit.human(*least),
        (Some(least), Some(most)) => format!("{}–{}", unit.human(*least), unit.human(*most)),
        (None, _) | (_, None) => String::new(),
    }
}

/// What the folded rows add to the sums.
fn total(rows: &[Row<'_>], unit: Unit, passes: &Passes<'_>) -> String {
    let sum =
        |value: fn(&Row<'_>) -> Option<Milli>| rows.iter().filter_map(value).fold(Milli(0), Milli::plus);
    let first = unit.human(sum(|row| row.first));
    if passes.has_second() {
        let second = unit.human(sum(|row| row.second));
        if first == second {
            format!("{first} in total, in both columns")
        } else {
            format!("{first} in total measured, {second} with guesses")
        }
    } else {
        format!("{first} in total")
    }
}

/// A dash for what is not there.
fn amount(unit: Unit, amount: Option<Milli>) -> Cell {
    amount.map_or_else(|| Cell::new(Role::Quiet, "–"), |amount| Cell::from(unit.human(amount)))
}

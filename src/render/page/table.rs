//! Columns without lines: heads, rows, and the sums under their columns.

use super::fit::{elide, wrap};
use super::line::{Line, width};
use super::{Glyphs, Role, sanitize};

/// The gap between two columns.
const GAP: usize = 2;
/// The least of a name beside remarks.
const READABLE: usize = 24;
/// The least that a name is ever squeezed to.
const LEAST: usize = 8;
/// How far in a remark stands below its row.
const BELOW: usize = 4;

/// How a column is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::render) enum Align {
    /// Text: from the left, never squeezed.
    Left,
    /// Numbers: from the right, never squeezed.
    Right,
    /// Names: from the left; the middle is left out where they do not fit.
    Name,
    /// Remarks: from the left; below their rows where they do not fit.
    Remark,
}

/// One cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::render) struct Cell {
    text: String,
    role: Role,
}

impl Cell {
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { text: text.into(), role }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::new(Role::Plain, text)
    }
}

/// A table. Columns in which no row has anything are left out.
#[derive(Clone, Debug, Default)]
pub(in crate::render) struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub fn new(columns: impl IntoIterator<Item = (&'static str, Align)>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The lines, at most so many columns wide. Remarks that do not fit beside their rows stand below them; where
    /// even squeezed names do not help, each row is told as a text.
    pub fn lay_out(&self, glyphs: Glyphs, indent: usize, columns: usize) -> Vec<Line> {
        let shown = self.shown(glyphs);
        let alignments = self.alignments();
        let (widths, fits) = squeezed(natural(&shown), &alignments, columns.saturating_sub(indent));
        if total(&widths) > columns.saturating_sub(indent) {
            return records(glyphs, &shown, &alignments, indent, columns);
        }
        let beside = |align: &Align| fits || *align != Align::Remark;
        let mut lines = Vec::new();
        let has_heads = self.columns.iter().any(|(head, _)| !head.is_empty());
        for (place, row) in shown.iter().enumerate().skip(usize::from(!has_heads)) {
            let kept = row.iter().zip(&widths).zip(&alignments).filter(|(_, align)| beside(align));
            let cells = kept.map(|((cell, room), align)| (cell, *room, *align));
            lines.push(line(glyphs, indent, cells));
            let below = row.iter().zip(&alignments).filter(|(_, align)| place > 0 && !beside(align));
            for text in
                below.flat_map(|(cell, _)| below_lines(glyphs, cell, columns.saturating_sub(indent + BELOW)))
            {
                lines.push(Line::default().padded(indent + BELOW).and(glyphs, Role::Quiet, &text));
            }
        }
        lines
    }

    /// Heads and rows, safe and in the screen's glyphs; columns without content are gone.
    fn shown(&self, glyphs: Glyphs) -> Vec<Vec<Cell>> {
        let kept: Vec<usize> = (0..self.columns.len()).filter(|column| self.is_used(*column)).collect();
        let safe = |cell: &Cell| Cell::new(cell.role, glyphs.show(&sanitize(&cell.text)).into_owned());
        let heads = self.columns.iter().map(|(head, _)| Cell::new(Role::Quiet, *head)).collect::<Vec<_>>();
        let all = std::iter::once(&heads).chain(&self.rows);
        let pick = |row: &Vec<Cell>| {
            kept.iter().map(|column| row.get(*column).map(safe).unwrap_or_default()).collect()
        };
        all.map(pick).collect()
    }

    fn is_used(&self, column: usize) -> bool {
        self.rows.iter().any(|row| row.get(column).is_some_and(|cell| !cell.text.is_empty()))
    }

    fn alignments(&self) -> Vec<Align> {
        let used = self.columns.iter().enumerate().filter(|(column, _)| self.is_used(*column));
        used.map(|(_, (_, align))| *align).collect()
    }
}

/// Each row as a text: its first cell, then each other one with its head.
fn records(
    glyphs: Glyphs,
    shown: &[Vec<Cell>],
    alignments: &[Align],
    indent: usize,
    columns: usize,
) -> Vec<Line> {
    let Some((heads, rows)) = shown.split_first() else { return Vec::new() };
    let mut lines = Vec::new();
    for row in rows {
        let told = heads.iter().zip(alignments).zip(row).skip(1).filter(|(_, cell)| !cell.text.is_empty());
        let rest: Vec<String> = told
            .map(|((head, align), cell)| match align {
                Align::Remark => cell.text.clone(),
                Align::Left | Align::Right | Align::Name if head.text.is_empty() => cell.text.clone(),
                Align::Left | Align::Right | Align::Name => {
                    format!("{} {}", head.text.to_lowercase(), cell.text)
                }
            })
            .collect();
        let name = row.first().map_or("", |cell| &cell.text);
        let text = if rest.is_empty() { name.to_owned() } else { format!("{name}: {}", rest.join(", ")) };
        let role = row.iter().map(|cell| cell.role).find(|role| *role != Role::Plain).unwrap_or_default();
        for (place, text) in wrap(glyphs, &text, columns.saturating_sub(indent + 2)).into_iter().enumerate() {
            let start = if place == 0 { indent } else { indent + 2 };
            lines.push(Line::default().padded(start).and(glyphs, role, &text));
        }
    }
    lines
}

fn line<'a>(glyphs: Glyphs, indent: usize, cells: impl Iterator<Item = (&'a Cell, usize, Align)>) -> Line {
    let mut line = Line::default().padded(indent);
    for (cell, room, align) in cells {
        let text = elide(glyphs, &cell.text, room);
        let end = line.width() + room + GAP;
        let missing = if align == Align::Right { room.saturating_sub(width(&text)) } else { 0 };
        let before = line.width() + missing;
        line = line.padded(before).and(glyphs, cell.role, &text).padded(end);
    }
    line
}

fn below_lines(glyphs: Glyphs, cell: &Cell, columns: usize) -> Vec<String> {
    if cell.text.is_empty() { Vec::new() } else { wrap(glyphs, &cell.text, columns) }
}

fn natural(shown: &[Vec<Cell>]) -> Vec<usize> {
    let columns = shown.first().map_or(0, Vec::len);
    let widest =
        |column: usize| shown.iter().filter_map(|row| row.get(column)).map(|cell| width(&cell.text)).max();
    (0..columns).map(|column| widest(column).unwrap_or_default()).collect()
}

/// Takes what is too much from the names: down to a readable rest with the remarks beside them, further down with
/// the remarks below. Says whether the remarks fit.
fn squeezed(widths: Vec<usize>, alignments: &[Align], columns: usize) -> (Vec<usize>, bool) {
    let is_remark = |align: &Align| *align == Align::Remark;
    let with_remarks = squeeze_names(widths.clone(), alignments, columns, READABLE);
    if total(&with_remarks) <= columns || !alignments.iter().any(is_remark) {
        return (squeeze_names(with_remarks, alignments, columns, LEAST), true);
    }
    let bare =
        widths.into_iter().zip(alignments).map(|(width, align)| if is_remark(align) { 0 } else { width });
    (squeeze_names(bare.collect(), alignments, columns, LEAST), false)
}

fn squeeze_names(mut widths: Vec<usize>, alignments: &[Align], columns: usize, least: usize) -> Vec<usize> {
    let mut excess = total(&widths).saturating_sub(columns);
    for (width, _) in widths.iter_mut().zip(alignments).filter(|(_, align)| **align == Align::Name) {
        let taken = excess.min(width.saturating_sub(least));
        *width -= taken;
        excess -= taken;
    }
    widths
}

/// Columns and gaps; one that is empty has no gap.
fn total(widths: &[usize]) -> usize {
    widths.iter().filter(|width| **width > 0).map(|width| width + GAP).sum::<usize>().saturating_sub(GAP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::page::Paint;

    fn show(table: &Table, columns: usize) -> Vec<String> {
        let lines = table.lay_out(Glyphs::Unicode, 2, columns);
        lines.iter().map(|line| line.paint(Paint::Plain)).collect()
    }

    fn ledger() -> Table {
        let columns =
            [("POD", Align::Name), ("GROUP", Align::Left), ("PASS", Align::Right), ("WHY", Align::Remark)];
        let mut table = Table::new(columns);
        table.row(["checkout-7f9c6d5b4-x2k9p", "ready", "90m", ""].map(Cell::from));
        table.row(["checkout-7f9c6d5b4-zzz11", "missing", "–", "no sample; started 60s ago"].map(Cell::from));
        table.row(["sum", "", "270m", ""].map(Cell::from));
        table
    }

    #[test]
    fn sums_stand_under_their_columns() {
        let expected = [
            "  POD                       GROUP    PASS  WHY",
            "  checkout-7f9c6d5b4-x2k9p  ready     90m",
            "  checkout-7f9c6d5b4-zzz11  missing     –  no sample; started 60s ago",
            "  sum                                270m",
        ];
        assert_eq!(show(&ledger(), 80), expected);
    }

    #[test]
    fn remarks_go_below_on_a_narrow_screen_and_names_lose_their_middle() {
        let expected = [
            "  POD           GROUP    PASS",
            "  chec…4-x2k9p  ready     90m",
            "  chec…4-zzz11  missing     –",
            "      no sample; started 60s",
            "      ago",
            "  sum                    270m",
        ];
        assert_eq!(show(&ledger(), 29), expected);
        assert!(show(&ledger(), 69)[2].ends_with("no sample; started 60s ago"));
    }

    #[test]
    fn where_no_column_fits_each_row_is_a_text() {
        let expected = [
            "  checkout-7f9c6d",
            "    5b4-x2k9p:",
            "    group ready,",
            "    pass 90m",
            "  checkout-7f9c6d",
            "    5b4-zzz11:",
            "    group missing,",
            "    pass –, no",
            "    sample; started",
            "    60s ago",
            "  sum: pass 270m",
        ];
        assert_eq!(show(&ledger(), 19), expected);
    }

    #[test]
    fn empty_columns_are_left_out() {
        let mut table = Table::new([("POD", Align::Name), ("WHY", Align::Remark)]);
        table.row(["web-1", ""].map(Cell::from));
        assert_eq!(show(&table, 80), ["  POD", "  web-1"]);
    }
}

//! Columns without lines: heads, rows, and the sums under their columns.

use super::fit::{elide, shorten};
use super::line::{Line, width};
use super::{Glyphs, Role, sanitize};

/// The gap between two columns.
const GAP: usize = 2;

/// How a column is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::render) enum Align {
    /// Text: from the left, never squeezed.
    Left,
    /// Numbers: from the right, never squeezed.
    Right,
    /// Names: from the left; the middle is left out where they do not fit.
    Name,
    /// Remarks: from the left; the end is left out where they do not fit.
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

    /// The lines, at most so many columns wide where names and remarks can be squeezed enough.
    pub fn lay_out(&self, glyphs: Glyphs, indent: usize, columns: usize) -> Vec<Line> {
        let shown = self.shown(glyphs);
        let widths = squeezed(natural(&shown), &self.alignments(&shown), columns.saturating_sub(indent));
        let lines = shown.iter().map(|row| self.line(glyphs, indent, row, &widths));
        lines.collect()
    }

    /// Heads and rows, safe and in the screen's glyphs; columns without content are gone.
    fn shown(&self, glyphs: Glyphs) -> Vec<Vec<(usize, Cell)>> {
        let used = |column: usize| self.rows.iter().any(|row| row.get(column).is_some_and(|cell| !cell.text.is_empty()));
        let kept: Vec<usize> = (0..self.columns.len()).filter(|column| used(*column)).collect();
        let safe = |cell: &Cell| Cell::new(cell.role, glyphs.show(&sanitize(&cell.text)).into_owned());
        let heads = self.columns.iter().map(|(head, _)| Cell::new(Role::Quiet, *head)).collect::<Vec<_>>();
        let all = std::iter::once(&heads).chain(&self.rows);
        let pick = |row: &Vec<Cell>| {
            kept.iter().map(|column| (*column, row.get(*column).map(safe).unwrap_or_default())).collect()
        };
        all.map(pick).collect()
    }

    fn alignments(&self, shown: &[Vec<(usize, Cell)>]) -> Vec<Align> {
        let columns = shown.first().into_iter().flatten();
        columns.filter_map(|(column, _)| Some(self.columns.get(*column)?.1)).collect()
    }

    fn line(&self, glyphs: Glyphs, indent: usize, row: &[(usize, Cell)], widths: &[usize]) -> Line {
        let mut line = Line::default().padded(indent);
        for ((column, cell), room) in row.iter().zip(widths) {
            let align = self.columns.get(*column).map_or(Align::Left, |(_, align)| *align);
            let text = match align {
                Align::Left | Align::Right => cell.text.clone(),
                Align::Name => elide(glyphs, &cell.text, *room),
                Align::Remark => shorten(glyphs, &cell.text, *room),
            };
            let missing = room.saturating_sub(width(&text));
            let end = line.width() + room + GAP;
            let before = if align == Align::Right { line.width() + missing } else { line.width() };
            line = line.padded(before).and(glyphs, cell.role, &text).padded(end);
        }
        line
    }
}

fn natural(shown: &[Vec<(usize, Cell)>]) -> Vec<usize> {
    let columns = shown.first().map_or(0, Vec::len);
    let widest = |column: usize| shown.iter().filter_map(|row| row.get(column)).map(|(_, cell)| width(&cell.text)).max();
    (0..columns).map(|column| widest(column).unwrap_or_default()).collect()
}

/// Takes what is too much from long remarks first, then from names, then from what is left of the remarks.
fn squeezed(mut widths: Vec<usize>, alignments: &[Align], columns: usize) -> Vec<usize> {
    for (squeezable, least) in [(Align::Remark, 36), (Align::Name, 16), (Align::Remark, 16), (Align::Name, 8)] {
        let total: usize = widths.iter().map(|width| width + GAP).sum();
        let mut excess = total.saturating_sub(GAP).saturating_sub(columns);
        for (width, _) in widths.iter_mut().zip(alignments).filter(|(_, align)| **align == squeezable) {
            let taken = excess.min(width.saturating_sub(least));
            *width -= taken;
            excess -= taken;
        }
    }
    widths
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
        let columns = [("POD", Align::Name), ("GROUP", Align::Left), ("PASS", Align::Right), ("WHY", Align::Remark)];
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
    fn remarks_and_names_give_way_to_a_narrow_screen() {
        let lines = show(&ledger(), 58);
        assert_eq!(lines[2], "  check…b4-zzz11    missing     –  no sample; started 60s…".replace("b4-zzz11   ", "5b4-zzz11 "));
        assert!(lines.iter().all(|line| width(line) <= 58), "{lines:#?}");
    }

    #[test]
    fn empty_columns_are_left_out() {
        let mut table = Table::new([("POD", Align::Name), ("WHY", Align::Remark)]);
        table.row(["web-1", ""].map(Cell::from));
        assert_eq!(show(&table, 80), ["  POD", "  web-1"]);
    }
}

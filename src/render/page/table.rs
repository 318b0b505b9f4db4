//! Tables: heads, rows, the sums under their columns, and remarks beside or below.

use super::cell::{Align, Cell};
use super::clip::clipped;
use super::grid::Grid;
use super::line::Line;
use super::shown::Shown;
use super::{Glyphs, Role, markup, sanitize};

/// A table. Columns in which no row has anything are left out.
#[derive(Clone, Debug, Default)]
pub(in crate::render) struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<Cell>>,
    /// Whether the first row is one of heads.
    has_own_heads: bool,
}

impl Table {
    pub fn new(columns: impl IntoIterator<Item = (&'static str, Align)>) -> Self {
        Self { columns: columns.into_iter().collect(), ..Self::default() }
    }

    /// A first row of heads that are known only now.
    pub fn heads(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.row(cells.into_iter().map(|cell| Cell::new(Role::Quiet, cell.text)));
        self.has_own_heads = true;
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The lines, at most so many columns wide. Remarks that do not fit beside their rows stand below them; where
    /// even short names do not help, each row is told as a text.
    pub fn lay_out(&self, glyphs: Glyphs, indent: usize, columns: usize) -> Vec<Line> {
        let shown = self.shown(glyphs);
        let beside = || shown.beside(indent, columns);
        beside().or_else(|| shown.below(indent, columns)).unwrap_or_else(|| shown.records(indent, columns))
    }

    /// Whether all columns can be shown side by side, with names that can be read.
    pub fn is_readable(&self, glyphs: Glyphs, indent: usize, columns: usize) -> bool {
        self.shown(glyphs).beside(indent, columns).is_some()
    }

    /// Whether every name can be shown whole, with all columns side by side.
    pub fn is_whole(&self, glyphs: Glyphs, indent: usize, columns: usize) -> bool {
        let shown = self.shown(glyphs);
        let room = columns.saturating_sub(indent);
        Grid::fit(glyphs, room, usize::MAX, &shown.alignments, shown.all().cloned().collect()).is_some()
    }

    /// As elements of HTML, with remarks where a screen of so many columns has them; `section` is what it is called.
    pub fn html(&self, glyphs: Glyphs, columns: usize, section: &str) -> String {
        let shown = self.shown(glyphs);
        let has_room = shown.beside(0, columns).is_some();
        markup::table(&shown, has_room, section)
    }

    /// The shown part: safe, in the screen's glyphs, and without columns that have no content.
    fn shown(&self, glyphs: Glyphs) -> Shown {
        let used: Vec<usize> = (0..self.columns.len()).filter(|column| self.is_used(*column)).collect();
        let safe =
            |cell: &Cell| Cell::new(cell.role, glyphs.show(&sanitize(&clipped(&cell.text))).into_owned());
        let pick = |row: &Vec<Cell>| {
            used.iter().map(|column| row.get(*column).map(safe).unwrap_or_default()).collect()
        };
        let columns = || used.iter().filter_map(|column| self.columns.get(*column));
        Shown {
            glyphs,
            alignments: columns().map(|(_, align)| *align).collect(),
            heads: columns().map(|(head, _)| Cell::new(Role::Quiet, *head)).collect(),
            rows: self.rows.iter().map(pick).collect(),
            has_own_heads: self.has_own_heads,
        }
    }

    fn is_used(&self, column: usize) -> bool {
        self.rows.iter().any(|row| row.get(column).is_some_and(|cell| !cell.text.is_empty()))
    }
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
            "  checkout-",
            "    7f9c6d5b4-",
            "    x2k9p: group",
            "    ready, pass 90m",
            "  checkout-",
            "    7f9c6d5b4-",
            "    zzz11: group",
            "    missing, pass",
            "    –, no sample;",
            "    started 60s ago",
            "  sum: pass 270m",
        ];
        assert_eq!(show(&ledger(), 19), expected);
    }

    #[test]
    fn sentences_wrap_in_their_column_beside_their_codes() {
        let columns = [("", Align::Ordinal), ("", Align::Text), ("", Align::Text), ("", Align::Remark)];
        let mut table = Table::new(columns);
        table.row(["9", "cpu", "270m of 300m = 90%, 90 / 50 = 1.80", "above-target"].map(Cell::from));
        table.row(["10", "tolerance", "1.80, outside", "outside-tolerance"].map(Cell::from));
        let beside = [
            "   9 cpu        270m of 300m = 90%, 90  above-target",
            "                / 50 = 1.80",
            "  10 tolerance  1.80, outside           outside-tolerance",
        ];
        assert_eq!(show(&table, 60), beside);
        let below = [
            "   9 cpu        270m of 300m = 90%, 90",
            "                / 50 = 1.80",
            "      above-target",
            "  10 tolerance  1.80, outside",
            "      outside-tolerance",
        ];
        assert_eq!(show(&table, 42), below);
    }

    #[test]
    fn a_color_is_that_of_its_cell_alone() {
        let mut table = Table::new([("HPA", Align::Name), ("NOW", Align::Right), ("", Align::Text)]);
        table.row([Cell::from("größe-名前"), Cell::new(Role::Holds, "–"), Cell::from("ok ok")]);
        let lines = table.lay_out(Glyphs::Unicode, 2, 80);
        let row = lines.last().map(|line| line.paint(Paint::Colored));
        assert_eq!(row.as_deref(), Some("  größe-名前    \u{1b}[33m–\u{1b}[0m  ok ok"));
    }

    #[test]
    fn empty_columns_are_left_out() {
        let mut table = Table::new([("POD", Align::Name), ("WHY", Align::Remark)]);
        table.row(["web-1", ""].map(Cell::from));
        assert_eq!(show(&table, 80), ["  POD", "  web-1"]);
    }
}

//! Cells side by side: comfy-table computes their widths, aligns and wraps them.
//!
//! Colors come after it, for it would count them as text: marks between the cells tell where in a line each one is.

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, ContentLineStyle, LineStyle, TableStyle,
};

use super::cell::{Align, Cell};
use super::fit::{bound, elide, spaced};
use super::line::Line;
use super::{Glyphs, Role};

/// Drawn between cells and between rows, to find them again. No cell has such a character: it was made safe before.
const CELLS: char = '\u{1f}';
const ROWS: char = '\u{1e}';
/// Columns of a mark.
const MARK: u16 = 1;
/// Blank columns after a cell, before the mark.
const PADDING: u16 = 1;
/// The least room in which a text is wrapped.
const WRAPPED: u16 = 24;

/// Rows of cells that fit into a room.
pub(super) struct Grid<'a> {
    glyphs: Glyphs,
    room: u16,
    alignments: &'a [Align],
    rows: Vec<Vec<Cell>>,
    table: comfy_table::Table,
}

impl<'a> Grid<'a> {
    /// The rows in a room of so many columns, the middle of names left out down to so many. `None` where that does not
    /// help.
    pub fn fit(
        glyphs: Glyphs,
        room: usize,
        least: usize,
        alignments: &'a [Align],
        rows: Vec<Vec<Cell>>,
    ) -> Option<Self> {
        let room = u16::try_from(room).unwrap_or(u16::MAX);
        let table = laid_out(room, alignments, &rows);
        let mut grid = Self { glyphs, room, alignments, rows, table };
        grid.shorten(Align::Name, least);
        grid.shorten(Align::Reading, least);
        (grid.excess() == 0).then_some(grid)
    }

    /// Takes what is too much from columns, from the widest first.
    fn shorten(&mut self, of: Align, least: usize) {
        let excess = usize::from(self.excess());
        let widths = self.table.column_max_content_widths();
        let shortened = || widths.iter().zip(self.alignments).filter(|(_, align)| **align == of);
        let longest = shortened().map(|(width, _)| usize::from(*width)).max().unwrap_or(0);
        let saved =
            |most: usize| shortened().map(|(it, _)| usize::from(*it).saturating_sub(most)).sum::<usize>();
        let most = (least..=longest).rev().find(|most| saved(*most) >= excess).unwrap_or(least);
        if most >= longest {
            return;
        }
        for row in &mut self.rows {
            for (cell, _) in row.iter_mut().zip(self.alignments).filter(|(_, align)| **align == of) {
                cell.text = elide(self.glyphs, &cell.text, most);
            }
        }
        self.table = laid_out(self.room, self.alignments, &self.rows);
    }

    /// By how much the columns are too wide with every text wrapped as far as it may be.
    fn excess(&self) -> u16 {
        let widths = self.table.column_max_content_widths();
        let columns = self.table.column_iter().zip(self.alignments).zip(widths);
        let taken = columns.map(|((column, align), width)| {
            let width = if *align == Align::Text { width.min(WRAPPED) } else { width };
            width.saturating_add(column.padding_width() + MARK)
        });
        taken.fold(0, u16::saturating_add).saturating_sub(MARK).saturating_sub(self.room)
    }

    /// The lines of each row.
    pub fn lines(&self, indent: usize) -> Vec<Vec<Line>> {
        let drawn: Vec<String> = self.table.lines().collect();
        let rows = drawn.split(|line| line.starts_with(ROWS)).zip(&self.rows);
        rows.map(|(lines, row)| lines.iter().map(|line| self.colored(indent, line, row)).collect()).collect()
    }

    fn colored(&self, indent: usize, drawn: &str, row: &[Cell]) -> Line {
        let mut line = Line::default().padded(indent);
        for (drawn, cell) in drawn.split(CELLS).zip(row) {
            let rest = drawn.trim_start_matches(' ');
            let text = rest.trim_end_matches(' ');
            let (before, after) = (drawn.len() - rest.len(), rest.len() - text.len() + 1);
            line = line
                .and(self.glyphs, Role::Plain, &" ".repeat(before))
                .and(self.glyphs, cell.role, &spaced(text))
                .and(self.glyphs, Role::Plain, &" ".repeat(after));
        }
        line
    }
}

fn laid_out(room: u16, alignments: &[Align], rows: &[Vec<Cell>]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(
        TableStyle::new()
            .content_lines(ContentLineStyle::none().junction(CELLS))
            .row_separator(LineStyle::none().fill(ROWS)),
    );
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(room);
    for row in rows {
        let cells = row.iter().map(|cell| bound(&cell.text));
        table.add_row(cells.map(comfy_table::Cell::new_owned).collect::<Vec<_>>());
    }
    let last = alignments.len().saturating_sub(1);
    for (place, (column, align)) in table.column_iter_mut().zip(alignments).enumerate() {
        let is_close = place == last || *align == Align::Ordinal;
        column.set_padding((0, if is_close { 0 } else { PADDING }));
        if matches!(align, Align::Right | Align::Ordinal) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        if *align != Align::Text {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table
}

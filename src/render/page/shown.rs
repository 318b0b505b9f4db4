//! A table as it is shown: remarks beside their rows or below them, or each row as a text.

use super::cell::{Align, Cell};
use super::fit::wrap;
use super::grid::Grid;
use super::line::Line;
use super::{Glyphs, Role};

/// The least of a name beside remarks.
const READABLE: usize = 24;
/// The least that a name is ever shortened to.
const LEAST: usize = 8;
/// The indentation of a remark below its row.
const BELOW: usize = 4;

/// The shown part of a table: safe, in the screen's glyphs, and without columns that have no content.
pub(super) struct Shown {
    pub glyphs: Glyphs,
    pub alignments: Vec<Align>,
    pub heads: Vec<Cell>,
    pub rows: Vec<Vec<Cell>>,
    pub has_own_heads: bool,
}

impl Shown {
    /// The row of heads, if there is one, and the others.
    pub fn split(&self) -> (Option<&Vec<Cell>>, impl Iterator<Item = &Vec<Cell>>) {
        let mut all = self.all();
        let has_heads = self.has_own_heads || self.all().count() > self.rows.len();
        (has_heads.then(|| all.next()).flatten(), all)
    }

    /// Heads, where there are any, and rows.
    pub fn all(&self) -> impl Iterator<Item = &Vec<Cell>> {
        self.heads
            .iter()
            .any(|head| !head.text.is_empty())
            .then_some(&self.heads)
            .into_iter()
            .chain(&self.rows)
    }

    /// With the remarks in a column.
    pub fn beside(&self, indent: usize, columns: usize) -> Option<Vec<Line>> {
        if self.alignments.contains(&Align::Below) {
            return None;
        }
        let room = columns.saturating_sub(indent);
        let grid = Grid::fit(self.glyphs, room, READABLE, &self.alignments, self.all().cloned().collect())?;
        Some(grid.lines(indent).into_iter().flatten().collect())
    }

    /// With each remark below its row, from side to side.
    pub fn below(&self, indent: usize, columns: usize) -> Option<Vec<Line>> {
        let is_remark = |align: &Align| matches!(align, Align::Remark | Align::Below);
        let alignments: Vec<Align> =
            self.alignments.iter().copied().filter(|align| !is_remark(align)).collect();
        let kept = |row: &Vec<Cell>| {
            row.iter()
                .zip(&self.alignments)
                .filter(|(_, align)| !is_remark(align))
                .map(|it| it.0.clone())
                .collect()
        };
        let room = columns.saturating_sub(indent);
        let grid = Grid::fit(self.glyphs, room, LEAST, &alignments, self.all().map(kept).collect())?;
        let mut lines = Vec::new();
        let heads = self.all().count() - self.rows.len();
        for (place, (cells, row)) in grid.lines(indent).into_iter().zip(self.all()).enumerate() {
            lines.extend(cells);
            let remarks = row.iter().zip(&self.alignments).filter(|(_, align)| is_remark(align));
            let remarks = remarks.filter(|_| place >= heads);
            for (remark, _) in remarks.filter(|(remark, _)| !remark.text.is_empty()) {
                lines.extend(self.paragraph(
                    Role::Quiet,
                    &remark.text,
                    (indent + BELOW, indent + BELOW),
                    columns,
                ));
            }
        }
        Some(lines)
    }

    /// Each row as a text: its first cell, then each other one with its head.
    pub fn records(&self, indent: usize, columns: usize) -> Vec<Line> {
        let record = |row: &Vec<Cell>| {
            let says = |role: &Role| !matches!(role, Role::Plain | Role::Quiet);
            let role = row.iter().map(|cell| cell.role).find(says).unwrap_or_default();
            self.paragraph(role, &self.record(row), (indent, indent + 2), columns)
        };
        self.rows.iter().flat_map(record).collect()
    }

    fn record(&self, row: &[Cell]) -> String {
        let told = self.heads.iter().zip(&self.alignments).zip(row).skip(1);
        let told = told.filter(|(_, cell)| !cell.text.is_empty());
        let rest: Vec<String> = told
            .map(|((head, align), cell)| match align {
                Align::Left | Align::Right | Align::Ordinal | Align::Name | Align::Reading
                    if !head.text.is_empty() =>
                {
                    format!("{} {}", head.text.to_lowercase(), cell.text)
                }
                _ => cell.text.clone(),
            })
            .collect();
        let name = row.first().map_or("", |cell| &cell.text);
        if rest.is_empty() { name.to_owned() } else { format!("{name}: {}", rest.join(", ")) }
    }

    /// A text whose first line and other lines begin at two columns.
    fn paragraph(
        &self,
        role: Role,
        text: &str,
        (first, others): (usize, usize),
        columns: usize,
    ) -> Vec<Line> {
        let texts = wrap(self.glyphs, text, columns.saturating_sub(others));
        let starts = std::iter::once(first).chain(std::iter::repeat(others));
        let line =
            |(text, start): (&String, usize)| Line::default().padded(start).and(self.glyphs, role, text);
        texts.iter().zip(starts).map(line).collect()
    }
}

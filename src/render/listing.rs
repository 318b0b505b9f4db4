//! Plain lists: what there is to choose from.

use std::io::{self, Write};

use super::page::{Align, Cell, Glyphs, Paint, Table};

/// Writes names with their descriptions, the descriptions in one column.
///
/// # Errors
/// Those of the writer.
pub fn listing<'a>(out: &mut dyn Write, rows: impl Iterator<Item = (&'a str, &'a str)>) -> io::Result<()> {
    let mut table = Table::new([("", Align::Left), ("", Align::Left)]);
    rows.for_each(|(name, description)| table.row([name, description].map(Cell::from)));
    write(out, &table, 0)
}

/// Writes names with their numbers, from 1.
///
/// # Errors
/// Those of the writer.
pub fn numbered(out: &mut dyn Write, names: &[String]) -> io::Result<()> {
    let mut table = Table::new([("", Align::Right), ("", Align::Left)]);
    for (place, name) in names.iter().enumerate() {
        table.row([Cell::from((place + 1).to_string()), Cell::from(name.as_str())]);
    }
    write(out, &table, 2)
}

/// Each row in one line, however wide, for programs read lists too.
fn write(out: &mut dyn Write, table: &Table, indent: usize) -> io::Result<()> {
    for line in table.lay_out(Glyphs::Unicode, indent, usize::MAX) {
        writeln!(out, "{}", line.paint(Paint::Plain))?;
    }
    Ok(())
}

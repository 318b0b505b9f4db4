//! Plain lists: what there is to choose from.

use std::io::{self, Write};

/// Writes names with their descriptions, the descriptions in one column.
///
/// # Errors
/// Those of the writer.
pub fn listing<'a>(
    out: &mut dyn Write,
    rows: impl Iterator<Item = (&'a str, &'a str)> + Clone,
) -> io::Result<()> {
    let width = rows.clone().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, description) in rows {
        writeln!(out, "{name:width$}  {description}")?;
    }
    Ok(())
}

//! The line between two screens.

use std::io::{self, Write};

use super::{Glyphs, Options};

/// Writes a line across, with a blank one before it.
///
/// # Errors
/// Those of the writer.
pub fn rule(out: &mut dyn Write, options: &Options) -> io::Result<()> {
    let line = if options.glyphs == Glyphs::Ascii { "-" } else { "─" };
    writeln!(out, "\n{}", line.repeat(options.width))
}

//! Errors, as a person reads them.

use std::io::Write;

use super::apply::Undoable;
use crate::cluster::ClusterError;
use crate::render;
use kubectl_hpa_core::snapshot::{CaseError, LoadError};

/// One line that says what failed; more lines where a place in a file is shown, and a hint where there is one.
pub fn complain(error: &anyhow::Error, err: &mut dyn Write) -> std::io::Result<()> {
    let text = error.chain().map(words).collect::<Vec<_>>().join(": ");
    for (index, line) in text.lines().enumerate() {
        let label = if index == 0 { "error: " } else { "" };
        writeln!(err, "{label}{}", render::sanitize(line))?;
    }
    let hint = error.downcast_ref::<ClusterError>().and_then(ClusterError::hint);
    hint.map_or(Ok(()), |hint| writeln!(err, "hint: {}", render::sanitize(&hint)))
}

/// Only errors about a case, and those with an undo, have lines of their own, and what they quote has none. All else may
/// hold a server's or a plugin's text, no line of which shall look like one of ours.
fn words(error: &(dyn std::error::Error + 'static)) -> String {
    let text = error.to_string();
    if error.is::<LoadError>() || error.is::<CaseError>() || error.is::<Undoable>() {
        return text;
    }
    text.trim_end().replace('\n', "\n  | ")
}

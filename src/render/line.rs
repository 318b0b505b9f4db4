//! A decision in one line, for following it as it changes.

use std::io::{self, Write};

use super::options::Options;
use super::page::{Line, Role};
use super::phrases::answer::answer_line;
use kubectl_hpa_core::explanation::Explanation;

/// Writes the answer in one line: when, of which HPA, what, and why.
///
/// # Errors
/// Those of the writer.
pub fn line(out: &mut dyn Write, explanation: &Explanation, options: &Options) -> io::Result<()> {
    let (key, answer) = (&explanation.snapshot().hpa.key, answer_line(explanation));
    let piece = |role, text: &str| Line::of(options.glyphs, role, text);
    let line = piece(Role::Quiet, &format!("{}  ", explanation.now()))
        .joined(piece(Role::Subject, &format!("{}/{}", key.namespace, key.name)))
        .joined(piece(answer.role, &format!("  {}", answer.left)))
        .joined(piece(Role::Plain, &format!("  {}", answer.right)));
    writeln!(out, "{}", line.paint(options.paint))
}

/// The answer in a few words, for a sentence about it.
#[must_use]
pub fn brief(explanation: &Explanation) -> String {
    let answer = answer_line(explanation);
    format!("{} ({})", answer.left, answer.right)
}

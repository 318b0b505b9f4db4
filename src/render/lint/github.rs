//! Findings as workflow commands of GitHub Actions, which mark the lines of a pull request.

use std::io::{self, Write};

use super::{LintReport, Spot};
use crate::render::page::sanitize;
use kubectl_hpa_core::lint::Severity;
use kubectl_hpa_core::snapshot::Position;

/// Writes one command for each finding, without those that are ignored, and one for each error.
///
/// # Errors
/// Those of the writer.
pub fn lint_github(out: &mut dyn Write, report: &LintReport<'_>) -> io::Result<()> {
    for finding in report.counted() {
        let Some(spot) = Spot::of(report, finding) else { continue };
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let title = property(finding.rule.title());
        let message = data(&format!("{}: {}\nfix: {}", finding.rule, finding.message, finding.help));
        if let Some(file) = spot.file() {
            writeln!(out, "::{command} {},title={title}::{message}", located(file, spot.at))?;
        } else {
            let place = data(&spot.shown(&finding.path));
            writeln!(out, "::{command} title={title}::{place}: {message}")?;
        }
    }
    for error in &report.errors {
        let place = error.place.as_ref().map(|(file, at)| located(file, *at) + ",").unwrap_or_default();
        writeln!(out, "::error {place}title=kubectl hpa lint::{}", data(&error.text))?;
    }
    for text in &report.not_looked_at {
        writeln!(out, "::notice title=kubectl hpa lint::not checked: {}", data(text))?;
    }
    Ok(())
}

/// The place of a command. GitHub knows files by their paths in the repository.
fn located(file: &str, Position { line, column }: Position) -> String {
    format!("file={},line={line},col={column}", property(file.strip_prefix("./").unwrap_or(file)))
}

/// The message of a command (`escapeData` of the runner's toolkit).
fn data(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(sanitize).collect();
    lines.join("\n").replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value of one of its properties (`escapeProperty`).
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(data("100 %\nof: a, b"), "100 %25%0Aof: a, b");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
        assert_eq!(data("\u{1b}[2J::error::x"), "\\u{1b}[2J::error::x");
    }
}

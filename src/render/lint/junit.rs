//! Findings as JUnit's XML.

use std::io::{self, Write};

use super::forms::named;
use super::{LintReport, Spot};
use crate::render::verdict::escaped;
use kubectl_hpa_core::lint::{Finding, Severity};

/// Writes a test case for each HPA without findings and for each finding: errors and warnings fail, notes are output.
///
/// # Errors
/// Those of the writer.
pub fn lint_junit(out: &mut dyn Write, report: &LintReport<'_>) -> io::Result<()> {
    let failures = report.count(Severity::Error) + report.count(Severity::Warning);
    let clean = report.objects.iter().enumerate().filter(|(place, written)| {
        written.is_hpa() && !report.findings.iter().any(|finding| finding.object == *place)
    });
    let clean: Vec<_> = clean.map(|(_, written)| written).collect();
    let tests = clean.len() + report.findings.len() + report.errors.len();
    let (errors, skipped) = (report.errors.len(), report.ignored());
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(
        out,
        r#"<testsuite name="kubectl hpa lint" tests="{tests}" failures="{failures}" errors="{errors}" skipped="{skipped}">"#
    )?;
    for written in clean {
        let (name, file) = (escaped(&named(written)), escaped(&written.source));
        writeln!(out, r#"  <testcase name="{name}" classname="{file}"/>"#)?;
    }
    for finding in report.findings {
        one(out, report, finding)?;
    }
    for error in &report.errors {
        writeln!(out, r#"  <testcase name="read" classname="kubectl hpa lint">"#)?;
        let lines: Vec<String> = error.lines().map(escaped).collect();
        writeln!(out, r#"    <error message="{}"/>"#, lines.join("&#10;"))?;
        writeln!(out, "  </testcase>")?;
    }
    writeln!(out, "</testsuite>")
}

fn one(out: &mut dyn Write, report: &LintReport<'_>, finding: &Finding) -> io::Result<()> {
    let Some(Spot { written, at }) = Spot::of(report, finding) else { return Ok(()) };
    let (file, object) = (escaped(&written.source), escaped(&named(written)));
    let (rule, line) = (finding.rule, at.line);
    let message = escaped(&format!("{}; to fix it: {}", finding.message, finding.help));
    writeln!(out, r#"  <testcase name="{object}: {rule}" classname="{file}" file="{file}" line="{line}">"#)?;
    match (&finding.ignored, finding.severity) {
        (Some(reason), _) => writeln!(out, r#"    <skipped message="{}"/>"#, escaped(reason))?,
        (None, Severity::Info) => writeln!(out, "    <system-out>{message}</system-out>")?,
        (None, severity) => writeln!(out, r#"    <failure type="{severity}" message="{message}"/>"#)?,
    }
    writeln!(out, "  </testcase>")
}

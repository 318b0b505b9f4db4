//! Findings as JUnit's XML.

use std::io::{self, Write};

use super::forms::named;
use super::{LintReport, Spot};
use crate::render::verdict::escaped;
use kubectl_hpa_core::lint::{Finding, Severity};
use kubectl_hpa_core::snapshot::Written;

/// Writes a test case for each HPA without findings and for each finding: errors and warnings fail, infos are output.
///
/// # Errors
/// Those of the writer.
pub fn lint_junit(out: &mut dyn Write, report: &LintReport<'_>) -> io::Result<()> {
    let failures = report.count(Severity::Error) + report.count(Severity::Warning);
    let clean =
        report.subjects.iter().filter(|place| !report.linted.findings.iter().any(|it| it.object == **place));
    let clean: Vec<_> = clean.filter_map(|place| report.objects.get(*place)).collect();
    let tests = clean.len() + report.linted.findings.len() + report.errors.len();
    let (errors, skipped) = (report.errors.len(), report.ignored());
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(
        out,
        r#"<testsuite name="kubectl hpa lint" tests="{tests}" failures="{failures}" errors="{errors}" skipped="{skipped}">"#
    )?;
    for written in clean {
        let (name, class) = (escaped(&named(written)), class(written));
        writeln!(out, r#"  <testcase name="{name}" classname="{class}"/>"#)?;
    }
    for finding in &report.linted.findings {
        one(out, report, finding)?;
    }
    for error in &report.errors {
        let place = error.place.as_ref().map(|(file, at)| {
            let file = escaped(file);
            format!(r#" file="{file}" line="{}""#, at.line)
        });
        let place = place.unwrap_or_default();
        writeln!(out, r#"  <testcase name="read" classname="kubectl hpa lint"{place}>"#)?;
        let lines: Vec<String> = error.text.lines().map(escaped).collect();
        writeln!(out, r#"    <error message="{}"/>"#, lines.join("&#10;"))?;
        writeln!(out, "  </testcase>")?;
    }
    for text in &report.not_looked_at {
        writeln!(out, "  <system-out>not checked: {}</system-out>", escaped(text))?;
    }
    writeln!(out, "</testsuite>")
}

/// The file, or the namespace of what was read from a cluster.
fn class(written: &Written) -> String {
    let file = Some(written.source.as_str()).filter(|source| !source.is_empty());
    escaped(file.unwrap_or_else(|| written.text("/metadata/namespace")))
}

fn one(out: &mut dyn Write, report: &LintReport<'_>, finding: &Finding) -> io::Result<()> {
    let Some(spot) = Spot::of(report, finding) else { return Ok(()) };
    let (file, Spot { written, at }) = (spot.file(), spot);
    let (class, object) = (class(written), escaped(&named(written)));
    let rule = finding.rule;
    let message = escaped(&format!("{}; to fix it: {}", finding.message, finding.help));
    let place = match file {
        Some(_) => format!(r#" file="{class}" line="{}""#, at.line),
        None => String::new(),
    };
    writeln!(out, r#"  <testcase name="{object}: {rule}" classname="{class}"{place}>"#)?;
    match (&finding.ignored, finding.severity) {
        (Some(reason), _) => writeln!(out, r#"    <skipped message="{}"/>"#, escaped(reason))?,
        (None, Severity::Info) => writeln!(out, "    <system-out>{message}</system-out>")?,
        (None, severity) => writeln!(out, r#"    <failure type="{severity}" message="{message}"/>"#)?,
    }
    writeln!(out, "  </testcase>")
}

//! A line for each finding, as compilers write them, with the line of the file that it is about: editors jump to it.

use std::io::{self, Write};

use super::forms::{live, named};
use super::{LintReport, Spot};
use crate::render::options::Options;
use crate::render::page::{Line, Role};
use crate::render::units::count;
use crate::render::view::yaml_lines;
use kubectl_hpa_core::lint::{Finding, Linted, Severity};

/// Writes the findings for people, those that are ignored only as a count.
///
/// # Errors
/// Those of the writer.
pub fn lint(out: &mut dyn Write, report: &LintReport<'_>, options: &Options) -> io::Result<()> {
    let mut last = None;
    for finding in report.counted() {
        let Some(spot) = Spot::of(report, finding) else { continue };
        let place = spot.file().map_or_else(|| live(spot.written), str::to_owned);
        if last.as_ref().is_some_and(|last| *last != place) {
            writeln!(out)?;
        }
        last = Some(place);
        one(out, report, finding, &spot, options)?;
    }
    if last.is_some() {
        writeln!(out)?;
    }
    writeln!(out, "{}", summary(report))
}

fn one(
    out: &mut dyn Write,
    report: &LintReport<'_>,
    finding: &Finding,
    spot: &Spot<'_>,
    options: &Options,
) -> io::Result<()> {
    let Finding { severity, rule, message, help, fix, .. } = finding;
    let role = match severity {
        Severity::Error => Role::Stops,
        Severity::Warning => Role::Holds,
        Severity::Info => Role::Plain,
    };
    let piece = |role, text: &str| Line::of(options.glyphs, role, text);
    let line = piece(Role::Subject, &format!("{}: ", spot.shown(&finding.path)))
        .joined(piece(role, severity.as_str()))
        .joined(piece(Role::Quiet, &format!(" {rule}")))
        .joined(piece(Role::Plain, &format!(": {message}")));
    writeln!(out, "{}", line.paint(options.paint))?;
    for quoted in spot.line(report).into_iter().flat_map(str::lines) {
        writeln!(out, "{}", piece(Role::Quiet, quoted).paint(options.paint))?;
    }
    let other = fix.as_ref().filter(|fix| fix.object != finding.object);
    let of_other = other.and_then(|fix| report.objects.get(fix.object));
    let place = of_other.map_or_else(String::new, |written| format!(" (in {})", named(written)));
    let fix_line = piece(Role::Plain, &format!("    fix: {help}{place}"));
    writeln!(out, "{}", fix_line.paint(options.paint))?;
    if let Some(fix) = fix {
        for line in yaml_lines(&fix.patch)?.lines() {
            writeln!(out, "      {line}")?;
        }
    }
    Ok(())
}

/// `4 HPAs (5 objects): 2 errors, 3 warnings, 1 info`.
fn summary(report: &LintReport<'_>) -> String {
    if report.hpas() == 0 {
        return format!("no HPA in {}", count(report.objects.len(), "object"));
    }
    let number = |severity: Severity| match (report.count(severity), severity) {
        (0, _) => None,
        // Its plural is the same.
        (number, Severity::Info) => Some(format!("{number} info")),
        (number, severity) => Some(count(number, severity.as_str())),
    };
    let mut found: Vec<String> = Severity::ALL.into_iter().filter_map(number).collect();
    if report.ignored() > 0 {
        found.push(format!("{} ignored", report.ignored()));
    }
    let found = if found.is_empty() { "nothing found".to_owned() } else { found.join(", ") };
    let (hpas, objects) = (count(report.hpas(), "HPA"), count(report.objects.len(), "object"));
    let Linted { targets, targets_found, .. } = report.linted;
    let targets = match (*targets, *targets_found) {
        (all, found) if all == found => String::new(),
        (all, found) => format!("; targets: {found} of {all} found"),
    };
    format!("{hpas} ({objects}): {found}{targets}")
}

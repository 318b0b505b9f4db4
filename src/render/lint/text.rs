//! A line for each finding, as compilers write them: editors jump to it.

use std::io::{self, Write};

use super::forms::{live, named};
use super::{LintReport, Spot};
use crate::render::page::sanitize;
use crate::render::units::count;
use crate::render::view::yaml_lines;
use kubectl_hpa_core::lint::{Finding, Severity};

/// Writes the findings for people, those that are ignored only as a count.
///
/// # Errors
/// Those of the writer.
pub fn lint(out: &mut dyn Write, report: &LintReport<'_>) -> io::Result<()> {
    let mut last = None;
    for finding in report.counted() {
        let Some(spot) = Spot::of(report, finding) else { continue };
        let place = spot.file().map_or_else(|| live(spot.written), str::to_owned);
        if last.as_ref().is_some_and(|last| *last != place) {
            writeln!(out)?;
        }
        last = Some(place);
        one(out, report, finding, &spot)?;
    }
    if last.is_some() {
        writeln!(out)?;
    }
    writeln!(out, "{}", summary(report))
}

fn one(out: &mut dyn Write, report: &LintReport<'_>, finding: &Finding, spot: &Spot<'_>) -> io::Result<()> {
    let Finding { severity, rule, message, help, fix, .. } = finding;
    let place = spot.shown(&finding.path);
    writeln!(out, "{}: {severity} {rule}: {}", sanitize(&place), sanitize(message))?;
    let other = fix.as_ref().filter(|fix| fix.object != finding.object);
    let of_other = other.and_then(|fix| report.objects.get(fix.object));
    let place = of_other.map_or_else(String::new, |written| format!(" (in {})", named(written)));
    writeln!(out, "    fix: {}{}", sanitize(help), sanitize(&place))?;
    if let Some(fix) = fix {
        for line in yaml_lines(&fix.patch)?.lines() {
            writeln!(out, "      {line}")?;
        }
    }
    Ok(())
}

/// How much was found, and in what.
fn summary(report: &LintReport<'_>) -> String {
    if report.hpas() == 0 {
        return format!("no HPA in {}", count(report.objects.len(), "object"));
    }
    let words = |severity: Severity| match severity {
        Severity::Info => "note",
        other => other.as_str(),
    };
    let found = Severity::ALL.map(|severity| (report.count(severity), words(severity)));
    let mut found: Vec<String> =
        found.iter().filter(|(number, _)| *number > 0).map(|(number, word)| count(*number, word)).collect();
    if report.ignored() > 0 {
        found.push(format!("{} ignored", report.ignored()));
    }
    let found = if found.is_empty() { "nothing found".to_owned() } else { found.join(", ") };
    let (hpas, objects) = (count(report.hpas(), "HPA"), count(report.objects.len(), "object"));
    format!("{found} in {hpas} among {objects}")
}

//! Verdicts on cases: as text, and as JUnit's XML for whatever shows test results.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::options::Options;
use super::page::{Line, Role, sanitize};
use super::phrases::unread;
use super::units::list;
use kubectl_hpa_core::model::Replicas;
use kubectl_hpa_core::trace::Unread;
use kubectl_hpa_core::whatif::Mismatch;

/// The verdict on one case.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The file and the place in it.
    pub place: String,
    /// The case's name.
    pub name: String,
    /// What is not as expected; empty where all is.
    pub mismatches: Vec<Mismatch>,
    /// What could not be decided, so that nobody can say whether it is as expected.
    pub unknown: Vec<String>,
}

impl Verdict {
    /// Whether all is as expected.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.mismatches.is_empty() && self.unknown.is_empty()
    }

    /// Whether something is known not to be as expected.
    #[must_use]
    pub fn fails(&self) -> bool {
        !self.mismatches.is_empty()
    }

    fn findings(&self) -> Vec<String> {
        self.mismatches.iter().map(words).chain(self.unknown.iter().cloned()).collect()
    }

    fn title(&self) -> String {
        if self.name.is_empty() { self.place.clone() } else { format!("{} ({})", self.name, self.place) }
    }
}

/// A file, or a case in it, on which there is no verdict.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The file.
    pub place: String,
    /// What is wrong with it.
    pub problem: String,
}

/// Writes one verdict for people.
///
/// # Errors
/// Those of the writer.
pub fn verdict(out: &mut dyn Write, verdict: &Verdict, options: &Options) -> io::Result<()> {
    let (word, role) = match verdict {
        it if it.fails() => ("FAIL", Role::Stops),
        it if it.passes() => ("pass", Role::Answer),
        _ => ("UNKNOWN", Role::Holds),
    };
    let piece = |role, text: &str| Line::of(options.glyphs, role, text);
    let title = piece(role, word).joined(piece(Role::Plain, &format!("  {}", verdict.title())));
    writeln!(out, "{}", title.paint(options.paint))?;
    for finding in verdict.findings() {
        let line = piece(Role::Plain, &format!("      {finding}"));
        writeln!(out, "{}", line.paint(options.paint))?;
    }
    Ok(())
}

/// Writes all verdicts as JUnit's XML; what is broken, and what is not known, as errors. A format of four elements needs no library: only
/// escaping, which stands below.
///
/// # Errors
/// Those of the writer.
pub fn junit(out: &mut dyn Write, verdicts: &[Verdict], broken: &[Broken]) -> io::Result<()> {
    let count = |is_so: fn(&Verdict) -> bool| verdicts.iter().filter(|it| is_so(it)).count();
    let failures = count(Verdict::fails);
    let errors = broken.len() + count(|it| !it.fails() && !it.passes());
    let tests = verdicts.len() + broken.len();
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(
        out,
        r#"<testsuite name="kubectl hpa test" tests="{tests}" failures="{failures}" errors="{errors}">"#
    )?;
    for verdict in verdicts {
        let (name, place) = (escaped(&verdict.title()), escaped(&verdict.place));
        if verdict.passes() {
            writeln!(out, r#"  <testcase name="{name}" classname="{place}"/>"#)?;
            continue;
        }
        let element = if verdict.fails() { "failure" } else { "error" };
        writeln!(out, r#"  <testcase name="{name}" classname="{place}">"#)?;
        writeln!(out, r#"    <{element} message="{}"/>"#, escaped(&verdict.findings().join("; ")))?;
        writeln!(out, "  </testcase>")?;
    }
    for Broken { place, problem } in broken {
        let place = escaped(place);
        writeln!(out, r#"  <testcase name="{place}" classname="{place}">"#)?;
        let lines: Vec<String> = problem.lines().map(escaped).collect();
        writeln!(out, r#"    <error message="{}"/>"#, lines.join("&#10;"))?;
        writeln!(out, "  </testcase>")?;
    }
    writeln!(out, "</testsuite>")
}

/// Characters that XML has no place for are spelled out before, with those that a terminal obeys.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in sanitize(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}

fn words(mismatch: &Mismatch) -> String {
    match mismatch {
        Mismatch::Replicas { expected, decided } => {
            format!("replicas: expected {expected}, decided {}", range(*decided))
        }
        Mismatch::Code { expected, decided } => {
            let is_there = decided.iter().any(|code| code == expected);
            let place = if is_there { " after the codes before it" } else { "" };
            format!("codes: expected {expected}{place}; the steps are {}", list(decided))
        }
        Mismatch::Reason { expected, decided: Some(decided) } => {
            format!("reason: expected `{expected}`, the controller says `{decided}`")
        }
        Mismatch::Reason { expected, decided: None } => {
            format!("reason: expected `{expected}`, but there is no rescale")
        }
        Mismatch::Condition { expected, decided } => {
            let mut told = format!("condition {}: expected", expected.kind);
            for part in [&expected.status, &expected.reason].into_iter().flatten() {
                let _ = write!(told, " {part}");
            }
            match decided {
                Some((status, reason)) => format!("{told}, is {status} {reason}"),
                None => format!("{told}, is not there"),
            }
        }
        Mismatch::Change(place, error) => format!("whatIf[{place}]: {error}"),
        Mismatch::Undecided(place, problem) => format!("whatIf[{place}]: {}", problem.replace('\n', "; ")),
        Mismatch::WhatIf(place, mismatch) => format!("whatIf[{place}]: {}", words(mismatch)),
    }
}

/// Why nothing is decided of a case.
#[must_use]
pub fn undecided(unread: &Unread) -> String {
    format!("the decision is not known: {}", unread::what(unread))
}

fn range(decided: Option<(Replicas, Replicas)>) -> String {
    match decided {
        Some((low, high)) if low == high => low.0.to_string(),
        Some((low, high)) => format!("{} to {}", low.0, high.0),
        None => "nothing that is known".to_owned(),
    }
}

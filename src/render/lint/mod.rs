//! What lint finds, in the forms that people, editors and CI systems read.

mod forms;
mod github;
mod junit;
mod sarif;
mod text;
mod view;

pub use github::lint_github;
pub use junit::lint_junit;
pub use sarif::{SarifView, lint_sarif};
pub use text::lint;
pub use view::{LintView, lint_view};

use std::collections::{BTreeMap, BTreeSet};

use kubectl_hpa_core::lint::{Finding, Linted, Severity};
use kubectl_hpa_core::snapshot::{Position, Written};

use forms::{live, named};

/// The findings of one run, with the objects that they are about.
#[derive(Debug)]
pub struct LintReport<'a> {
    /// Everything that was read.
    pub objects: &'a [Written],
    /// What was found.
    pub linted: &'a Linted,
    /// The lines of findings with a mark under the place, by file and place.
    pub lines: BTreeMap<(String, Position), String>,
    /// The places of the HPAs that were looked at.
    pub subjects: BTreeSet<usize>,
    /// What could not be read.
    pub errors: Vec<Unreadable>,
    /// What was not looked at, because a right to it is missing or lint does not read it.
    pub not_looked_at: Vec<String>,
}

/// What could not be read.
#[derive(Clone, Debug)]
pub struct Unreadable {
    /// What is wrong, with its place.
    pub text: String,
    /// The file and the place in it, as far as that is known.
    pub place: Option<(String, Position)>,
}

impl LintReport<'_> {
    /// The worst that is found and not ignored.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.counted().map(|finding| finding.severity).max()
    }

    fn counted(&self) -> impl Iterator<Item = &Finding> {
        self.linted.findings.iter().filter(|finding| finding.ignored.is_none())
    }

    fn count(&self, severity: Severity) -> usize {
        self.counted().filter(|finding| finding.severity == severity).count()
    }

    fn ignored(&self) -> usize {
        self.linted.findings.iter().filter(|finding| finding.ignored.is_some()).count()
    }

    fn hpas(&self) -> usize {
        self.subjects.len()
    }
}

/// Where a finding is: the object, the file, and the place in it.
struct Spot<'a> {
    written: &'a Written,
    at: Position,
}

impl<'a> Spot<'a> {
    fn of(report: &LintReport<'a>, finding: &Finding) -> Option<Self> {
        let written = report.objects.get(finding.object)?;
        Some(Self { written, at: written.at(&finding.path) })
    }

    /// The file; `None` for what was read from a cluster.
    fn file(&self) -> Option<&'a str> {
        Some(self.written.source.as_str()).filter(|source| !source.is_empty())
    }

    /// Its line with a mark under the place, where it is known.
    fn line<'r>(&self, report: &'r LintReport<'_>) -> Option<&'r str> {
        Some(report.lines.get(&(self.file()?.to_owned(), self.at))?)
    }

    /// Where it is, for people: a line of a file, or a field of an object.
    fn shown(&self, path: &str) -> String {
        match self.file() {
            Some(file) if !self.written.places.is_known() => {
                format!("{file}: {} {path}", named(self.written))
            }
            Some(file) => format!("{file}:{}", self.at.line),
            None if path.is_empty() => live(self.written),
            None => format!("{} {path}", live(self.written)),
        }
    }
}

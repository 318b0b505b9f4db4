//! Findings as programs read them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{LintReport, Spot};
use kubectl_hpa_core::lint::Severity;
use kubectl_hpa_core::snapshot::Written;
use kubectl_hpa_core::snapshot::case::API_VERSION;

/// Findings: `apiVersion: kubectl-hpa/v1`, `kind: LintReport`. Its schema is `schema/lint.schema.json`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LintView<'a> {
    api_version: &'static str,
    kind: &'static str,
    /// How many there are of each severity, without those that are ignored.
    counts: BTreeMap<&'static str, usize>,
    /// How many are ignored.
    ignored: usize,
    /// How many HPAs were looked at.
    hpas: usize,
    targets: TargetsView,
    findings: Vec<FindingView<'a>>,
    /// What could not be read.
    errors: Vec<&'a str>,
    /// What was not looked at, because a right to it is missing or lint does not read it.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    not_looked_at: &'a [String],
}

/// What the HPAs scale.
#[derive(Clone, Copy, Debug, Serialize)]
struct TargetsView {
    /// How many HPAs name a target that can be read.
    named: usize,
    /// How many of these targets are there.
    found: usize,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FindingView<'a> {
    rule: &'static str,
    severity: &'static str,
    /// Absent, with line and column, if the object was read from a cluster.
    file: Option<&'a str>,
    line: Option<u64>,
    column: Option<u64>,
    object: ObjectView<'a>,
    path: &'a str,
    message: &'a str,
    help: &'a str,
    fix: Option<FixView<'a>>,
    /// Why it does not count.
    ignored: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ObjectView<'a> {
    api_version: &'a str,
    kind: &'a str,
    namespace: &'a str,
    name: &'a str,
}

#[derive(Clone, Debug, Serialize)]
struct FixView<'a> {
    object: ObjectView<'a>,
    /// A merge patch (RFC 7386).
    patch: &'a Value,
    /// Whether `--fix` writes it.
    certain: bool,
}

/// Findings as a serializable value.
#[must_use]
pub fn lint_view<'a>(report: &'a LintReport<'_>) -> LintView<'a> {
    let findings = report.linted.findings.iter().filter_map(|finding| {
        let spot = Spot::of(report, finding)?;
        let (file, Spot { written, at }) = (spot.file(), spot);
        let fix = finding.fix.as_ref().and_then(|fix| {
            Some(FixView {
                object: ObjectView::of(report.objects.get(fix.object)?),
                patch: &fix.patch,
                certain: fix.is_certain,
            })
        });
        Some(FindingView {
            rule: finding.rule.as_str(),
            severity: finding.severity.as_str(),
            file,
            line: file.map(|_| at.line),
            column: file.map(|_| at.column),
            object: ObjectView::of(written),
            path: &finding.path,
            message: &finding.message,
            help: &finding.help,
            fix,
            ignored: finding.ignored.as_deref(),
        })
    });
    LintView {
        api_version: API_VERSION,
        kind: "LintReport",
        counts: Severity::ALL.into_iter().map(|it| (it.as_str(), report.count(it))).collect(),
        ignored: report.ignored(),
        hpas: report.hpas(),
        targets: TargetsView { named: report.linted.targets, found: report.linted.targets_found },
        findings: findings.collect(),
        errors: report.errors.iter().map(|error| error.text.as_str()).collect(),
        not_looked_at: &report.not_looked_at,
    }
}

impl<'a> ObjectView<'a> {
    fn of(written: &'a Written) -> Self {
        Self {
            api_version: written.text("/apiVersion"),
            kind: written.text("/kind"),
            namespace: written.text("/metadata/namespace"),
            name: written.text("/metadata/name"),
        }
    }
}

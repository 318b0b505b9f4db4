//! Findings as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format): one run, its rules and its results.

use serde::Serialize;
use serde_json::{Value, json};

use super::forms::{live, named};
use super::{LintReport, Spot};
use crate::render::codes::Topic;
use kubectl_hpa_core::lint::{Finding, Rule, Severity};
use kubectl_hpa_core::snapshot::{Position, Written};

/// A log of one run. Its schema is OASIS' `sarif-schema-2.1.0.json`.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct SarifView(Value);

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const PAGE: &str = "https://github.com/kubectl-hpa/kubectl-hpa/blob/main/src/render/codes/codes.md";

/// Findings as a SARIF log.
#[must_use]
pub fn lint_sarif(report: &LintReport<'_>) -> SarifView {
    let results = report.linted.findings.iter().filter_map(|finding| result(report, finding));
    let told = |level: &str, text: &str| json!({"level": level, "message": {"text": text}});
    let mut notifications: Vec<Value> = report
        .errors
        .iter()
        .map(|error| {
            let mut told = told("error", &error.text);
            if let Some((file, at)) = &error.place {
                told["locations"] = json!([{"physicalLocation": physical(file, *at)}]);
            }
            told
        })
        .collect();
    notifications.extend(report.not_looked_at.iter().map(|text| told("note", text)));
    SarifView(json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "kubectl-hpa",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": Rule::ALL.iter().map(|rule| described(*rule)).collect::<Vec<_>>(),
            }},
            "invocations": [{
                "executionSuccessful": report.errors.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": results.collect::<Vec<_>>(),
        }],
    }))
}

fn described(rule: Rule) -> Value {
    json!({
        "id": rule.as_str(),
        "shortDescription": {"text": rule.title()},
        "fullDescription": {"text": Topic::Lint(rule).entry().text},
        "helpUri": format!("{PAGE}#{rule}"),
        "defaultConfiguration": {"level": level(rule.severity())},
    })
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(report: &LintReport<'_>, finding: &Finding) -> Option<Value> {
    let spot = Spot::of(report, finding)?;
    let (file, Spot { written, at }) = (spot.file(), spot);
    let mut location = json!({"logicalLocations": [{"fullyQualifiedName": place(written, finding)}]});
    if let Some(file) = file {
        location["physicalLocation"] = physical(file, at);
    }
    let mut result = json!({
        "ruleId": finding.rule.as_str(),
        "ruleIndex": Rule::ALL.iter().position(|rule| *rule == finding.rule),
        "level": level(finding.severity),
        "message": {"text": format!("{}. To fix it: {}.", finding.message, finding.help)},
        "locations": [location],
    });
    if let Some(fix) = &finding.fix {
        let object = report.objects.get(fix.object).map(named);
        result["properties"] = json!({"mergePatch": fix.patch, "patchedObject": object});
    }
    if let Some(reason) = &finding.ignored {
        let kind = if finding.is_ignored_by_file { "external" } else { "inSource" };
        result["suppressions"] = json!([{"kind": kind, "justification": reason}]);
    }
    Some(result)
}

fn physical(file: &str, at: Position) -> Value {
    json!({
        "artifactLocation": {"uri": uri(file)},
        "region": {"startLine": at.line, "startColumn": at.column},
    })
}

/// The object; of one that is in no file, the field, too.
fn place(written: &Written, finding: &Finding) -> String {
    if written.source.is_empty() && !finding.path.is_empty() {
        format!("{} {}", live(written), finding.path)
    } else {
        named(written)
    }
}

/// A path as a relative reference, with all other characters escaped.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path).replace('\\', "/");
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/+@,=".contains(&byte);
    let escaped = path
        .bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") });
    escaped.collect()
}

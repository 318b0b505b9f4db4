//! Findings that an annotation of their HPA ignores, with a reason.

use super::set::Subject;
use super::{Finding, Rule};

/// The annotation: `rule: reason; rule: reason`.
const ANNOTATION: &str = "kubectl-hpa.io/lint-ignore";

/// Marks the findings that the annotation ignores. An entry without a reason, or of no rule, is a finding itself.
pub(super) fn apply(hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    let annotations = &hpa.written.value["metadata"]["annotations"];
    let Some(text) = annotations[ANNOTATION].as_str() else { return };
    let mut bad = Vec::new();
    for entry in text.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
        let (code, reason) =
            entry.split_once(':').map_or((entry, ""), |(code, reason)| (code, reason.trim()));
        match Rule::of(code.trim()) {
            Some(rule) if !reason.is_empty() => {
                let answered = findings.iter_mut().filter(|finding| finding.rule == rule);
                answered.for_each(|finding| finding.ignored = Some(reason.to_owned()));
            }
            Some(rule) => {
                bad.push(format!("the annotation ignores {rule} without a reason, so it still counts"));
            }
            None => bad.push(format!("the annotation ignores \"{code}\", which is no rule")),
        }
    }
    findings.extend(bad.into_iter().map(|message| {
        let path = format!("metadata.annotations[{ANNOTATION}]");
        Finding::new(Rule::IgnoreNeedsReason, hpa.place, path, message, "write it as \"rule: reason\"")
    }));
}

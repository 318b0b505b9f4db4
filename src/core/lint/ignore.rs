//! Findings that an annotation of their HPA ignores, with a reason.

use super::set::Subject;
use super::{Finding, Rule};
use crate::model::nearest;

/// The annotation: `rule: reason; rule: reason`, or one on each line.
const ANNOTATION: &str = "kubectl-hpa.io/lint-ignore";

/// What is wrong with the code of a rule that there is not.
pub(super) fn unknown_rule(code: &str) -> String {
    let near = nearest(code, Rule::ALL.iter().map(|rule| rule.as_str()));
    let near = near.first().map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
    format!("there is no rule {code:?}{near}")
}

/// Marks the findings that the annotation ignores. An entry without a reason, or of no rule, is a finding itself.
pub(super) fn apply(hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    let annotations = &hpa.written.value["metadata"]["annotations"];
    let Some(text) = annotations[ANNOTATION].as_str() else { return };
    let mut bad = Vec::new();
    for entry in text.split([';', '\n']).map(str::trim).filter(|entry| !entry.is_empty()) {
        let (code, reason) =
            entry.split_once(':').map_or((entry, ""), |(code, reason)| (code, reason.trim()));
        match Rule::of(code.trim()) {
            Some(rule) if !reason.is_empty() => {
                let answered = findings.iter_mut().filter(|finding| finding.rule == rule);
                answered.for_each(|finding| finding.ignored = Some(reason.to_owned()));
            }
            Some(rule) => {
                bad.push(format!("{rule} is ignored without a reason, so it still counts"));
            }
            None => bad.push(unknown_rule(code.trim())),
        }
    }
    findings.extend(bad.into_iter().map(|message| {
        let path = format!("metadata.annotations[{ANNOTATION}]");
        Finding::new(Rule::IgnoreNeedsReason, hpa.place, path, message, "write it as \"rule: reason\"")
    }));
}

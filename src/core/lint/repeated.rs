//! What is written twice, so that one of the two is lost.

use super::set::{Set, Subject};
use super::{Finding, Rule};

pub(super) fn check(set: &Set<'_>, hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    findings.extend(hpa_twice(set, hpa));
    findings.extend(keys(hpa));
}

/// Told at the later of the two, which stays.
fn hpa_twice(set: &Set<'_>, hpa: &Subject<'_>) -> Option<Finding> {
    let first = set.same_before(hpa)?;
    let message = format!(
        "HPA {} stands in this file before, at line {}: kubectl apply overwrites that one with this one",
        hpa.name(),
        first.at("metadata.name").line
    );
    Some(Finding::new(
        Rule::HpaTwice,
        hpa.place,
        "metadata.name",
        message,
        "remove one of the two, or rename it",
    ))
}

/// Of two fields of one name kubectl sends the later one, without a word.
fn keys(hpa: &Subject<'_>) -> Vec<Finding> {
    let repeated = hpa.written.places.repeated();
    let found = repeated.into_iter().map(|(path, first)| {
        let message =
            format!("{path} is set before, at line {}: kubectl sends only the later one", first.line);
        Finding::new(Rule::DuplicateKey, hpa.place, path, message, "remove one of the two")
    });
    found.collect()
}

//! What is said of a read that only the reader could not do, and of the permissions that would help.

use std::collections::BTreeMap;

use crate::render::by_status::ByStatus;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Permission;
use kubectl_hpa_core::snapshot::{ReadError, Reading, Scope};
use kubectl_hpa_core::trace::Unread;

/// The HTTP status of a read that nobody gave the right for.
pub(in crate::render) const FORBIDDEN: u16 = 403;

/// What happened, with the text of the error.
pub(in crate::render) fn what(unread: &Unread) -> String {
    match unread {
        Unread::NotInCase => "the case does not have it".to_owned(),
        Unread::Refused(error) => refused(error),
    }
}

/// What happened, in a few words.
pub(in crate::render) fn brief(unread: &Unread) -> String {
    match unread {
        Unread::Refused(error) if !error.is_not_in_case() => status(error),
        Unread::Refused(_) | Unread::NotInCase => "the case does not have it".to_owned(),
    }
}

/// An error with its status and its text.
pub(in crate::render) fn refused(error: &ReadError) -> String {
    if error.is_not_given() {
        return status(error);
    }
    if error.code.is_none() && error.reason.is_empty() {
        return error.message.clone();
    }
    format!("{}: {}", status(error), error.message)
}

/// `503 ServiceUnavailable`, as far as it is known.
pub(in crate::render) fn status(error: &ReadError) -> String {
    match (error.code, error.reason.is_empty()) {
        _ if error.is_described() => "HPA from kubectl describe".to_owned(),
        _ if error.is_not_given() => "not given".to_owned(),
        (Some(code), _) if error.is_foreign() => {
            format!("something on the way to the API server answered ({code})")
        }
        (Some(code @ 200..300), true) => format!("an answer ({code}) that cannot be used"),
        (Some(code), true) => code.to_string(),
        (Some(code), false) => format!("{code} {}", error.reason),
        (None, false) => error.reason.clone(),
        (None, true) => "an error".to_owned(),
    }
}

/// The permission that the read needs; `None` where its path is not known.
pub(in crate::render) fn permission(unread: &Unread) -> Option<String> {
    match unread {
        Unread::NotInCase => None,
        Unread::Refused(error) => needed(error),
    }
}

/// The permission without which an error came.
fn needed(error: &ReadError) -> Option<String> {
    Permission::to_get(&error.path).map(|permission| permission.to_string())
}

/// Why HPAs of a fleet are not decided: each reason once, with how many it keeps from it, as lines for people.
pub fn undecided_notes<'a>(unread: impl Iterator<Item = &'a Unread>) -> Vec<String> {
    let mut found: BTreeMap<ByStatus, usize> = BTreeMap::new();
    for unread in unread {
        let lacks_rights = matches!(unread, Unread::Refused(error) if error.code == Some(FORBIDDEN));
        let right = if lacks_rights { permission(unread) } else { None };
        let why = right.map_or_else(|| brief(unread), |right| format!("{}: {right}", brief(unread)));
        *found.entry(ByStatus { why, lacks_rights }).or_default() += 1;
    }
    let note = |(it, number): (&ByStatus, &usize)| {
        let are = if *number == 1 { "1 HPA is" } else { &format!("{number} HPAs are") };
        format!("{are} not decided ({}){}", it.why, it.hint())
    };
    found.iter().map(note).collect()
}

/// What happened: in a few words if it was refused, since the remedy follows below ([`lacking`]).
pub(in crate::render) fn in_short(error: &ReadError) -> String {
    if error.code == Some(FORBIDDEN) { status(error) } else { refused(error) }
}

/// The errors of all that the reader could not read.
fn errors(explanation: &Explanation) -> impl Iterator<Item = &ReadError> {
    let snapshot = explanation.snapshot();
    let readings = snapshot.readings.iter().map(|reading| match reading {
        Reading::Pods(read) => read.as_ref().err(),
        Reading::Object(read) | Reading::External(read) => read.as_ref().err(),
        Reading::Usage | Reading::Absent => None,
    });
    let first = [snapshot.scale.as_ref().err(), snapshot.pods.as_ref().err(), snapshot.usages.as_ref().err()];
    let controller = &snapshot.controller;
    let last = [snapshot.others.as_ref().err(), snapshot.history.error.as_ref()];
    let last = last.into_iter().chain([controller.error.as_ref(), controller.lease_error.as_ref()]);
    let errors = first.into_iter().chain(readings).chain(last).flatten();
    errors.filter(|error| error.scope == Scope::Reader)
}

/// The permissions for all that was refused to the reader, each once.
pub(in crate::render) fn lacking(explanation: &Explanation) -> Vec<String> {
    let refused = errors(explanation).filter(|error| error.code == Some(FORBIDDEN));
    each_once(refused.filter_map(needed))
}

/// The commands that print what nobody gave, each once.
#[must_use]
pub fn not_given(explanation: &Explanation) -> Vec<String> {
    let not_given = errors(explanation).filter(|error| error.is_not_given());
    each_once(not_given.map(|error| error.message.clone()))
}

fn each_once(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut once = Vec::new();
    for it in all {
        if !once.contains(&it) {
            once.push(it);
        }
    }
    once
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_cannot_be_used_is_no_bare_number() {
        let unusable = ReadError { code: Some(200), message: "no list".to_owned(), ..ReadError::default() };
        assert_eq!(refused(&unusable), "an answer (200) that cannot be used: no list");
        assert_eq!(status(&ReadError { code: Some(418), ..unusable }), "418");
    }
}

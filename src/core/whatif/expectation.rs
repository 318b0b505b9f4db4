//! A case's expectations compared with its decision.

use super::change::ChangeError;
use crate::memory_bounds::Answer;
use crate::model::Replicas;
use crate::snapshot::case::{ConditionExpect, Expect};
use crate::status::Report;

/// What is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// Other replicas: lowest and highest that are decided, `None` where the decision is not known.
    Replicas {
        /// What the case says, in its own words.
        expected: String,
        /// What is decided.
        decided: Option<(Replicas, Replicas)>,
    },
    /// A code that does not occur, or not after the ones before it.
    Code {
        /// The code.
        expected: String,
        /// All that do occur, in order.
        decided: Vec<&'static str>,
    },
    /// Another reason for the rescale; `None` if there is no rescale.
    Reason {
        /// What the case says.
        expected: String,
        /// The reason that the controller gives.
        decided: Option<String>,
    },
    /// A condition that differs or is missing.
    Condition {
        /// What the case says.
        expected: ConditionExpect,
        /// Its status and reason.
        decided: Option<(String, String)>,
    },
    /// A what-if whose change cannot be made, by its place.
    Change(usize, ChangeError),
    /// A what-if after which nothing can be decided, by its place.
    Undecided(usize, String),
    /// A what-if that comes to something else, by its place.
    WhatIf(usize, Box<Mismatch>),
}

/// All that is not as expected of one decision, its what-ifs apart.
#[must_use]
pub fn mismatches(expect: &Expect, answer: &Answer, report: &Report) -> Vec<Mismatch> {
    let codes: Vec<&'static str> = answer.codes().into_iter().map(crate::trace::Code::as_str).collect();
    let replicas = replicas(expect, answer.range());
    let code =
        missing_code(&expect.codes, &codes).map(|expected| Mismatch::Code { expected, decided: codes });
    let reason = expect.reason.as_ref().and_then(|expected| other_reason(expected, report));
    let conditions = expect.conditions.iter().filter_map(|expected| other_condition(expected, report));
    replicas.into_iter().chain(code).chain(reason).chain(conditions).collect()
}

fn replicas(expect: &Expect, decided: Option<(Replicas, Replicas)>) -> Option<Mismatch> {
    let Expect { replicas, at_least, at_most, .. } = expect;
    let expected: Vec<String> = [("", replicas), ("at least ", at_least), ("at most ", at_most)]
        .into_iter()
        .filter_map(|(how, count)| Some(format!("{how}{}", count.as_ref()?)))
        .collect();
    let holds = decided.is_some_and(|(low, high)| {
        replicas.is_none_or(|it| (low.0, high.0) == (it, it))
            && at_least.is_none_or(|least| low.0 >= least)
            && at_most.is_none_or(|most| high.0 <= most)
    });
    (!expected.is_empty() && !holds).then(|| Mismatch::Replicas { expected: expected.join(" and "), decided })
}

/// The first of the expected codes that does not occur after those before it.
fn missing_code(expected: &[String], decided: &[&'static str]) -> Option<String> {
    let mut rest = decided.iter();
    expected.iter().find(|code| !rest.any(|other| other == code)).cloned()
}

/// The reason stands at the end of the event about the rescale.
fn other_reason(expected: &str, report: &Report) -> Option<Mismatch> {
    let message = report.events.iter().find(|event| event.message.starts_with("New size: "));
    let reason = message.and_then(|event| event.message.split_once("reason: "));
    let decided = reason.map(|(_, reason)| reason.split("; error:").next().unwrap_or(reason).to_owned());
    (decided.as_deref() != Some(expected))
        .then(|| Mismatch::Reason { expected: expected.to_owned(), decided })
}

fn other_condition(expected: &ConditionExpect, report: &Report) -> Option<Mismatch> {
    let condition = report.status.condition(&expected.kind);
    let decided = condition.map(|condition| (condition.status.to_string(), condition.reason.to_string()));
    let holds = decided.as_ref().is_some_and(|(status, reason)| {
        expected.status.as_ref().is_none_or(|expected| expected == status)
            && expected.reason.as_ref().is_none_or(|expected| expected == reason)
    });
    (!holds).then(|| Mismatch::Condition { expected: expected.clone(), decided })
}

//! What would change a decision.

use super::course::{Course, course};
use super::instants::{Next, next_change};
use super::thresholds::{Thresholds, thresholds};
use crate::recall::Answer;
use crate::rules::Rules;
use crate::snapshot::Snapshot;

/// What would change a decision: load, or time alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    /// Of every metric that made a proposal, in spec order.
    pub thresholds: Vec<Thresholds>,
    /// What time alone brings first.
    pub next: Option<Next>,
    /// What the next reconciles do, if the load stays.
    pub course: Course,
}

impl Outlook {
    /// Looks.
    #[must_use]
    pub fn of(snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Self {
        Self {
            thresholds: thresholds(snapshot, rules, answer),
            next: next_change(snapshot, rules, &answer.decision),
            course: if answer.interval.is_none() {
                course(snapshot, rules, &answer.decision)
            } else {
                Course::default()
            },
        }
    }
}

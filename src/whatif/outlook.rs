//! What would change a decision.

use super::course::{Course, course};
use super::instants::{Next, next_change};
use super::thresholds::{Thresholds, thresholds};
use crate::engine::decide;
use crate::model::Evidence;
use crate::recall::Answer;
use crate::rules::Rules;
use crate::snapshot::Snapshot;

/// The first change that time brings although the controller remembers what holds the replicas most.
fn latest_change(snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Option<Next> {
    let recall = answer.recall.as_ref()?;
    let memory_evidence = Evidence::Inferred;
    let held = Snapshot { memory: recall.held.clone(), memory_evidence, ..snapshot.clone() };
    next_change(&held, rules, &decide(&held, rules))
}

/// What would change a decision: load, or time alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    /// Of every metric that made a proposal, in spec order.
    pub thresholds: Vec<Thresholds>,
    /// What time alone brings first.
    pub next: Option<Next>,
    /// What the next reconciles do, if the load stays.
    pub course: Course,
    /// If the controller's memory is not known: when the replicas change at the latest by all that it can be, if the load
    /// stays. `None` if they may stay for ever.
    pub latest: Option<Next>,
}

impl Outlook {
    /// Looks.
    #[must_use]
    pub fn of(snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Self {
        Self {
            thresholds: thresholds(snapshot, rules, answer),
            next: next_change(snapshot, rules, &answer.decision),
            latest: latest_change(snapshot, rules, answer),
            course: if answer.interval.is_none() {
                course(snapshot, rules, &answer.decision)
            } else {
                Course::default()
            },
        }
    }
}

//! What would change a decision.

use std::borrow::Cow;

use super::instants::{Next, can_be_tried, next_change, seen_change};
use super::thresholds::{Thresholds, thresholds};
use crate::engine::decide;
use crate::memory_bounds::{Answer, MemorySource};
use crate::model::{Evidence, Instant, Recommendation};
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::trace::Direction;

/// The first change that time brings although the controller remembers what holds the replicas most.
fn latest_change(snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Option<Next> {
    let bounds = answer.memory_bounds.as_ref()?;
    if [Direction::Up, Direction::Down].into_iter().any(|way| bounds.may_turn_over(snapshot, way)) {
        return None;
    }
    let mut memory = bounds.tightest.clone();
    if memory.recommendations.is_empty() {
        // The next sync that finds the scale puts the replicas there (upstream `recordInitialRecommendation`), and it may
        // come a whole period later than this look.
        let replicas = snapshot.scale.as_ref().ok()?.replicas;
        let at = snapshot.taken_at + snapshot.controller.sync_period.value;
        memory.recommendations.push(Recommendation { replicas, at });
    }
    let held = Snapshot { memory, ..snapshot.clone() };
    seen_change(&held, rules, &decide(&held, rules))
}

/// The same world; before the first reconcile the memory is empty, and that is known.
fn remembering<'a>(snapshot: &'a Snapshot, answer: &Answer) -> Cow<'a, Snapshot> {
    let mut sources = answer.memory_bounds.iter().flat_map(|bounds| &bounds.sources);
    if sources.any(|it| *it == MemorySource::NeverReconciled) {
        Cow::Owned(Snapshot { memory_evidence: Evidence::Inferred, ..snapshot.clone() })
    } else {
        Cow::Borrowed(snapshot)
    }
}

/// What time alone brings first, by what is known of the controller's memory.
pub(super) fn next(snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Option<Next> {
    next_change(&remembering(snapshot, answer), rules, &answer.decision)
}

/// What would change a decision: load, or time alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    /// Of every metric that made a proposal, in spec order.
    pub thresholds: Vec<Thresholds>,
    /// What time alone brings first, if a sync sees it for certain.
    pub next: Option<Next>,
    /// Until when the decision stays the same, if time alone changes it, be it for a moment.
    pub stays_until: Option<Instant>,
    /// True if every future instant was tried, for a known memory: then without [`Self::stays_until`] the decision stays.
    pub is_tried: bool,
    /// If the controller's memory is not known: when the replicas change at the latest by all that it can be, if the load
    /// stays. `None` if they may stay for ever.
    pub latest: Option<Next>,
}

impl Outlook {
    /// Looks.
    #[must_use]
    pub fn of(snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Self {
        let next = next(snapshot, rules, answer);
        let is_steady = !answer.attested.is_unsteady();
        Self {
            thresholds: thresholds(snapshot, rules, answer),
            next: next.filter(|next| next.is_seen && is_steady),
            is_tried: is_steady && can_be_tried(snapshot, &answer.decision),
            stays_until: next.map(|next| next.at),
            latest: latest_change(snapshot, rules, answer).filter(|_| is_steady),
        }
    }
}

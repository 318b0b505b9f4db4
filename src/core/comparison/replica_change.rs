//! A change of the replicas between two looks at an HPA, and what made it.

use crate::explanation::{Detail, Explanation, Step};
use crate::model::{Duration, Instant, Replicas};
use crate::snapshot::RescaleEventReason;
use crate::trace::Code;

/// The replicas of a target have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaChange {
    /// When, to the second: `status.lastScaleTime` where the HPA made it, else the look that saw it.
    pub at: Instant,
    /// The replicas before.
    pub from: Replicas,
    /// The replicas since.
    pub to: Replicas,
    /// What made it.
    pub cause: ChangeCause,
    /// Whether the HPA's status has it. The controller writes the status after the scale.
    pub is_in_status: bool,
}

/// What changed the replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeCause {
    /// What was decided at the look before; the code is that of the step that decides.
    Decided(Option<Code>),
    /// The HPA, by its status, but what it decided on was not seen; with what its event says of the reason.
    Unseen(RescaleEventReason),
    /// Somebody else: the HPA's status has no new scaling.
    Foreign,
}

impl ReplicaChange {
    /// What is different at a later look.
    #[must_use]
    pub fn between(before: &Explanation, after: &Explanation) -> Option<Self> {
        let (from, to) = before.current().zip(after.current()).filter(|(from, to)| from != to)?;
        let scaled = |it: &Explanation| it.snapshot().hpa.status.last_scale_time;
        let new = scaled(after).filter(|at| Some(*at) != scaled(before));
        let cause = match (leads_to(before, from, to), new) {
            (true, _) => ChangeCause::Decided(deciding(before, to)),
            (false, Some(_)) => ChangeCause::Unseen(event(after, to)),
            (false, None) => ChangeCause::Foreign,
        };
        let at = new.unwrap_or_else(|| after.now());
        Some(Self { at, from, to, cause, is_in_status: new.is_some() })
    }

    /// What it is once a later look has not found it in the status: somebody else's, unless an event or the target shows that
    /// the HPA made it and could not write its status.
    #[must_use]
    pub fn unclaimed(self, before: &Explanation, later: &Explanation) -> Self {
        let history = &later.snapshot().history;
        let is_since = |at: Instant| at + Duration::from_seconds(1) > before.now();
        let is_told = history.rescales.iter().any(|it| it.to == self.to && is_since(it.last));
        let is_set =
            later.current() == Some(self.to) && history.target.setters.iter().any(|it| it.by_controller);
        let cause = match (is_told || is_set, self.cause) {
            (false, _) => ChangeCause::Foreign,
            (true, ChangeCause::Foreign) => ChangeCause::Unseen(event(later, self.to)),
            (true, cause) => cause,
        };
        Self { cause, ..self }
    }
}

/// Whether the decision is this count or, of an interval, one on the way to what the metrics want.
fn leads_to(decided: &Explanation, from: Replicas, to: Replicas) -> bool {
    let Some((low, high)) = decided.range().filter(|(low, high)| (low..=high).contains(&&to)) else {
        return false;
    };
    let wanted = decided.decision().choice.map(|choice| choice.after);
    low == high || wanted.is_some_and(|wanted| (from.min(wanted)..=from.max(wanted)).contains(&to))
}

/// The code of the step that a person would name: a window, a policy or a bound that makes the count another one, else what the
/// deciding metric reads. The steps of an interval are those of one of its ends: they tell of no other count.
fn deciding(explanation: &Explanation, to: Replicas) -> Option<Code> {
    let steps = explanation.steps();
    let winner = explanation.winner().map(|(metric, _)| metric.trace.index);
    let bends = |step: &&Step<'_>| {
        let is_later = matches!(step.detail, Detail::Window(_) | Detail::Limit(_) | Detail::Floor(_));
        is_later && step.link.is_some_and(|(before, after)| before != after)
    };
    let reads = |step: &&Step<'_>| {
        let is_reading = matches!(step.detail, Detail::Pass(..) | Detail::Total(_) | Detail::PerReplica(_));
        is_reading && step.metric.map(|metric| metric.trace.index) == winner
    };
    let last = || steps.iter().rfind(|step| !step.changes_nothing());
    let bending = || steps.iter().rfind(bends).filter(|_| explanation.decision().desired() == Some(to));
    let step = bending().or_else(|| steps.iter().find(reads)).or_else(last);
    step.map(|step| step.code)
}

fn event(after: &Explanation, to: Replicas) -> RescaleEventReason {
    let last = after.snapshot().history.rescales.last().filter(|rescale| rescale.to == to);
    last.map_or(RescaleEventReason::Unclear, |rescale| rescale.reason)
}

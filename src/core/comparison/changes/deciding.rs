//! The decision that a look showed, and that the controller made after it.

use crate::explanation::{Detail, Explanation, Step};
use crate::model::Replicas;
use crate::snapshot::RescaleEventReason;
use crate::trace::{Code, Outcome, RescaleReason};

/// Whether a look showed this rescale, for the reason that the event tells.
pub(super) fn shows(
    look: &Explanation,
    replicas: (Replicas, Replicas),
    told: Option<RescaleEventReason>,
) -> bool {
    let Outcome::Scale { from, to, reason, failed: None } = &look.decision().outcome else { return false };
    let is_told = |told| told == RescaleEventReason::Unclear || told == event_reason(*reason);
    look.interval().is_none() && (*from, *to) == replicas && told.is_none_or(is_told)
}

/// The reason of the event that the controller emits.
const fn event_reason(reason: RescaleReason) -> RescaleEventReason {
    match reason {
        RescaleReason::AboveMax => RescaleEventReason::AboveMax,
        RescaleReason::BelowMin => RescaleEventReason::BelowMin,
        RescaleReason::AboveTarget(_) => RescaleEventReason::AboveTarget,
        RescaleReason::BelowTarget => RescaleEventReason::BelowTarget,
        RescaleReason::Empty => RescaleEventReason::Unclear,
    }
}

/// The code of the step that a person would name: a window, a policy or a bound that changes the replicas, else what the
/// deciding metric reads.
pub(super) fn code(explanation: &Explanation) -> Option<Code> {
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
    let step = steps.iter().rfind(bends).or_else(|| steps.iter().find(reads)).or_else(last);
    step.map(|step| step.code)
}

//! The decision that a look showed, and that the controller made after it.

use crate::explanation::Explanation;
use crate::model::Replicas;
use crate::snapshot::RescaleEventReason;
use crate::trace::{Outcome, RescaleReason};

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

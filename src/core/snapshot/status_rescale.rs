//! The rescale that a status tells of.

use crate::api::{ConditionReason, ConditionType, HpaStatus};
use crate::model::{Instant, Replicas};

/// The rescale of the sync that wrote a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusRescale {
    /// `status.lastScaleTime`, to the second.
    pub at: Instant,
    /// The replicas that the sync found.
    pub from: Replicas,
    /// The replicas that it set.
    pub to: Replicas,
}

impl StatusRescale {
    /// The rescale of the last sync; `None` if that made none, or knew another generation of the HPA.
    ///
    /// Each sync begins with the reason `SucceededGetScale`, and only one that rescales ends with `SucceededRescale` (upstream
    /// `reconcileAutoscaler`). A later sync keeps lastScaleTime beside replicas of its own.
    #[must_use]
    pub fn of(status: &HpaStatus, generation: i64) -> Option<Self> {
        let is_rescaled = status
            .condition(ConditionType::AbleToScale)
            .is_some_and(|it| it.reason == ConditionReason::SucceededRescale);
        let is_of_now = status.observed_generation.is_none_or(|seen| seen == generation);
        let at = status.last_scale_time.filter(|_| is_rescaled && is_of_now)?;
        Some(Self { at, from: Replicas(status.current_replicas), to: Replicas(status.desired_replicas) })
    }
}

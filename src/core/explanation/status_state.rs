//! The state of an HPA by its last status alone, for those who may read no more than the HPA. `states.md` beside this file
//! says the same for people.

use super::Explanation;
use crate::api::{Condition, ConditionReason, ConditionType};
use crate::model::HpaState;

/// A state, and the condition that shows it.
pub type StatusState<'a> = (HpaState, Option<&'a Condition>);

impl Explanation {
    /// The state at the last sync, if it is not known what the next one decides; `None` also before the first sync. What a
    /// status does not show is not in it: pods without a sample, for example.
    #[must_use]
    pub fn state_by_status(&self) -> Option<StatusState<'_>> {
        let status = &self.snapshot.hpa.status;
        (self.is_unknown() && status.is_written())
            .then(|| self.by_conditions(conditions_of(&status.conditions)))
    }

    fn by_conditions<'a>(&self, [able, active, limited]: [Option<&'a Condition>; 3]) -> StatusState<'a> {
        let (hpa, status) = (&self.snapshot.hpa, &self.snapshot.hpa.status);
        let is = |it: Option<&Condition>, word: &str| it.is_some_and(|it| it.status == word);
        let has = |it: Option<&'a Condition>, reasons: &[ConditionReason]| {
            it.filter(|it| it.known_reason().is_some_and(|reason| reasons.contains(&reason)))
        };
        if let Some(paused) = has(active, &[ConditionReason::ScalingDisabled]) {
            return (HpaState::SwitchedOff, Some(paused));
        }
        if let Some(failed) = [active, able].into_iter().find(|it| is(*it, "False")) {
            return (HpaState::Broken, failed);
        }
        // A metric that fails among others has a place in the status, and nothing in it.
        if status.current_metrics.iter().flatten().any(|metric| metric.kind.is_empty()) {
            return (HpaState::Broken, None);
        }
        let (current, desired) = (status.current_replicas, status.desired_replicas);
        let kept = has(able, &[ConditionReason::ScaleUpStabilized, ConditionReason::ScaleDownStabilized])
            .or_else(|| has(limited, &[ConditionReason::ScaleUpLimit, ConditionReason::ScaleDownLimit]))
            .filter(|_| current == desired);
        match kept {
            Some(kept) => (HpaState::Held, Some(kept)),
            // Without conditions nothing says why.
            None if desired == current && status.conditions.is_empty() => (HpaState::Unknown, None),
            None if desired == hpa.max.0 => {
                (HpaState::AtMax, has(limited, &[ConditionReason::TooManyReplicas]))
            }
            None if desired == 0 && !self.never_wakes() => (HpaState::Asleep, None),
            None if desired == hpa.min.0 => {
                (HpaState::AtMin, has(limited, &[ConditionReason::TooFewReplicas]))
            }
            None if desired != current => (HpaState::Scaling, able),
            None => (HpaState::Idle, None),
        }
    }
}

fn conditions_of(all: &[Condition]) -> [Option<&Condition>; 3] {
    [ConditionType::AbleToScale, ConditionType::ScalingActive, ConditionType::ScalingLimited]
        .map(|kind| all.iter().find(|condition| condition.kind == kind))
}

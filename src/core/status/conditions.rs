//! The condition list, changed as the controller changes it (upstream `setConditionInList`, `removeCondition`).

use crate::api::{Condition, ConditionType};
use crate::model::Instant;

/// The conditions of the status, as they are being changed.
pub(super) struct Conditions {
    list: Vec<Condition>,
    now: Instant,
}

impl Conditions {
    pub fn new(list: Vec<Condition>, now: Instant) -> Self {
        Self { list, now }
    }

    /// Overwrites the first condition of the type, or adds one at the end. The transition time moves only with the
    /// status.
    pub fn set(
        &mut self,
        kind: ConditionType,
        status: bool,
        reason: impl AsRef<str>,
        message: impl Into<String>,
    ) {
        let status = if status { "True" } else { "False" };
        // Upstream changes the first condition of a type and appends new ones, so the order tells the HPA's past and is
        // kept.
        let place = self.list.iter().position(|condition| condition.kind == kind).unwrap_or_else(|| {
            self.list.push(Condition { kind: kind.as_str().into(), ..Condition::default() });
            self.list.len() - 1
        });
        if let Some(condition) = self.list.get_mut(place) {
            // Reason and message may change without a new transition time (`setConditionInList`).
            if condition.status != status {
                condition.last_transition_time = Some(self.now);
                condition.status = status.into();
            }
            condition.reason = reason.as_ref().into();
            condition.message = message.into();
        }
    }

    /// What is set for an error that brings no condition: one without type, status, reason and message.
    pub fn set_blank(&mut self) {
        // Upstream hands an empty condition to `setCondition`: ContainerResource with its gate off returns an error
        // without one (1.27 to 1.29, `computeReplicasForMetric`).
        let blank = Condition::default();
        match self.list.iter_mut().find(|condition| condition.kind.is_empty()) {
            Some(condition) => {
                if !condition.status.is_empty() {
                    condition.last_transition_time = Some(self.now);
                }
                condition.status = blank.status;
                condition.reason = blank.reason;
                condition.message = blank.message;
            }
            None => self.list.push(blank),
        }
    }

    /// Drops every condition of the type.
    pub fn remove(&mut self, kind: ConditionType) {
        self.list.retain(|condition| condition.kind != kind);
    }

    pub fn into_list(self) -> Vec<Condition> {
        self.list
    }
}

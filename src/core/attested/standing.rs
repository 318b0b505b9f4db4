//! How long a failing status has stood: a sync that decides something else has to write another one, so a status that two
//! syncs have left is that of each sync since.

use crate::api::{Condition, ConditionReason, ConditionType};
use crate::model::{Denial, Duration, Instant};
use crate::snapshot::{Snapshot, WarningEvent};

/// A whole second: the API's times are truncated to it.
const SECOND: Duration = Duration::from_seconds(1);

/// What the last status and the events show of how long it has been so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing<'a> {
    pub snapshot: &'a Snapshot,
}

impl<'a> Standing<'a> {
    /// A condition that has failed for a reason.
    pub fn condition(self, kind: ConditionType, reason: ConditionReason) -> Option<&'a Condition> {
        let condition = self.snapshot.hpa.status.condition(kind)?;
        (condition.status == "False" && condition.reason == reason).then_some(condition)
    }

    /// ScalingActive, if a metric has failed.
    pub fn of_metrics(self) -> Option<&'a Condition> {
        let active = self.snapshot.hpa.status.condition(ConditionType::ScalingActive)?;
        (active.status == "False" && active.reason.starts_with("FailedGet")).then_some(active)
    }

    /// Whether the last sync ended at the metrics: a later stage, and a jump to a bound, leave another reason.
    pub fn ended_at_metrics(self) -> bool {
        let able = self.snapshot.hpa.status.condition(ConditionType::AbleToScale);
        able.is_some_and(|able| able.reason == ConditionReason::SucceededGetScale)
    }

    /// Whether the metric at a place failed in the last sync, beside others that did not: it left an empty status.
    pub fn is_blank(self, index: usize) -> bool {
        let hpa = &self.snapshot.hpa;
        let metrics = hpa.status.current_metrics.as_deref().unwrap_or_default();
        metrics.len() == hpa.metrics.len() && metrics.get(index).is_some_and(|metric| metric.kind.is_empty())
    }

    /// Whether a condition has failed in two syncs of this spec at least, up to the last one.
    pub fn stands(self, condition: &Condition, events: &[&WarningEvent]) -> bool {
        let written = self.snapshot.history.status_written;
        let mut since = condition.last_transition_time.into_iter().chain(written);
        self.is_of_the_controller()
            && (since.any(|at| self.is_two_syncs_ago(at)) || events.iter().any(|it| self.is_repeated(it)))
    }

    /// The same of a failed update, whose condition has another time after each sync.
    pub fn stands_by_events(self, events: &[&WarningEvent]) -> bool {
        let rescaled = self.snapshot.history.rescales.iter().map(|it| it.last).max();
        let has_not_worked = |it: &WarningEvent| rescaled.is_none_or(|at| at < it.seen.last);
        // The recorder may have dropped the later ones: the status is the last sync's.
        let is_older = |it: &WarningEvent| {
            self.is_two_syncs_ago(it.seen.first) && rescaled.is_none_or(|at| at < it.seen.first)
        };
        self.is_of_the_controller()
            && events.iter().any(|it| self.is_repeated(it) && has_not_worked(it) || is_older(it))
    }

    /// Whether an event was seen in two syncs at least, and in one of the last two.
    pub fn is_repeated(self, event: &WarningEvent) -> bool {
        let period = self.snapshot.controller.sync_period.value;
        let seen = event.seen;
        seen.count > 1
            && seen.first + period <= seen.last + SECOND
            && self.snapshot.taken_at <= self.two_syncs_after(seen.last)
    }

    /// Whether two syncs have come since.
    pub fn is_two_syncs_ago(self, at: Instant) -> bool {
        self.two_syncs_after(at) <= self.snapshot.taken_at
    }

    fn two_syncs_after(self, at: Instant) -> Instant {
        let period = self.snapshot.controller.sync_period.value;
        at + period + period + SECOND
    }

    /// Whether nobody else has written the status, and it is that of the spec that the controller works with.
    pub fn is_of_the_controller(self) -> bool {
        !self.snapshot.history.is_status_edited && self.is_of_this_spec()
    }

    fn is_of_this_spec(self) -> bool {
        let (hpa, history) = (&self.snapshot.hpa, &self.snapshot.history);
        let generation = self.snapshot.synced_generation();
        match hpa.status.observed_generation {
            Some(seen) if generation > 0 => seen == generation,
            _ => {
                history.spec_edited.is_none_or(|edited| history.status_written.is_some_and(|at| edited < at))
            }
        }
    }

    /// The API server's answer to whether the controller has a right now; `None` if nobody asked.
    pub fn has_right(self, denial: &Denial<'_>) -> Option<bool> {
        let mut access = self.snapshot.access.iter();
        let answer = access.find(|it| {
            let asked = [&it.user, &it.verb, &it.group, &it.resource].map(String::as_str);
            asked == [denial.user, denial.verb, denial.group, denial.resource]
        });
        answer.map(|it| it.allowed)
    }
}

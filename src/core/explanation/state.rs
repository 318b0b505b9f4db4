//! The state of an HPA: one word for a list of many. `states.md` beside this file says the same for people.

use super::Explanation;
use crate::api::{ConditionType, HpaStatus};
use crate::attested::Idle;
use crate::model::{HpaState, Instant, Replicas};
use crate::trace::{Gate, HoldReason, Outcome};

impl Explanation {
    /// The one word for it.
    #[must_use]
    pub fn state(&self) -> HpaState {
        HpaState::ALL.into_iter().find(|state| fits(*state, self)).unwrap_or(HpaState::Unknown)
    }

    /// Since when it has been in its state, if the last status shows it: the transition time of the condition that says so.
    #[must_use]
    pub fn state_since(&self) -> Option<Instant> {
        match self.state() {
            HpaState::Broken => {
                let [active, able] = [ConditionType::ScalingActive, ConditionType::AbleToScale];
                self.condition_since(active, "False").or_else(|| self.condition_since(able, "False"))
            }
            HpaState::SwitchedOff => self.condition_since(ConditionType::ScalingActive, "False"),
            HpaState::AtMax | HpaState::AtMin => self.condition_since(ConditionType::ScalingLimited, "True"),
            HpaState::Asleep => self.condition_since(ConditionType::ScaledToZero, "True"),
            HpaState::Held | HpaState::Scaling | HpaState::Idle | HpaState::Unknown => None,
        }
    }

    /// Since when a condition has had a status, if the controller wrote it with the same words that it writes now. It keeps
    /// its time if only reason or message change, so of other words the time is not known.
    #[must_use]
    pub fn condition_since(&self, kind: ConditionType, status: &str) -> Option<Instant> {
        let of = |it| HpaStatus::condition(it, kind).filter(|it| it.status == status);
        let (now, written) = (of(&self.report().status)?, of(&self.snapshot.hpa.status)?);
        let is_written = (&written.reason, &written.message) == (&now.reason, &now.message);
        now.last_transition_time.filter(|at| is_written && *at < self.now())
    }
}

/// Whether a state fits, whatever others do.
fn fits(state: HpaState, explanation: &Explanation) -> bool {
    match state {
        HpaState::Broken => is_broken(explanation),
        HpaState::Held => is_held(explanation),
        HpaState::AtMax => {
            ends_at(explanation, explanation.snapshot.hpa.max, &Gate::AboveMax, |wanted, max| wanted >= max)
        }
        HpaState::Asleep => is_asleep(explanation),
        HpaState::AtMin => {
            !leaves_zero(explanation)
                && ends_at(explanation, explanation.snapshot.hpa.min, &Gate::BelowMin, |wanted, min| {
                    wanted <= min
                })
        }
        HpaState::Scaling => explanation.range().is_some() && !may_stay(explanation),
        HpaState::Idle => explanation.decision().choice.is_some() && may_stay(explanation),
        HpaState::SwitchedOff => is_switched_off(&explanation.decision().outcome),
        HpaState::Unknown => true,
    }
}

/// Also with one of several metrics: without it the controller may scale up, but never down.
fn is_broken(explanation: &Explanation) -> bool {
    let decision = explanation.decision();
    let attested = explanation.attested();
    decision.outcome.is_stopped()
        || explanation.faulty().next().is_some()
        || attested.idle.as_ref().is_some_and(Idle::is_shown)
        // By its last status the controller fails, even if the count is the same either way.
        || attested.failed_last()
}

/// A window, a rate or a disabled direction; pods without a sample, not ready, too many or too few; or a memory that is not
/// known.
fn is_held(explanation: &Explanation) -> bool {
    let decision = explanation.decision();
    // Beyond the bounds no metric is read: the replicas stay only if nobody may be at work.
    if matches!(decision.gate, Gate::AboveMax | Gate::BelowMin) {
        return may_stay(explanation);
    }
    let Some((choice, current)) = decision.choice.zip(explanation.current()) else { return false };
    let hpa = &explanation.snapshot.hpa;
    let aim = choice.after.max(hpa.min).min(hpa.max);
    may_stay(explanation)
        && (aim != current || explanation.interval().is_some() || is_held_by_pods(explanation))
}

fn is_held_by_pods(explanation: &Explanation) -> bool {
    explanation.cause().is_some_and(|cause| cause.about.is_of_pods())
}

/// Whether no change is among what is possible.
fn may_stay(explanation: &Explanation) -> bool {
    let range = explanation.range().zip(explanation.current());
    range.is_some_and(|((low, high), current)| low <= current && current <= high)
}

/// At zero by its own decision, from which this controller scales up again.
fn is_asleep(explanation: &Explanation) -> bool {
    let is_decided = explanation.decision().choice.is_some() && !explanation.never_wakes();
    is_decided && explanation.range() == Some((Replicas(0), Replicas(0)))
}

/// From its own zero the HPA goes up, if only to a minReplicas that was raised meanwhile.
fn leaves_zero(explanation: &Explanation) -> bool {
    explanation.current() == Some(Replicas(0))
}

/// Beyond the bounds the controller goes back to them before it reads any metric.
fn ends_at(
    explanation: &Explanation,
    bound: Replicas,
    beyond: &Gate,
    wants: fn(Replicas, Replicas) -> bool,
) -> bool {
    let decision = explanation.decision();
    explanation.range() == Some((bound, bound))
        && (decision.gate == *beyond || decision.choice.is_some_and(|choice| wants(choice.after, bound)))
}

fn is_switched_off(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Hold { reason: HoldReason::Disabled, .. })
}

//! The recomputed decision compared with what the controller wrote.

use super::other_inputs::{OtherFlag, other_flag, with_replicas_of_spec};
use super::same_status::{is_as_able, is_as_active, is_known_able, is_same};
use super::{Explanation, Remembered};
use crate::api::{ConditionReason, ConditionType};
use crate::memory_bounds::decided_at;
use crate::model::Instant;
use crate::status::report;
use crate::trace::{Calculation, Gate, HoldReason, Outcome};

/// The result of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelfCheck {
    /// The status has no condition that a sync always sets; most often the controller has not written it yet.
    NotWritten,
    /// Recomputed and written are the same, or what was written lies in the interval.
    Agrees,
    /// They differ, and why as far as it is known.
    Differs(Guess),
}

/// Why the two differ, from the most certain to the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// The controller has not seen the newest spec.
    OldSpec {
        /// The generation that it has seen.
        seen: i64,
        /// The newest one.
        newest: i64,
    },
    /// The target had another count when the status was written.
    OtherCount {
        /// As it was written.
        then: i32,
        /// As it is.
        now: i32,
    },
    /// The HPA is stopped by something that has come since.
    NewTrouble,
    /// 0 replicas, which stop the HPA now, did not stop it then: its spec or the controller has changed.
    StoppedAtZero,
    /// The bounds, which alone decide now, were others.
    OtherBounds,
    /// The controller was started after the status was written, and remembers nothing of before.
    Restarted,
    /// Nothing but the time: at this instant, about the last sync, the same input gives what was written.
    TimePassed {
        /// That instant.
        at: Instant,
    },
    /// With as many `status.replicas` as `spec.replicas` the same inputs give what was written.
    OtherPods {
        /// `scale.spec.replicas`.
        spec: i32,
        /// `scale.status.replicas`.
        status: i32,
    },
    /// The metrics were others.
    OtherMetrics,
    /// The status was written at 0 replicas, where it shows the same for each value of the deciding metric.
    HiddenAtZero,
    /// The controller could not decide then, and the status says why.
    StoppedThen,
    /// The status does not show the metrics of its sync.
    MetricsNotShown,
    /// What held the count then holds it no more.
    WindowPassed,
    /// Recommendations that are not known here hold the count.
    UnknownMemory,
    /// With another value of a flag that is only assumed the same inputs give what was written.
    OtherFlag(OtherFlag),
    /// Nothing that can be seen from here.
    NotVisible,
}

impl Explanation {
    /// Compares, where there is something to compare: not for a decision that is not known, nor where the controller crashes
    /// before it writes.
    #[must_use]
    pub fn self_check(&self) -> Option<SelfCheck> {
        if matches!(
            self.decision().outcome,
            Outcome::Unknown(_) | Outcome::Hold { reason: HoldReason::Crash, .. }
        ) {
            return None;
        }
        let written = &self.snapshot().hpa.status;
        if written.condition(ConditionType::AbleToScale).is_none()
            && written.condition(ConditionType::ScalingActive).is_none()
        {
            return Some(SelfCheck::NotWritten);
        }
        let recomputed = &self.report().status;
        let is_able = match self.unneeded_write() {
            Some(_) => is_as_active(recomputed, written) && is_known_able(written),
            None => is_as_able(recomputed, written),
        };
        let agrees = self.may_write(written.desired_replicas) && is_able;
        Some(if agrees { SelfCheck::Agrees } else { SelfCheck::Differs(guess(self)) })
    }

    /// True if a controller at work may leave this as `status.desiredReplicas`.
    #[must_use]
    pub fn may_write(&self, desired: i32) -> bool {
        let (least, most) = self.written_range();
        (least..=most).contains(&desired)
    }

    /// Lowest and highest `status.desiredReplicas` that a controller at work may leave.
    #[must_use]
    pub fn written_range(&self) -> (i32, i32) {
        let recomputed = self.report().status.desired_replicas;
        if self.snapshot().writes.scale.is_none() {
            let attested = self.attested();
            let at_work = attested.otherwise.filter(|(low, high)| attested.is_idle() && low != high);
            let open = self.interval().or(at_work).or(self.answer().asked);
            return open.map_or((recomputed, recomputed), |(low, high)| (low.0, high.0));
        }
        // A refused write leaves what was there before.
        let kept = self.snapshot().hpa.status.desired_replicas;
        self.unneeded_write().map_or((recomputed, recomputed), |now| (kept.min(now), kept.max(now)))
    }

    /// The current replicas, if writes are refused and it is not known whether one is needed.
    fn unneeded_write(&self) -> Option<i32> {
        self.snapshot().writes.scale.as_ref()?;
        let (low, high) = self.answer().asked?;
        self.current().filter(|now| (low..=high).contains(now)).map(|now| now.0)
    }
}

fn guess(explanation: &Explanation) -> Guess {
    let hpa = &explanation.snapshot().hpa;
    let (written, recomputed) = (&hpa.status, &explanation.report().status);
    let seen = written.observed_generation.filter(|seen| *seen < hpa.generation);
    if let Some(seen) = seen {
        return Guess::OldSpec { seen, newest: hpa.generation };
    }
    let now = explanation.current().map(|current| current.0);
    if let Some(now) = now.filter(|now| *now != written.current_replicas) {
        return Guess::OtherCount { then: written.current_replicas, now };
    }
    let is_shown = written.current_metrics.is_some();
    if is_stopped(&explanation.decision().outcome) && explanation.unneeded_write().is_none() {
        stopped(explanation)
    } else if matches!(explanation.decision().gate, Gate::AboveMax | Gate::BelowMin)
        || is_below_min(explanation)
    {
        Guess::OtherBounds
    } else if has_restarted(explanation) {
        Guess::Restarted
    } else if let Some(at) = time_alone(explanation) {
        Guess::TimePassed { at }
    } else if let Some((spec, status)) = with_replicas_of_spec(explanation) {
        Guess::OtherPods { spec, status }
    } else if is_shown
        && recomputed.current_metrics.is_some()
        && written.current_metrics != recomputed.current_metrics
    {
        Guess::OtherMetrics
    } else if written.current_replicas == 0 && divides_by_replicas(explanation) {
        Guess::HiddenAtZero
    } else if !is_shown && written.inactive().is_some() {
        Guess::StoppedThen
    } else if !is_shown {
        Guess::MetricsNotShown
    } else if has_let_go(explanation) {
        Guess::WindowPassed
    } else if memory_matters(explanation) {
        Guess::UnknownMemory
    } else if let Some(flag) = other_flag(explanation) {
        Guess::OtherFlag(flag)
    } else {
        Guess::NotVisible
    }
}

/// True if metrics led to fewer replicas than minReplicas, which no metric does now.
fn is_below_min(explanation: &Explanation) -> bool {
    let hpa = &explanation.snapshot().hpa;
    let active = hpa.status.condition(ConditionType::ScalingActive);
    hpa.status.desired_replicas < hpa.min.0 && active.is_some_and(|active| active.status == "True")
}

/// Why an HPA is stopped that was not.
fn stopped(explanation: &Explanation) -> Guess {
    let written = &explanation.snapshot().hpa.status;
    let was_at_zero = written.current_replicas == 0;
    let was_active =
        written.condition(ConditionType::ScalingActive).is_some_and(|active| active.status == "True");
    if explanation.decision().gate == Gate::Disabled && was_at_zero && was_active {
        Guess::StoppedAtZero
    } else {
        Guess::NewTrouble
    }
}

/// Whether the deciding metric is divided by the replicas: at 0 the status has the same for each value of it.
fn divides_by_replicas(explanation: &Explanation) -> bool {
    let winner = explanation.decision().winner();
    winner.is_some_and(|(_, proposal)| matches!(proposal.calculation, Calculation::PerReplica(_)))
}

/// Whether the decision hangs on what the controller remembers, and that is not known: not where all that it can remember
/// leads to one decision.
fn memory_matters(explanation: &Explanation) -> bool {
    explanation.decision().stabilized.is_some()
        && explanation.unneeded_write().is_none()
        && match explanation.remembered() {
            Remembered::Bounded(..) => true,
            Remembered::Unknown => !explanation.is_first_reconcile(),
            Remembered::Known | Remembered::BoundsAgree => false,
        }
}

/// Whether the controller that wrote the status is another than the one that decides now.
fn has_restarted(explanation: &Explanation) -> bool {
    if explanation.attested().is_idle() {
        return true;
    }
    let snapshot = explanation.snapshot();
    let started = snapshot.controller.started_at();
    started.zip(snapshot.history.status_written).is_some_and(|(started, written)| written < started)
}

/// An instant of the last sync at which the same input gives what was written: windows, periods and readiness of pods
/// run out with time alone.
fn time_alone(explanation: &Explanation) -> Option<Instant> {
    let snapshot = explanation.snapshot();
    let written = &snapshot.hpa.status;
    let period = snapshot.controller.sync_period.value;
    let (synced, earliest) = (explanation.now() - period, explanation.now() - period - period);
    let remembered = snapshot.memory.recommendations.iter().map(|recommendation| recommendation.at).max();
    let remembered = remembered.filter(|_| explanation.memory_is_known());
    let instants = remembered.into_iter().chain([synced]).chain(snapshot.history.status_written);
    instants.filter(|at| *at < explanation.now() && *at >= earliest).find(|at| {
        let (then, decision) = decided_at(snapshot, explanation.rules(), *at);
        let recomputed = report(&then, &decision, explanation.rules()).status;
        is_same(&recomputed, written) && recomputed.current_metrics == written.current_metrics
    })
}

/// Whether something stops the HPA.
fn is_stopped(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::NoScale | Outcome::Scale { failed: Some(_), .. } => true,
        Outcome::Hold { reason, .. } => match reason {
            HoldReason::Decided => false,
            HoldReason::Disabled
            | HoldReason::Selector
            | HoldReason::AllMetricsInvalid
            | HoldReason::Crash
            | HoldReason::InvalidMetricBlocksDown => true,
        },
        Outcome::Scale { failed: None, .. } | Outcome::Unknown(_) => false,
    }
}

/// Stabilization held the count at the last sync, and what the window has now does not hold it there.
fn has_let_go(explanation: &Explanation) -> bool {
    let status = &explanation.snapshot().hpa.status;
    let (Some(able), Some(window)) =
        (status.condition(ConditionType::AbleToScale), &explanation.decision().stabilized)
    else {
        return false;
    };
    match able.known_reason() {
        Some(ConditionReason::ScaleDownStabilized) => window.after.0 < status.desired_replicas,
        Some(ConditionReason::ScaleUpStabilized) => window.after.0 > status.desired_replicas,
        _ => false,
    }
}

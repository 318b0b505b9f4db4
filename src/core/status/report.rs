//! What one reconcile writes: the status, the events, the returned error.

use super::conditions::Conditions;
use super::current::metric_status;
use super::format_again::format_again;
use super::words::{FailureWords, failure_words, metric_name};
use crate::api::{ConditionReason, ConditionType, HpaStatus, MetricStatus};
use crate::rules::{AmbiguousText, FromZero, Rules};
use crate::snapshot::{HpaKey, ReadError, Snapshot};
use crate::trace::{
    Decision, Gate, HoldReason, LimitReason, Outcome, RescaleReason, ScaleFailure, SelectorVerdict,
    Stabilization, Stabilized, Verdict,
};

/// What one reconcile writes. For a decision that is not known, the part before the unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The whole status after the reconcile: the one that it would write, or the current one if nothing changed.
    pub status: HpaStatus,
    /// Whether it differs from the one before, so that it is written at all.
    pub status_changed: bool,
    /// The events in the order of their emission.
    pub events: Vec<Event>,
    /// The error that reconcile returns: it is only logged.
    pub error: Option<String>,
}

/// An event of the controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Whether it is a Warning; else Normal.
    pub warning: bool,
    /// The short reason.
    pub reason: &'static str,
    /// The sentence.
    pub message: String,
}

/// What the controller would write about a decision.
#[must_use]
pub fn report(snapshot: &Snapshot, decision: &Decision, rules: &Rules) -> Report {
    Writer::new(snapshot, decision, rules).write()
}

struct Writer<'a> {
    snapshot: &'a Snapshot,
    decision: &'a Decision,
    rules: &'a Rules,
    conditions: Conditions,
    events: Vec<Event>,
}

/// What a reconcile does after its status is written.
#[derive(Default)]
struct Ending {
    warning: Option<(&'static str, String)>,
    error: Option<String>,
    /// Whether a failed status write takes the place of the error.
    yields: bool,
}

impl<'a> Writer<'a> {
    fn new(snapshot: &'a Snapshot, decision: &'a Decision, rules: &'a Rules) -> Self {
        let conditions = Conditions::new(snapshot.hpa.status.conditions.clone(), snapshot.taken_at);
        Self { snapshot, decision, rules, conditions, events: Vec::new() }
    }

    fn warn(&mut self, reason: &'static str, message: String) {
        self.events.push(Event { warning: true, reason, message });
    }

    fn write(mut self) -> Report {
        let before = &self.snapshot.hpa.status;
        if let Gate::NoScale(failure) = &self.decision.gate {
            let error = self.no_scale(failure);
            return self.finish(before.clone(), Ending { error: Some(error), ..Ending::default() });
        }
        if let Gate::Unknown(_) = &self.decision.gate {
            return self.finish(before.clone(), Ending::default());
        }
        let message = "the HPA controller was able to get the target's current scale";
        // Stabilization or the rescale overwrites this reason later; it is visible only if the reconcile ends before
        // that.
        self.conditions.set(ConditionType::AbleToScale, true, ConditionReason::SucceededGetScale, message);
        // The process ends before it writes anything: the conditions set so far are lost with it.
        if let Outcome::Hold { reason: HoldReason::Crash, .. } = self.decision.outcome {
            return Self::new(self.snapshot, self.decision, self.rules)
                .finish(before.clone(), Ending::default());
        }
        if self.decision.gate == Gate::Disabled {
            self.disabled();
        }
        let failure = self.measured();
        self.normalized();
        let (current, desired, rescaled) = self.actuated();
        let ending = self.ending(failure);
        let status = HpaStatus {
            observed_generation: self.rules.observed_generation.then_some(self.snapshot.hpa.generation),
            last_scale_time: if rescaled { Some(self.snapshot.taken_at) } else { before.last_scale_time },
            current_replicas: current,
            // A failed reconcile keeps the desired replicas of the last good one
            // (`setCurrentReplicasAndMetricsInStatus`).
            desired_replicas: desired.unwrap_or(before.desired_replicas),
            current_metrics: self.current_metrics(),
            conditions: Vec::new(),
        };
        self.finish(status, ending)
    }

    fn no_scale(&mut self, failure: &ScaleFailure) -> String {
        let (error, returned) = match failure {
            ScaleFailure::ApiVersion(error) => {
                (error.to_string(), format!("invalid API version in scale target reference: {error}"))
            }
            ScaleFailure::Mapping(ReadError { message, .. }) => (
                message.clone(),
                format!("unable to determine resource for scale target reference: {message}"),
            ),
            ScaleFailure::Get(ReadError { message, .. }) => (
                message.clone(),
                format!("failed to query scale subresource for {}: {message}", self.reference()),
            ),
        };
        let message = format!("the HPA controller was unable to get the target's current scale: {error}");
        self.conditions.set(ConditionType::AbleToScale, false, ConditionReason::FailedGetScale, message);
        self.warn(ConditionReason::FailedGetScale.as_str(), error);
        returned
    }

    fn reference(&self) -> String {
        let hpa = &self.snapshot.hpa;
        format!("{}/{}/{}", hpa.target.kind, hpa.key.namespace, hpa.target.name)
    }

    fn disabled(&mut self) {
        let message = "scaling is disabled since the replica count of the target is zero";
        self.conditions.set(ConditionType::ScalingActive, false, ConditionReason::ScalingDisabled, message);
        // With its gate off upstream removes the condition, here and after a rescale (1.36).
        if self.rules.from_zero == FromZero::Condition && !self.rules.scale_to_zero {
            self.conditions.remove(ConditionType::ScaledToZero);
        }
    }

    /// The selector and the metrics; returns the error that they leave.
    fn measured(&mut self) -> Option<String> {
        if let Some(error) = self.selector_error() {
            return Some(error);
        }
        let failures = self.metric_failures();
        // Each failed metric emits an event (`getUnableComputeReplicaCountCondition`), but only the first one becomes
        // the condition.
        for words in failures.iter().filter(|words| !words.reason.is_empty()) {
            self.warn(words.reason, words.message.clone());
        }
        let first = failures.first();
        match (&self.decision.choice, first) {
            (Some(choice), _) => {
                let winner = self.metric_name(choice.winner);
                let message =
                    format!("the HPA was able to successfully calculate a replica count from {winner}");
                self.conditions.set(
                    ConditionType::ScalingActive,
                    true,
                    ConditionReason::ValidMetricFound,
                    message,
                );
            }
            (None, Some(first)) => {
                self.invalid(first);
            }
            (None, None) => {}
        }
        let all = self.decision.metrics.len();
        // Up to 1.26 the error of an invalid metric was dropped if another metric decided.
        let is_returned = self.decision.choice.is_none() || self.rules.returns_partial_error;
        first.filter(|_| is_returned).map(|first| {
            format!(
                "invalid metrics ({} invalid out of {all}), first error is: {}",
                failures.len(),
                first.error
            )
        })
    }

    /// The condition of the first invalid metric. One that is switched off leaves a condition without a name.
    fn invalid(&mut self, first: &FailureWords) {
        let message = self.once_more(first.condition());
        if first.reason.is_empty() {
            self.conditions.set_blank();
        } else {
            self.conditions.set(ConditionType::ScalingActive, false, first.reason, message);
        }
    }

    /// A message that old controllers took for a format.
    fn once_more(&self, message: String) -> String {
        if self.rules.formats_twice { format_again(&message) } else { message }
    }

    fn metric_name(&self, index: usize) -> String {
        let spec = self.snapshot.hpa.metrics.get(index);
        spec.map(|spec| metric_name(spec, self.rules)).unwrap_or_default()
    }

    fn metric_failures(&self) -> Vec<FailureWords> {
        let failed = self.decision.metrics.iter().filter_map(|metric| match &metric.verdict {
            Verdict::Failed(failure) => Some((metric.index, failure)),
            Verdict::Proposal(_) | Verdict::Unknown(_) => None,
        });
        failed
            .filter_map(|(index, failure)| {
                let spec = self.snapshot.hpa.metrics.get(index)?;
                failure_words(self.snapshot, self.rules, spec, failure).into_iter().next()
            })
            .collect()
    }

    fn selector_error(&mut self) -> Option<String> {
        let (condition, error) = match self.decision.selector.as_ref()? {
            SelectorVerdict::Good | SelectorVerdict::Unknown(_) => return None,
            SelectorVerdict::Unlisted(error) => return Some(error.message.clone()),
            SelectorVerdict::Missing => {
                let condition = "the HPA target's scale is missing a selector";
                self.conditions.set(
                    ConditionType::ScalingActive,
                    false,
                    ConditionReason::InvalidSelector,
                    condition,
                );
                let error = "selector is required".to_owned();
                self.warn("SelectorRequired", error.clone());
                return Some(error);
            }
            SelectorVerdict::Invalid(error) => {
                let error = format!(
                    "couldn't convert selector into a corresponding internal selector object: {error}"
                );
                (ConditionReason::InvalidSelector, error)
            }
            SelectorVerdict::Ambiguous(claimants) => {
                (ConditionReason::AmbiguousSelector, self.ambiguous_words(claimants))
            }
        };
        // Old controllers passed the finished text as a format to `setCondition` and to `fmt.Errorf`, but not to the
        // event recorder: the event is clean.
        let again = self.once_more(error.clone());
        self.conditions.set(ConditionType::ScalingActive, false, condition, again.clone());
        self.warn(condition.as_str(), error);
        Some(again)
    }

    fn ambiguous_words(&self, claimants: &[HpaKey]) -> String {
        let shown = if self.rules.ambiguous_limit { 2 } else { claimants.len() };
        let names = claimants.iter().take(shown).map(|key| format!("{}/{}", key.namespace, key.name));
        let names = names.collect::<Vec<_>>().join(" ");
        let text = self.snapshot.selector_text();
        match self.rules.ambiguous {
            None => String::new(),
            Some(AmbiguousText::Multiple) => {
                format!("pods by selector {text} are controlled by multiple HPAs: [{names}]")
            }
            Some(AmbiguousText::MoreThanOne) => {
                format!("pods by selector {text} are controlled by more than one HPA (e.g. [{names}])")
            }
        }
    }

    fn normalized(&mut self) {
        if let Some(stabilized) = &self.decision.stabilized {
            let (reason, message) = self.stabilized_words(stabilized);
            self.conditions.set(ConditionType::AbleToScale, true, reason, message);
        }
        if let Some(limited) = &self.decision.limited {
            let (reason, message) = limit_words(limited.reason);
            self.conditions.set(
                ConditionType::ScalingLimited,
                limited.before != limited.after,
                reason,
                message,
            );
        }
    }

    fn stabilized_words(&self, stabilized: &Stabilized) -> (ConditionReason, &'static str) {
        const UP: (ConditionReason, &str) = (
            ConditionReason::ScaleUpStabilized,
            "recent recommendations were lower than current one, applying the lowest recent recommendation",
        );
        const DOWN: (ConditionReason, &str) = (
            ConditionReason::ScaleDownStabilized,
            "recent recommendations were higher than current one, applying the highest recent recommendation",
        );
        if stabilized.before == stabilized.after {
            return (ConditionReason::ReadyForNewScale, "recommended size matches current size");
        }
        let current = self.snapshot.scale.as_ref().map_or(stabilized.before, |scale| scale.replicas);
        match stabilized.how {
            // Upstream names the direction by what the metrics recommend and not by what stabilization did.
            Stabilization::Behavior(_) if stabilized.before >= current => UP,
            Stabilization::Behavior(_) | Stabilization::Legacy(_) => DOWN,
        }
    }

    /// The write of the scale; returns current replicas, desired replicas (`None` leaves them as they were) and
    /// whether a rescale succeeded.
    fn actuated(&mut self) -> (i32, Option<i32>, bool) {
        let current = self.snapshot.scale.as_ref().map_or(0, |scale| scale.replicas.0);
        match &self.decision.outcome {
            Outcome::Hold { at, reason: HoldReason::Decided | HoldReason::Disabled } => {
                (current, Some(at.0), false)
            }
            Outcome::Hold { .. } | Outcome::NoScale | Outcome::Unknown(_) => (current, None, false),
            Outcome::Scale { to, reason, failed: Some(error), .. } => {
                let reason = self.rescale_words(*reason);
                let text = &error.message;
                // "New size" is the size that was asked for, which the target never got.
                self.warn("FailedRescale", format!("New size: {}; reason: {reason}; error: {text}", to.0));
                let message = format!("the HPA controller was unable to update the target scale: {text}");
                self.conditions.set(
                    ConditionType::AbleToScale,
                    false,
                    ConditionReason::FailedUpdateScale,
                    message,
                );
                (current, None, false)
            }
            Outcome::Scale { to, reason, failed: None, .. } => {
                let message = format!("the HPA controller was able to update the target scale to {}", to.0);
                self.conditions.set(
                    ConditionType::AbleToScale,
                    true,
                    ConditionReason::SucceededRescale,
                    message,
                );
                let message = format!("New size: {}; reason: {}", to.0, self.rescale_words(*reason));
                self.events.push(Event { warning: false, reason: "SuccessfulRescale", message });
                // On each rescale of each HPA, even without minReplicas 0, so that the condition is never stale (1.36).
                self.mark_zero(current, to.0);
                (current, Some(to.0), true)
            }
        }
    }

    fn rescale_words(&self, reason: RescaleReason) -> String {
        match reason {
            RescaleReason::AboveMax => "Current number of replicas above Spec.MaxReplicas".to_owned(),
            RescaleReason::BelowMin => "Current number of replicas below Spec.MinReplicas".to_owned(),
            RescaleReason::AboveTarget(winner) => {
                let name = self.metric_name(winner);
                format!("{name} above target")
            }
            RescaleReason::BelowTarget => "All metrics below target".to_owned(),
            RescaleReason::Empty => String::new(),
        }
    }

    /// The ScaledToZero condition after a rescale, which distinguishes the HPA's own zero from a manual one.
    fn mark_zero(&mut self, from: i32, to: i32) {
        let hpa = &self.snapshot.hpa;
        if self.rules.from_zero == FromZero::MinReplicas {
            return;
        }
        if !self.rules.scale_to_zero {
            self.conditions.remove(ConditionType::ScaledToZero);
        } else if from > 0 && to == 0 && hpa.min.0 == 0 && hpa.outlives_pods() {
            let message = "the HPA controller scaled the workload to zero";
            self.conditions.set(ConditionType::ScaledToZero, true, ConditionReason::ScaledToZero, message);
        } else {
            let message = "the HPA controller did not scale the workload to zero";
            self.conditions.set(
                ConditionType::ScaledToZero,
                false,
                ConditionReason::NotScaledToZero,
                message,
            );
        }
    }

    fn current_metrics(&self) -> Option<Vec<MetricStatus>> {
        // Up to 1.28 only the last part of a reconcile replaced the list, so a failure left that of an earlier one.
        if !self.rules.renews_metrics_on_failure && self.has_failed() {
            return self.snapshot.hpa.status.current_metrics.clone();
        }
        let specs = self.snapshot.hpa.metrics.iter();
        let traces = &self.decision.metrics;
        // A jump to a bound asks no metric and clears the list; upstream's nil slice is no list.
        (!traces.is_empty())
            .then(|| specs.zip(traces).map(|(spec, trace)| metric_status(spec, trace, self.rules)).collect())
    }

    /// Whether the reconcile ends before its last part, in which the status is set as a whole.
    fn has_failed(&self) -> bool {
        match &self.decision.outcome {
            Outcome::Hold { reason: HoldReason::Decided | HoldReason::Disabled, .. }
            | Outcome::Scale { failed: None, .. }
            | Outcome::NoScale
            | Outcome::Unknown(_) => false,
            Outcome::Hold { .. } | Outcome::Scale { failed: Some(_), .. } => true,
        }
    }

    fn ending(&self, failure: Option<String>) -> Ending {
        match &self.decision.outcome {
            Outcome::Hold { reason: HoldReason::Decided | HoldReason::Disabled, .. }
            // Only here a failed status write becomes the returned error; earlier exits log it and return their own
            // (`reconcileAutoscaler`).
            | Outcome::Scale { failed: None, .. } => Ending { warning: None, error: failure, yields: true },
            Outcome::Hold { .. } => {
                let error = failure.unwrap_or_default();
                let reference = self.reference();
                let returned = format!(
                    "failed to compute desired number of replicas based on listed metrics for {reference}: {error}"
                );
                let warning = Some(("FailedComputeMetricsReplicas", error));
                Ending { warning, error: Some(returned), yields: false }
            }
            Outcome::Scale { failed: Some(error), .. } => {
                let returned = format!("failed to rescale {}: {}", self.reference(), error.message);
                Ending { warning: None, error: Some(returned), yields: false }
            }
            Outcome::NoScale | Outcome::Unknown(_) => Ending::default(),
        }
    }

    fn finish(mut self, mut status: HpaStatus, mut ending: Ending) -> Report {
        status.conditions =
            std::mem::replace(&mut self.conditions, Conditions::new(Vec::new(), self.snapshot.taken_at))
                .into_list();
        let before = &self.snapshot.hpa.status;
        // Upstream writes only a changed status (`updateStatusIfNeeded`), so one status may stand for many syncs.
        let status_changed = differs(before, &status);
        if !status_changed {
            status.clone_from(before);
        }
        // Before the ending's event: upstream writes the status first and emits FailedComputeMetricsReplicas after it.
        if let Some(error) = self.snapshot.writes.status.as_ref().filter(|_| status_changed) {
            self.warn("FailedUpdateStatus", error.message.clone());
            if ending.yields {
                let name = &self.snapshot.hpa.key.name;
                ending.error = Some(format!("failed to update status for {name}: {}", error.message));
            }
        }
        if let Some((reason, message)) = ending.warning {
            self.warn(reason, message);
        }
        Report { status, status_changed, events: self.events, error: ending.error }
    }
}

/// Semantic inequality: an empty list of metrics is no list.
fn differs(before: &HpaStatus, after: &HpaStatus) -> bool {
    let normal = |status: &HpaStatus| HpaStatus {
        current_metrics: Some(status.current_metrics.clone().unwrap_or_default()),
        ..status.clone()
    };
    normal(before) != normal(after)
}

fn limit_words(reason: LimitReason) -> (ConditionReason, &'static str) {
    match reason {
        LimitReason::DesiredWithinRange => {
            (ConditionReason::DesiredWithinRange, "the desired count is within the acceptable range")
        }
        LimitReason::ScaleUpLimit => (
            ConditionReason::ScaleUpLimit,
            "the desired replica count is increasing faster than the maximum scale rate",
        ),
        LimitReason::ScaleDownLimit => (
            ConditionReason::ScaleDownLimit,
            "the desired replica count is decreasing faster than the maximum scale rate",
        ),
        LimitReason::TooManyReplicas => (
            ConditionReason::TooManyReplicas,
            "the desired replica count is more than the maximum replica count",
        ),
        LimitReason::TooFewReplicas => (
            ConditionReason::TooFewReplicas,
            "the desired replica count is less than the minimum replica count",
        ),
    }
}

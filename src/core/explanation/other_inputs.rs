//! Inputs other than those that are seen or assumed, with which the controller decides what it wrote.

use super::Explanation;
use super::same_status::{is_same, state};
use crate::api::ConditionType;
use crate::memory_bounds::answer;
use crate::model::{Duration, Evidence, Evidenced};
use crate::snapshot::{Controller, Snapshot};
use crate::status::report;

/// A flag of the controller and the value with which the same inputs give what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherFlag {
    /// Its name, without the prefix that all of them have.
    pub name: &'static str,
    /// The value.
    pub value: &'static str,
}

/// `scale.spec.replicas` and `scale.status.replicas`, if they differ and the same inputs give what was written as soon as
/// they do not.
pub(super) fn with_replicas_of_spec(explanation: &Explanation) -> Option<(i32, i32)> {
    let mut other = explanation.snapshot().clone();
    let scale = other.scale.as_mut().ok().filter(|scale| scale.observed != scale.replicas)?;
    let replicas = (scale.replicas.0, scale.observed.0);
    scale.observed = scale.replicas;
    gives_what_was_written(explanation, other).then_some(replicas)
}

/// The first flag that is only assumed and with another usual value of which the same inputs give what was written.
pub(super) fn other_flag(explanation: &Explanation) -> Option<OtherFlag> {
    let controller = &explanation.snapshot().controller;
    let tolerances = [(0.0, "0"), (0.01, "0.01"), (0.05, "0.05"), (0.15, "0.15"), (0.2, "0.2"), (0.3, "0.3")];
    let mut tolerances =
        tolerances.into_iter().filter(|_| controller.tolerance.evidence >= Evidence::Assumed);
    let tolerance = tolerances
        .find(|(tolerance, _)| gives(explanation, |controller| controller.tolerance.value = *tolerance));
    if let Some((_, value)) = tolerance {
        return Some(OtherFlag { name: "tolerance", value });
    }
    let periods = [(0, "0s"), (10, "10s"), (60, "1m"), (120, "2m"), (180, "3m"), (600, "10m"), (900, "15m")];
    let flags: [(&str, Period); 3] = [
        ("downscale-stabilization", |it| &mut it.downscale_stabilization),
        ("cpu-initialization-period", |it| &mut it.cpu_initialization_period),
        ("initial-readiness-delay", |it| &mut it.initial_readiness_delay),
    ];
    flags.into_iter().find_map(|(name, period)| {
        let is_assumed = period(&mut controller.clone()).evidence >= Evidence::Assumed;
        let (_, value) = periods.into_iter().filter(|_| is_assumed).find(|(seconds, _)| {
            gives(explanation, |controller| period(controller).value = Duration::from_seconds(*seconds))
        })?;
        Some(OtherFlag { name, value })
    })
}

/// A flag that is a period.
type Period = fn(&mut Controller) -> &mut Evidenced<Duration>;

fn gives(explanation: &Explanation, set: impl FnOnce(&mut Controller)) -> bool {
    let mut other = explanation.snapshot().clone();
    set(&mut other.controller);
    gives_what_was_written(explanation, other)
}

/// Whether other inputs lead to the status that was written, with its metrics and reasons.
fn gives_what_was_written(explanation: &Explanation, mut other: Snapshot) -> bool {
    let written = &explanation.snapshot().hpa.status;
    let answer = answer(&mut other, explanation.rules());
    let status = report(&other, &answer.decision, explanation.rules()).status;
    let has_reason = |kind: ConditionType| state(&status, kind) == state(written, kind);
    answer.interval.is_none()
        && is_same(&status, written)
        && status.current_metrics == written.current_metrics
        && has_reason(ConditionType::AbleToScale)
        && has_reason(ConditionType::ScalingLimited)
}

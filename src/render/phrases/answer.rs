//! The answer: what the replicas are, what they become, and the one reason.

use std::iter;

use super::{attested, doubt, failure, limit, metric, reason::reason, unread, written};
use crate::render::claims::{At, Latest};
use crate::render::page::Role;
use crate::render::units::{clock, count, list, moment, replicas};
use kubectl_hpa_core::api::ConditionType;
use kubectl_hpa_core::attested::About;
use kubectl_hpa_core::causes::{About as Cause, ZeroOf};
use kubectl_hpa_core::explanation::{Explanation, Remembered};
use kubectl_hpa_core::model::{Duration, Instant, Replicas};
use kubectl_hpa_core::trace::{Gate, HoldReason, Outcome, SelectorVerdict, Stabilization, Unread, Verdict};
use kubectl_hpa_core::whatif::{Rest, Step};

/// The second line of a screen.
pub(in crate::render) struct AnswerLine {
    /// How calm it is.
    pub role: Role,
    /// From what to what.
    pub left: String,
    /// Why, in half a sentence.
    pub right: String,
}

/// The answer to a decision.
pub(in crate::render) fn answer(explanation: &Explanation) -> AnswerLine {
    if let Some((left, right)) = attested::answer(explanation) {
        return AnswerLine { role: Role::Stops, left, right };
    }
    let mut answer = by_outcome(explanation);
    // A metric that fails beside others keeps the HPA from scaling down, whatever is decided now.
    if explanation.decision().choice.is_some() && explanation.faulty().next().is_some() {
        answer.role = Role::Stops;
        answer.right = format!("{}; {}", answer.right, failed_names(explanation));
    }
    answer
}

fn by_outcome(explanation: &Explanation) -> AnswerLine {
    match &explanation.decision().outcome {
        Outcome::NoScale => no_scale(explanation),
        Outcome::Unknown(unread) => unknown(explanation, unread),
        Outcome::Hold { at, reason } => hold(explanation, *at, *reason),
        Outcome::Scale { from, to, failed: Some(error), .. } => AnswerLine {
            role: Role::Stops,
            left: format!("{} → {} wanted, stays at {}", replicas(from.0), to.0, from.0),
            right: lacking(explanation, About::Update, || {
                format!("the write failed: {}", unread::status(error))
            }),
        },
        Outcome::Scale { from, to, failed: None, .. } => scale(explanation, *from, *to),
    }
}

fn no_scale(explanation: &Explanation) -> AnswerLine {
    let left = match explanation.current() {
        Some(current) => format!("{} → cannot decide, stays at {}", replicas(current.0), current.0),
        None => "replicas unknown → cannot decide".to_owned(),
    };
    let right = with_since(
        explanation,
        ConditionType::AbleToScale,
        &lacking(explanation, About::Scale, || "the target's scale cannot be read".to_owned()),
    );
    AnswerLine { role: Role::Stops, left, right }
}

/// The right that the controller lacks for a read or a write, else other words.
fn lacking(explanation: &Explanation, about: About, or: impl FnOnce() -> String) -> String {
    let mut faults = explanation.attested().faults.iter();
    let fault = faults.find(|fault| fault.about == about && fault.is_certain && fault.denial().is_some());
    fault.map_or_else(or, |fault| attested::brief(explanation, fault))
}

/// `cpu, queue fail`: the metrics that failed.
fn failed_names(explanation: &Explanation) -> String {
    let names: Vec<String> = explanation.faulty().map(|(metric, _)| metric::label(metric.spec)).collect();
    let fail = if names.len() == 1 { "fails" } else { "fail" };
    format!("{} {fail}", names.join(", "))
}

fn unknown(explanation: &Explanation, unread: &Unread) -> AnswerLine {
    if let Some((left, reason)) = written::last(explanation) {
        return AnswerLine { role: Role::Holds, left, right: format!("{reason}; not recomputed here") };
    }
    let current = explanation.current().map_or_else(|| "replicas unknown".to_owned(), |at| replicas(at.0));
    let right = unread::brief(unread);
    AnswerLine { role: Role::Holds, left: format!("{current} → not known here"), right }
}

fn hold(explanation: &Explanation, at: Replicas, reason: HoldReason) -> AnswerLine {
    let count = replicas(at.0);
    let stays = format!("{count} → stays at {}", at.0);
    match reason {
        HoldReason::Disabled => AnswerLine {
            role: Role::Holds,
            left: format!("{count} → switched off"),
            right: asleep(explanation).to_owned(),
        },
        HoldReason::Selector => AnswerLine {
            role: Role::Stops,
            left: format!("{count} → cannot decide, stays at {}", at.0),
            right: with_since(explanation, ConditionType::ScalingActive, selector_reason(explanation)),
        },
        HoldReason::Crash => AnswerLine {
            role: Role::Stops,
            left: format!("{count} → the controller crashes, stays at {}", at.0),
            right: "kube-controller-manager crashes on this HPA".to_owned(),
        },
        HoldReason::AllMetricsInvalid => AnswerLine {
            role: Role::Stops,
            left: format!("{count} → cannot decide, stays at {}", at.0),
            right: with_since(explanation, ConditionType::ScalingActive, &all_invalid(explanation)),
        },
        HoldReason::InvalidMetricBlocksDown => {
            AnswerLine { role: Role::Stops, left: stays, right: blocked(explanation) }
        }
        HoldReason::Decided => decided(explanation, at, stays),
    }
}

/// Whose the zero is.
fn asleep(explanation: &Explanation) -> &'static str {
    match about(explanation) {
        Some(Cause::Zero(ZeroOf::Keda)) => "KEDA keeps the target at 0 replicas while no trigger is active",
        Some(Cause::Zero(ZeroOf::NotTold)) => {
            "with the gate HPAScaleToZero off, its own zero counts as a pause"
        }
        _ => "the HPA does nothing while its target has 0 replicas",
    }
}

fn selector_reason(explanation: &Explanation) -> &'static str {
    match &explanation.decision().selector {
        Some(SelectorVerdict::Missing | SelectorVerdict::Invalid(_)) => "InvalidSelector",
        Some(SelectorVerdict::Ambiguous(_)) => "AmbiguousSelector",
        Some(SelectorVerdict::Unlisted(_)) => "the controller cannot list pods",
        Some(SelectorVerdict::Good | SelectorVerdict::Unknown(_)) | None => "",
    }
}

/// What is wrong with the only metric, or that there is none to use.
fn all_invalid(explanation: &Explanation) -> String {
    let failed = explanation.metrics().filter_map(|metric| match &metric.trace.verdict {
        Verdict::Failed(failure) => {
            let about = About::of(metric.spec, metric.trace.index);
            Some(lacking(explanation, about, || failure::headline(explanation, metric, failure)))
        }
        Verdict::Proposal(_) | Verdict::Unknown(_) => None,
    });
    let mut failed: Vec<String> = failed.collect();
    if failed.len() > 1 {
        let apis = failure::apis(explanation);
        let fail = if apis.len() == 1 { "fails" } else { "fail" };
        let apis = if apis.is_empty() { String::new() } else { format!("; {} {fail}", list(&apis)) };
        return format!("none of the {} metrics works{apis}", failed.len());
    }
    failed.pop().unwrap_or_default()
}

/// A reason, and since when its condition is False: its time changes with the status, so the reason itself may be newer.
fn with_since(explanation: &Explanation, condition: ConditionType, reason: &str) -> String {
    let since = since(explanation, condition);
    since.map_or_else(|| reason.to_owned(), |since| format!("{reason}, failing since {since}"))
}

/// Since when a condition has been False.
fn since(explanation: &Explanation, kind: ConditionType) -> Option<String> {
    explanation.condition_since(kind, "False").map(|at| moment(explanation.now(), at))
}

fn blocked(explanation: &Explanation) -> String {
    let best = explanation.metrics().filter_map(|metric| Some((metric, metric.proposal()?.replicas)));
    let best = best.max_by_key(|(metric, wanted)| (*wanted, std::cmp::Reverse(metric.trace.index)));
    let wanted = best.map_or_else(String::new, |(metric, wanted)| {
        format!("{} wanted by {}; ", wanted.0, metric::label(metric.spec))
    });
    let failed = failed_names(explanation);
    format!("{wanted}{}", with_since(explanation, ConditionType::ScalingActive, &failed))
}

/// The whole pipeline ran and ends where it began.
fn decided(explanation: &Explanation, at: Replicas, stays: String) -> AnswerLine {
    let hpa = &explanation.snapshot().hpa;
    let choice = explanation.decision().choice.map_or(at, |choice| choice.after);
    if waits_for_memory(explanation) {
        return bounded(explanation, at, choice);
    }
    let wanted = wanted(explanation, choice);
    let (role, right) = match about(explanation) {
        Some(Cause::Min) => (Role::Answer, format!("at min {}; {wanted}", hpa.min.0)),
        Some(Cause::Max) => (Role::Holds, format!("at max {}; {wanted}", hpa.max.0)),
        _ if choice == at => (Role::Answer, reason(explanation)),
        _ => (Role::Holds, then(explanation, choice)),
    };
    AnswerLine { role, left: stays, right }
}

fn scale(explanation: &Explanation, from: Replicas, to: Replicas) -> AnswerLine {
    let hpa = &explanation.snapshot().hpa;
    let choice = explanation.decision().choice.map_or(to, |choice| choice.after);
    if waits_for_memory(explanation) {
        return bounded(explanation, from, choice);
    }
    let wanted = wanted(explanation, choice);
    let (role, now, right) = match (&explanation.decision().gate, about(explanation)) {
        (Gate::AboveMax, _) => {
            (Role::Answer, "", format!("above maxReplicas {}; metrics are not read", hpa.max.0))
        }
        (Gate::BelowMin, _) => {
            (Role::Answer, "", format!("below minReplicas {}; metrics are not read", hpa.min.0))
        }
        (_, Some(Cause::Min)) => (Role::Answer, "", format!("min {}; {wanted}", hpa.min.0)),
        (_, Some(Cause::Max)) => (Role::Holds, "", format!("max {}; {wanted}", hpa.max.0)),
        _ if choice == to => (Role::Answer, "", reason(explanation)),
        _ => (Role::Holds, " now", then(explanation, choice)),
    };
    AnswerLine { role, left: format!("{} → {}{now}", replicas(from.0), to.0), right }
}

fn about(explanation: &Explanation) -> Option<Cause> {
    explanation.cause().map(|cause| cause.about)
}

/// `49 wanted`, and that they are wanted for other pods than the replicas.
fn wanted(explanation: &Explanation, wanted: Replicas) -> String {
    let pods = explanation.counted_pods().filter(|_| explanation.goes_against_load());
    let pods = pods.map_or_else(String::new, |pods| format!(" for {}", count(pods, "pod")));
    format!("{} wanted{pods}", wanted.0)
}

/// What is wanted, and what comes of it as time goes by.
fn then(explanation: &Explanation, wanted: Replicas) -> String {
    let at = |step: &Step| format!("{} at {}", step.replicas.0, clock(explanation.now(), step.at));
    match following(explanation).as_slice() {
        [] => format!("{}{}", self::wanted(explanation, wanted), held(explanation)),
        [only] if only.replicas == wanted => {
            format!("{} wanted, at {} if the load stays", wanted.0, clock(explanation.now(), only.at))
        }
        all => {
            let all = all.iter().map(at).collect::<Vec<_>>().join(", ");
            format!("{} wanted; {all} if the load stays", wanted.0)
        }
    }
}

/// The first of the counts that follow and the one at which they rest; empty where none follows or it is not known.
fn following(explanation: &Explanation) -> Vec<Step> {
    let projection = explanation.projection();
    let steps = projection.steps.as_slice();
    let Some(first) = steps.first().copied() else { return Vec::new() };
    let rests = steps.last().copied().filter(|_| projection.is_known && !projection.goes_on);
    let last = rests.filter(|last| last.at > first.at && last.replicas != first.replicas);
    iter::once(first).chain(last).collect()
}

/// What holds the replicas, where there is nothing to count down to.
fn held(explanation: &Explanation) -> String {
    match about(explanation) {
        Some(Cause::Floor) => format!("; straight to minReplicas {}", explanation.snapshot().hpa.min.0),
        Some(Cause::Disabled(direction)) => format!("; spec.behavior.{} is disabled", direction.field()),
        _ if limit::keeps_zero(explanation) => "; a percentage of 0 is 0".to_owned(),
        _ => held_by_window(explanation),
    }
}

fn held_by_window(explanation: &Explanation) -> String {
    let stabilized = explanation.decision().stabilized.as_ref();
    let bounds_agree = explanation.remembered() == Remembered::BoundsAgree && !explanation.memory_is_known();
    if bounds_agree && stabilized.is_some_and(|it| it.after != it.before) {
        return latest_change(explanation)
            .map_or_else(String::new, |change| format!("; {}", change.text(explanation.now())));
    }
    let stabilized = stabilized.filter(|_| explanation.memory_is_known());
    let Some((stabilized, holder)) = stabilized.and_then(|it| Some((it, explanation.holder(it)?))) else {
        return String::new();
    };
    let leaves = clock(explanation.now(), holder.at + stabilized.window());
    let is_kept = matches!(explanation.decision().outcome, Outcome::Hold { .. });
    if is_kept && let Some((name, bound)) = limit::bound(explanation, stabilized.before) {
        return format!("; {name} {}", bound.0);
    }
    // The outlook tried every future instant, and the replicas change at none.
    if is_kept {
        let current = explanation.current().unwrap_or_default().0;
        return format!(
            ", but {current} stays even after the window ends at {leaves}, unless the load changes"
        );
    }
    format!("; the window has {} until {leaves}", holder.replicas.0)
}

/// Whether the count hangs on what the controller remembers, which is not known.
pub(in crate::render) fn waits_for_memory(explanation: &Explanation) -> bool {
    match explanation.remembered() {
        Remembered::Known | Remembered::BoundsAgree => false,
        Remembered::Bounded(..) => true,
        Remembered::Unknown => falls(explanation) && hold_ends(explanation) > explanation.now(),
    }
}

/// Whether the metrics want fewer replicas.
fn falls(explanation: &Explanation) -> bool {
    let current = explanation.current().unwrap_or_default();
    let wanted = explanation.decision().choice.filter(|_| explanation.decision().stabilized.is_some());
    wanted.is_some_and(|choice| choice.after < current)
}

/// The answer where it hangs on that memory: its bounds, and what leaves them open or when they close.
fn bounded(explanation: &Explanation, from: Replicas, wanted: Replicas) -> AnswerLine {
    let count = replicas(from.0);
    let left = match explanation.remembered() {
        Remembered::Bounded(low, high) => format!("{count} → {} to {}", low.0, high.0),
        Remembered::Unknown | Remembered::Known | Remembered::BoundsAgree => {
            format!("{count} → {} wanted", wanted.max(explanation.snapshot().hpa.min).0)
        }
    };
    let latest = || latest_change(explanation).map(|change| change.text(explanation.now()));
    let change = doubt::doubt(explanation).or_else(latest);
    let change = change.unwrap_or_else(|| "the controller's memory decides, which is not known".to_owned());
    AnswerLine { role: Role::Holds, left, right: format!("{} wanted; {change}", wanted.0) }
}

/// When the replicas change at the latest, and where they rest, whatever the controller remembers.
pub(in crate::render) fn latest_change(explanation: &Explanation) -> Option<Latest> {
    let current = explanation.current()?;
    let (replicas, at, rests) = match explanation.projection().rest {
        Some(Rest { replicas, by }) => (replicas, by, true),
        None => explanation.outlook().latest.map(|latest| (latest.replicas, latest.at, false))?,
    };
    Some(Latest { replicas: replicas.0, at: At(at), rests, falls: replicas < current })
}

/// When what can hold the count has left the scale-down window, if nothing is known of it.
pub(in crate::render) fn hold_ends(explanation: &Explanation) -> Instant {
    explanation.now() + down_window(explanation)
}

/// The scale-down window; none where there was no stabilization.
pub(in crate::render) fn down_window(explanation: &Explanation) -> Duration {
    match explanation.decision().stabilized.as_ref().map(|it| &it.how) {
        Some(Stabilization::Legacy(legacy)) => legacy.window,
        Some(Stabilization::Behavior(it)) => Duration::from_seconds(it.down_window.into()),
        None => Duration::default(),
    }
}

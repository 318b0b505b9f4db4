//! The answer: what the replicas are, what they become, and the one reason.

use std::collections::BTreeSet;
use std::iter;

use super::{
    advice, attested, doubt, failure, limit, metric,
    reason::{matches_others, reason},
    unread, written,
};
use crate::render::claims::{AdviceClaim, Answer, At, Because, Following, Latest, Setter, Then, Way};
use crate::render::page::Role;
use kubectl_hpa_core::api::{ConditionType, Unscalable};
use kubectl_hpa_core::attested::About;
use kubectl_hpa_core::causes::{About as Cause, ZeroOf};
use kubectl_hpa_core::explanation::{Explanation, Remembered};
use kubectl_hpa_core::model::{Duration, Instant, Replicas};
use kubectl_hpa_core::snapshot::ReadError;
use kubectl_hpa_core::trace::{Gate, HoldReason, Outcome, SelectorVerdict, Stabilization, Verdict};
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

/// The answer to a decision, in words.
pub(in crate::render) fn answer_line(explanation: &Explanation) -> AnswerLine {
    let (answer, now) = (answer(explanation), explanation.now());
    AnswerLine { role: answer.role, left: answer.left(now), right: answer.right(now) }
}

/// The answer to a decision.
pub(in crate::render) fn answer(explanation: &Explanation) -> Answer {
    if let Some((then, because)) = attested::answer(explanation) {
        return given(explanation, Role::Stops, then, because);
    }
    let mut answer = by_outcome(explanation);
    // A metric that fails beside others keeps the HPA from scaling down, whatever is decided now.
    if explanation.decision().choice.is_some() && explanation.faulty().next().is_some() {
        answer.role = Role::Stops;
        answer.because.push(failed_names(explanation));
    }
    answer.because.extend(too(explanation));
    let finding = finding(explanation).filter(|it| !answer.because.contains(it));
    answer.because.extend(finding);
    answer.because.extend(bounds(explanation, &answer));
    answer
}

/// The brake that keeps the replicas as well; a window only beside what is assumed of pods.
fn too(explanation: &Explanation) -> Option<Because> {
    let hpa = &explanation.snapshot().hpa;
    let is_of_pods = about(explanation)
        .is_some_and(|about| matches!(about, Cause::MissingPods(_) | Cause::UnreadyPods(_)));
    match explanation.kept_by_too()? {
        Cause::Window(_) if !is_of_pods => None,
        Cause::Max => Some(Because::AlsoAt { bound: "max", replicas: hpa.max.0 }),
        Cause::Min => Some(Because::AlsoAt { bound: "min", replicas: hpa.min.0 }),
        Cause::Disabled(direction) => Some(Because::AlsoDisabled { direction: Way(direction) }),
        Cause::Window(direction) => Some(Because::AlsoWindow { direction: Way(direction) }),
        _ => None,
    }
}

/// The reason behind the decision that the first piece of advice removes.
fn finding(explanation: &Explanation) -> Option<Because> {
    match advice::claim(explanation, explanation.advice().first()?) {
        AdviceClaim::SelectOwnPods { .. } => matches_others(explanation),
        AdviceClaim::LeaveOutSidecars { metric, container, shares, .. } => {
            let percent = shares.iter().find(|share| share.container == container)?.percent;
            let all = explanation.pods().iter().flat_map(|pod| pod.containers.iter());
            let others: BTreeSet<&str> = all.map(|it| &*it.name).filter(|name| *name != container).collect();
            let hidden_by = others.first().filter(|_| others.len() == 1).map(|name| (*name).to_owned());
            Some(Because::Hidden { metric, container, percent, hidden_by })
        }
        AdviceClaim::LeaveReplicasOut { setter: Setter::NotKnown, .. } => None,
        AdviceClaim::LeaveReplicasOut { wrote, found, .. } => Some(Because::SetByOthers { wrote, found }),
        AdviceClaim::WidenWindow { ups, downs, since, .. } => Some(Because::Flaps { ups, downs, since }),
        _ => None,
    }
}

/// The bounds in which a metric decides, unless the answer names one already.
fn bounds(explanation: &Explanation, answer: &Answer) -> Option<Because> {
    let decides = explanation.decision().choice.is_some()
        && matches!(
            answer.then,
            Then::Stays | Then::Scales { .. } | Then::Between { .. } | Then::Wanted { .. }
        );
    let hpa = &explanation.snapshot().hpa;
    (decides && !answer.because.iter().any(Because::names_bound))
        .then_some(Because::Bounds { min_replicas: hpa.min.0, max_replicas: hpa.max.0 })
}

fn given(explanation: &Explanation, role: Role, then: Then, because: Vec<Because>) -> Answer {
    Answer { role, replicas: explanation.current().map(|current| current.0), then, because }
}

fn by_outcome(explanation: &Explanation) -> Answer {
    let given = |role, then, because| given(explanation, role, then, because);
    match &explanation.decision().outcome {
        Outcome::NoScale => {
            let unreadable = match explanation.snapshot().unscalable() {
                Some(Unscalable::NoSubresource(kind)) => Because::TargetCannotScale { kind: kind.to_owned() },
                _ => lacking(explanation, About::Scale, || Because::ScaleUnreadable {
                    absent: explanation.snapshot().lacks_target(),
                }),
            };
            let because = with_since(explanation, ConditionType::AbleToScale, unreadable);
            given(Role::Stops, Then::CannotDecide, because)
        }
        Outcome::Unknown(unread) => written::last(explanation).unwrap_or_else(|| {
            let what = unread::brief(unread);
            given(Role::Holds, Then::NotKnown, vec![Because::NotReadHere { what }])
        }),
        Outcome::Hold { at, reason } => hold(explanation, *at, *reason),
        Outcome::Scale { to, failed: Some(error), .. } => may_fail(explanation, error).unwrap_or_else(|| {
            let because = write_refused(explanation, error);
            given(Role::Stops, Then::WriteFails { to: to.0 }, vec![because])
        }),
        Outcome::Scale { to, failed: None, .. } => scale(explanation, *to),
    }
}

/// The right that the controller lacks for a read or a write, else what else there is.
fn lacking(explanation: &Explanation, about: About, or: impl FnOnce() -> Because) -> Because {
    let mut faults = explanation.attested().faults.iter();
    let fault = faults.find(|fault| fault.about == about && fault.is_certain && fault.denial().is_some());
    fault.map_or_else(or, |fault| attested::brief(explanation, fault))
}

/// The metrics that failed.
fn failed_names(explanation: &Explanation) -> Because {
    let names = explanation.faulty().map(|(metric, _)| metric::label(metric.spec));
    Because::MetricsFail { metrics: names.collect() }
}

fn hold(explanation: &Explanation, at: Replicas, reason: HoldReason) -> Answer {
    let given = |role, then, because| given(explanation, role, then, because);
    let inactive = |because| with_since(explanation, ConditionType::ScalingActive, because);
    match reason {
        HoldReason::Disabled => given(Role::Holds, Then::SwitchedOff, vec![asleep(explanation)]),
        HoldReason::Selector => {
            let because = selector_reason(explanation).map_or_else(Vec::new, inactive);
            given(Role::Stops, Then::CannotDecide, because)
        }
        HoldReason::Crash => given(Role::Stops, Then::Crashes, vec![Because::ControllerCrash]),
        HoldReason::AllMetricsInvalid => {
            let because = all_invalid(explanation).map_or_else(Vec::new, inactive);
            given(Role::Stops, Then::CannotDecide, because)
        }
        HoldReason::InvalidMetricBlocksDown => given(Role::Stops, Then::Stays, blocked(explanation)),
        HoldReason::Decided => decided(explanation, at),
    }
}

/// The owner of the zero.
fn asleep(explanation: &Explanation) -> Because {
    match about(explanation) {
        Some(Cause::Zero(ZeroOf::Keda)) => Because::ZeroOfKeda,
        Some(Cause::Zero(ZeroOf::NotTold)) => Because::ZeroWithGateOff,
        _ => Because::ZeroReplicas,
    }
}

fn selector_reason(explanation: &Explanation) -> Option<Because> {
    match explanation.decision().selector.as_ref()? {
        SelectorVerdict::Missing | SelectorVerdict::Invalid(_) => Some(Because::InvalidSelector),
        SelectorVerdict::Ambiguous(_) => Some(Because::AmbiguousSelector),
        SelectorVerdict::Unlisted(_) => Some(Because::PodsUnlisted),
        SelectorVerdict::Good | SelectorVerdict::Unknown(_) => None,
    }
}

/// What is wrong with the only metric, or that there is none to use.
fn all_invalid(explanation: &Explanation) -> Option<Because> {
    let failed = explanation.metrics().filter_map(|metric| match &metric.trace.verdict {
        Verdict::Failed(failure) => Some((metric, failure)),
        Verdict::Proposal(_) | Verdict::Unknown(_) => None,
    });
    match failed.collect::<Vec<_>>().as_slice() {
        [] => None,
        [(metric, failure)] => {
            let about = About::of(metric.spec, metric.trace.index);
            Some(lacking(explanation, about, || failure::headline(explanation, *metric, failure)))
        }
        all => Some(Because::NoMetricWorks { metrics: all.len(), apis: failure::apis(explanation) }),
    }
}

/// A reason, and since when its condition is False: its time changes with the status, so the reason itself may be newer.
fn with_since(explanation: &Explanation, condition: ConditionType, because: Because) -> Vec<Because> {
    let since = explanation.condition_since(condition, "False");
    iter::once(because).chain(since.map(|since| Because::FailingSince { since: At(since) })).collect()
}

fn blocked(explanation: &Explanation) -> Vec<Because> {
    let wanted = explanation.taken().map(|(metric, wanted)| Because::Wanted {
        replicas: wanted.0,
        by: Some(metric::label(metric.spec)),
        pods: None,
    });
    let failed = with_since(explanation, ConditionType::ScalingActive, failed_names(explanation));
    wanted.into_iter().chain(failed).collect()
}

/// The whole pipeline ran and ends where it began.
fn decided(explanation: &Explanation, at: Replicas) -> Answer {
    let choice = explanation.decision().choice.map_or(at, |choice| choice.after);
    if waits_for_memory(explanation) {
        return bounded(explanation, choice);
    }
    let (role, because) = match explanation.brake() {
        Some(Cause::Min) => (Role::Answer, vec![min(explanation, true), wanted(explanation, choice)]),
        Some(Cause::Max) => (Role::Holds, vec![max(explanation, true), wanted(explanation, choice)]),
        _ if choice == at => (Role::Answer, reason(explanation)),
        _ => (Role::Holds, then(explanation, choice)),
    };
    given(explanation, role, Then::Stays, because)
}

fn scale(explanation: &Explanation, to: Replicas) -> Answer {
    let hpa = &explanation.snapshot().hpa;
    let choice = explanation.decision().choice.map_or(to, |choice| choice.after);
    if waits_for_memory(explanation) {
        return bounded(explanation, choice);
    }
    let (role, only_now, because) = match (&explanation.decision().gate, explanation.brake()) {
        (Gate::AboveMax, _) => (Role::Answer, false, vec![Because::AboveMax { max_replicas: hpa.max.0 }]),
        (Gate::BelowMin, _) => (Role::Answer, false, vec![Because::BelowMin { min_replicas: hpa.min.0 }]),
        (_, Some(Cause::Min)) => {
            (Role::Answer, false, vec![min(explanation, false), wanted(explanation, choice)])
        }
        (_, Some(Cause::Max)) => {
            (Role::Holds, false, vec![max(explanation, false), wanted(explanation, choice)])
        }
        _ if choice == to => (Role::Answer, false, reason(explanation)),
        _ => (Role::Holds, true, then(explanation, choice)),
    };
    given(explanation, role, Then::Scales { to: to.0, only_now }, because)
}

fn about(explanation: &Explanation) -> Option<Cause> {
    explanation.cause().map(|cause| cause.about)
}

fn min(explanation: &Explanation, at: bool) -> Because {
    Because::Min { min_replicas: explanation.snapshot().hpa.min.0, at }
}

fn max(explanation: &Explanation, at: bool) -> Because {
    Because::Max { max_replicas: explanation.snapshot().hpa.max.0, at }
}

/// `49 wanted`, and that they are wanted for other pods than the replicas.
fn wanted(explanation: &Explanation, wanted: Replicas) -> Because {
    let pods = explanation.counted_pods().filter(|_| explanation.goes_against_load());
    Because::Wanted { replicas: wanted.0, by: None, pods }
}

/// What is wanted, and what comes of it as time goes by.
fn then(explanation: &Explanation, wanted: Replicas) -> Vec<Because> {
    let replicas = wanted.0;
    match following(explanation).as_slice() {
        [] => iter::once(self::wanted(explanation, wanted)).chain(held(explanation)).collect(),
        [only] if only.replicas == wanted => vec![Because::WantedAt { replicas, at: At(only.at) }],
        all => {
            let step = |step: &Step| Following { replicas: step.replicas.0, at: At(step.at) };
            vec![Because::wanted(wanted), Because::Follows { steps: all.iter().map(step).collect() }]
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
fn held(explanation: &Explanation) -> Option<Because> {
    match about(explanation) {
        Some(Cause::Floor) => Some(Because::StraightToMin { min_replicas: explanation.snapshot().hpa.min.0 }),
        Some(Cause::Disabled(direction)) => Some(Because::Disabled { direction: Way(direction) }),
        _ if limit::keeps_zero(explanation) => Some(Because::PercentOfZero),
        Some(Cause::Rate(_) | Cause::Doubling) => None,
        _ => held_by_window(explanation),
    }
}

fn held_by_window(explanation: &Explanation) -> Option<Because> {
    let stabilized = explanation.decision().stabilized.as_ref();
    let bounds_agree = explanation.remembered() == Remembered::BoundsAgree && !explanation.memory_is_known();
    if bounds_agree && stabilized.is_some_and(|it| it.after != it.before) {
        return latest_change(explanation).map(Because::AtLatest);
    }
    let stabilized = stabilized.filter(|_| explanation.memory_is_known())?;
    let holder = explanation.holder(stabilized)?;
    let until = At(holder.at + stabilized.window());
    // What comes after the window is known where every future instant could be tried.
    let outlook = explanation.outlook();
    // A change for a moment, which no sync need see, is one all the same.
    if !outlook.is_tried || outlook.stays_until.is_some() {
        return Some(Because::WindowHas { replicas: holder.replicas.0, until });
    }
    // The outlook tried every future instant, and the replicas change at none.
    Some(Because::StaysAfterWindow { replicas: explanation.current().unwrap_or_default().0, until })
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

fn write_refused(explanation: &Explanation, error: &ReadError) -> Because {
    lacking(explanation, About::Update, || Because::WriteRefused { status: unread::status(error) })
}

/// The answer where writes are refused, and whether one is needed hangs on that memory.
fn may_fail(explanation: &Explanation, error: &ReadError) -> Option<Answer> {
    let (least, most) = explanation.answer().asked?;
    let then = Then::WriteMayFail { least: least.0, most: most.0 };
    let because = vec![Because::MemoryUnknown, write_refused(explanation, error)];
    Some(given(explanation, Role::Stops, then, because))
}

/// The answer where it hangs on that memory: its bounds, and what leaves them open or when they close.
fn bounded(explanation: &Explanation, wanted: Replicas) -> Answer {
    let refusal = explanation.snapshot().writes.scale.as_ref();
    if let Some(answer) = refusal.and_then(|error| may_fail(explanation, error)) {
        return answer;
    }
    let then = match explanation.remembered() {
        Remembered::Bounded(low, high) => Then::Between { least: low.0, most: high.0, either: false },
        Remembered::Unknown | Remembered::Known | Remembered::BoundsAgree => {
            Then::Wanted { wanted: wanted.max(explanation.snapshot().hpa.min).0 }
        }
    };
    let latest = || latest_change(explanation).map(Because::AtLatest);
    let open = doubt::doubt(explanation).or_else(latest).unwrap_or(Because::MemoryUnknown);
    given(explanation, Role::Holds, then, vec![Because::wanted(wanted), open])
}

/// When the replicas change at the latest, and where they rest, whatever the controller remembers; never while writes are refused.
pub(in crate::render) fn latest_change(explanation: &Explanation) -> Option<Latest> {
    let current = explanation.current().filter(|_| explanation.snapshot().writes.scale.is_none())?;
    let (replicas, at, rests) = match explanation.projection().rest {
        Some(Rest { replicas, by }) => (replicas, by, true),
        None => explanation.outlook().latest.map(|latest| (latest.replicas, latest.at, false))?,
    };
    let falls = replicas < current;
    // A count that may go the other way first comes there from elsewhere.
    let is_one_way =
        explanation.interval().is_none_or(|(low, high)| if falls { high <= current } else { current <= low });
    is_one_way.then_some(Latest { replicas: replicas.0, at: At(at), rests, falls })
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

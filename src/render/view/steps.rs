//! The steps, and the numbers of those that belong to no metric.

use serde::Serialize;

use super::memory::RecommendationView;
use super::number::Moment;
use super::subject::PolicyView;
use crate::render::phrases::{limit, step};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::explanation::{Detail, Step};
use kubectl_hpa_core::trace::{Choice, Limit, Limited, PolicyTrace, Stabilization, Stabilized, Stage};

/// One step.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
pub(super) struct StepView {
    stage: &'static str,
    /// Its place among the metrics, for the stages that each metric goes through.
    metric: Option<usize>,
    code: &'static str,
    #[serialize_always]
    before: Option<i32>,
    #[serialize_always]
    after: Option<i32>,
    text: String,
    numbers: Option<NumbersView>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum NumbersView {
    Choice(ChoiceView),
    Window(WindowView),
    Limit(LimitView),
}

#[derive(Clone, Debug, Serialize)]
struct ChoiceView {
    winner: usize,
    invalid: usize,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct WindowView {
    window: String,
    cutoff: Option<Moment>,
    scale_up_window_seconds: Option<i32>,
    scale_down_window_seconds: Option<i32>,
    lowest: Option<i32>,
    highest: Option<i32>,
    /// The recommendation with which the hold ends.
    holder: Option<RecommendationView>,
    #[serialize_always]
    reused_slot: Option<usize>,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LimitView {
    direction: Option<&'static str>,
    select_policy: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    policies: Vec<PolicyTraceView>,
    #[serialize_always]
    rate: Option<i32>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PolicyTraceView {
    policy: PolicyView,
    added: i32,
    removed: i32,
    period_start: i32,
    allows: i32,
}

/// All steps.
pub(super) fn views(explanation: &Explanation) -> Vec<StepView> {
    let all = explanation.steps();
    all.iter().map(|step| StepView::of(explanation, step)).collect()
}

impl StepView {
    /// A placeholder for an unknown count becomes null.
    fn of(explanation: &Explanation, step: &Step<'_>) -> Self {
        let stands_in =
            explanation.decision().stabilized.as_ref().is_some_and(|it| explanation.stands_in(it));
        let stage = step.stage;
        Self {
            stage: stage.as_str(),
            metric: step.metric.map(|metric| metric.trace.index),
            code: step.code.as_str(),
            before: step.link.map(|(before, _)| before.0).filter(|_| !(stands_in && stage == Stage::Limit)),
            after: step
                .link
                .map(|(_, after)| after.0)
                .filter(|_| !(stands_in && stage == Stage::Stabilization)),
            text: step::text(explanation, step),
            numbers: numbers(explanation, step),
        }
    }
}

fn numbers(explanation: &Explanation, step: &Step<'_>) -> Option<NumbersView> {
    match step.detail {
        Detail::Choice(Choice { winner, invalid, .. }) => {
            Some(NumbersView::Choice(ChoiceView { winner, invalid }))
        }
        Detail::Window(it) => Some(NumbersView::Window(WindowView::of(explanation, it))),
        Detail::Limit(it) => Some(NumbersView::Limit(LimitView::of(explanation, it))),
        Detail::Gate(..)
        | Detail::Selector(_)
        | Detail::Pass(..)
        | Detail::Total(_)
        | Detail::PerReplica(_)
        | Detail::Failed(_)
        | Detail::Unread(_)
        | Detail::Missing(..)
        | Detail::Unready(..)
        | Detail::Proposal(_)
        | Detail::NoChoice(_)
        | Detail::Floor(_)
        | Detail::Outcome(_) => None,
    }
}

impl WindowView {
    fn of(explanation: &Explanation, stabilized: &Stabilized) -> Self {
        let (cutoff, behavior) = match &stabilized.how {
            Stabilization::Legacy(legacy) => (Some(Moment(legacy.cutoff)), None),
            Stabilization::Behavior(behavior) => (None, Some(behavior)),
        };
        let known = explanation.memory_is_known();
        let holder = explanation.holder(stabilized).filter(|_| known);
        let behavior_known = behavior.filter(|_| known);
        Self {
            window: stabilized.window().to_string(),
            cutoff,
            scale_up_window_seconds: behavior.map(|it| it.up_window),
            scale_down_window_seconds: behavior.map(|it| it.down_window),
            lowest: behavior_known.map(|it| it.lowest.0),
            highest: behavior_known.map(|it| it.highest.0),
            holder: holder.map(|it| RecommendationView { replicas: it.replicas.0, at: Moment(it.at) }),
            reused_slot: stabilized.reused_slot.filter(|_| known),
        }
    }
}

impl LimitView {
    fn of(explanation: &Explanation, limited: &Limited) -> Self {
        let (behavior, rate) = match &limited.how {
            Limit::Legacy { rate } => (None, Some(rate.0)),
            Limit::Behavior(behavior) => (behavior.as_ref(), behavior.as_ref().map(|it| it.rate.0)),
        };
        let shown = behavior.filter(|it| !(limit::has_past(it) && explanation.imagines_events()));
        let policies = shown.into_iter().flat_map(|it| &it.policies);
        Self {
            direction: behavior.map(|it| it.direction.field()),
            select_policy: behavior.map(|it| it.select.as_str()),
            policies: policies.map(PolicyTraceView::of).collect(),
            rate,
        }
    }
}

impl PolicyTraceView {
    fn of(trace: &PolicyTrace) -> Self {
        Self {
            policy: PolicyView::of(trace.policy),
            added: trace.added,
            removed: trace.removed,
            period_start: trace.period_start.0,
            allows: trace.allows.0,
        }
    }
}

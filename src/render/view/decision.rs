//! The whole decision.

use serde::Serialize;

use super::advice::AdviceView;
use super::blame::BlameView;
use super::causes::CauseView;
use super::claims::ListedClaim;
use super::claims::{self, AnswerView, Told};
use super::controller::ControllerView;
use super::memory::{IntervalView, MemoryBoundsView, MemoryView, RecallView};
use super::metric::{MetricView, UnreadView};
use super::number::Moment;
use super::outlook::OutlookView;
use super::steps::{self, StepView};
use super::subject::{ScaleView, SpecView, SubjectView};
use crate::render::claims::{Basis, Check, Claim, Note, RescaleClaim};
use crate::render::phrases::answer::answer;
use crate::render::phrases::unread;
use kubectl_hpa_core::api::HpaStatus;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::snapshot::ReadError;
use kubectl_hpa_core::status::Event;
use kubectl_hpa_core::trace::{Code, Outcome};

/// A decision as programs read it: `apiVersion: kubectl-hpa/v1`, `kind: Decision`. Its schema is
/// `schema/decision.schema.json`. Every number that the decision used is in it.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DecisionView<'a> {
    api_version: &'static str,
    kind: &'static str,
    name: Option<&'a str>,
    subject: SubjectView,
    at: Moment,
    controller: ControllerView<'a>,
    spec: SpecView,
    scale: ScaleView<'a>,
    /// Why the other HPAs of the namespace are not known: it is decided as if there were none.
    #[serde(rename = "otherHPAsError")]
    other_hpas_error: Option<&'a ReadError>,
    #[serialize_always]
    current_replicas: Option<i32>,
    /// None where the answer is an interval: then the steps, the status and the events are those of one decision in it.
    #[serialize_always]
    desired_replicas: Option<i32>,
    interval: Option<IntervalView>,
    rescaled: bool,
    outcome: OutcomeView<'a>,
    metrics: Vec<MetricView<'a>>,
    steps: Vec<StepView>,
    /// Why: the principal cause, then the others in order of their effect.
    listed: ListedClaim,
    causes: Vec<CauseView<'a>>,
    /// The sentences of Why, each as what it claims.
    claims: Vec<Told<Claim>>,
    /// Oddities that the controller does not look at.
    notes: Vec<Told<Note>>,
    /// Its ground: who made the HPA, what is assumed and what is not known.
    basis: Vec<Told<Basis>>,
    codes: Vec<&'static str>,
    status: &'a HpaStatus,
    status_changed: bool,
    events: Vec<EventView<'a>>,
    /// The memory that it was decided on; with evidence Unknown nothing of it is listed.
    memory_before: MemoryView,
    memory_bounds: Option<MemoryBoundsView>,
    recall: Option<RecallView>,
    memory: MemoryView,
    /// The lines of What would change it.
    outlook: OutlookView,
    /// The decision beside what the controller wrote; none if no decision is known, or it is not about what there is.
    self_check: Option<Told<Check>>,
    /// The rescales of the last hour that events show.
    rescales: Vec<Told<RescaleClaim>>,
    /// What to do about it; at most two pieces.
    advice: Vec<AdviceView>,
    /// Which single things it hangs on; only where it was asked for.
    blame: Option<BlameView>,
    /// The permissions for what was refused here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing_permissions: Vec<String>,
    error: Option<&'a str>,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
struct OutcomeView<'a> {
    code: &'static str,
    /// `up`, `down`, `none` or `unknown`.
    direction: &'static str,
    /// The answer in words.
    answer: String,
    /// Why, in half a sentence.
    reason: String,
    /// Both as what they claim.
    claims: AnswerView,
    unknown: Option<UnreadView<'a>>,
}

#[derive(Clone, Debug, Serialize)]
struct EventView<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    reason: &'static str,
    message: &'a str,
}

/// A decision as a serializable value.
#[must_use]
pub fn decision_view(explanation: &Explanation) -> DecisionView<'_> {
    view(explanation, claims::checked(explanation))
}

/// A decision on what is only thought of: the controller has written nothing about it.
pub(super) fn what_if_view(explanation: &Explanation) -> DecisionView<'_> {
    view(explanation, None)
}

fn view(explanation: &Explanation, self_check: Option<Told<Check>>) -> DecisionView<'_> {
    let (snapshot, decision, report) = (explanation.snapshot(), explanation.decision(), explanation.report());
    let memory_bounds = explanation.memory_bounds().map(MemoryBoundsView::of);
    DecisionView {
        api_version: kubectl_hpa_core::snapshot::case::API_VERSION,
        kind: "Decision",
        name: snapshot.name.as_deref(),
        subject: SubjectView::of(explanation),
        at: Moment(snapshot.taken_at),
        controller: ControllerView::of(explanation),
        spec: SpecView::of(explanation),
        scale: ScaleView::of(explanation),
        other_hpas_error: snapshot.others.as_ref().err(),
        current_replicas: explanation.current().map(|current| current.0),
        desired_replicas: explanation.range().filter(|(low, high)| low == high).map(|(desired, _)| desired.0),
        interval: explanation.interval().map(IntervalView::of),
        rescaled: matches!(decision.outcome, Outcome::Scale { from, failed: None, .. } if !explanation.may_write(from.0)),
        outcome: OutcomeView::of(explanation),
        metrics: explanation.metrics().map(|metric| MetricView::of(explanation, metric)).collect(),
        steps: steps::views(explanation),
        claims: claims::claims(explanation),
        notes: claims::noted(explanation),
        basis: claims::based(explanation),
        listed: ListedClaim::of(explanation),
        causes: explanation.causes().into_iter().map(|cause| CauseView::of(explanation, cause)).collect(),
        codes: explanation.answer().codes().into_iter().map(Code::as_str).collect(),
        status: &report.status,
        status_changed: report.status_changed,
        events: report.events.iter().map(EventView::of).collect(),
        memory_before: MemoryView::before(explanation),
        recall: memory_bounds.as_ref().map(RecallView::from),
        memory_bounds,
        memory: MemoryView::after(explanation),
        outlook: OutlookView::of(explanation),
        self_check,
        rescales: claims::rescaled(explanation),
        advice: explanation.advice().iter().map(|piece| AdviceView::of(explanation, piece)).collect(),
        blame: explanation.blamed().map(|blame| BlameView::of(explanation, blame)),
        missing_permissions: unread::lacking(explanation),
        error: report.error.as_deref(),
    }
}

/// In which direction the replicas change, by every memory that they may be decided on.
fn direction(explanation: &Explanation) -> &'static str {
    match (&explanation.decision().outcome, explanation.interval()) {
        (Outcome::NoScale | Outcome::Unknown(_), _) => "unknown",
        (Outcome::Scale { from, .. } | Outcome::Hold { at: from, .. }, Some((low, high))) => {
            match (low > *from, high < *from) {
                (true, _) => "up",
                (_, true) => "down",
                (false, false) => "unknown",
            }
        }
        (Outcome::Scale { from, to, .. }, None) if to > from => "up",
        (Outcome::Scale { .. }, None) => "down",
        (Outcome::Hold { .. }, None) => "none",
    }
}

impl<'a> OutcomeView<'a> {
    fn of(explanation: &'a Explanation) -> Self {
        let outcome = &explanation.decision().outcome;
        let answer = answer(explanation);
        Self {
            code: outcome.code().as_str(),
            direction: direction(explanation),
            answer: answer.left(explanation.now()),
            reason: answer.right(explanation.now()),
            claims: AnswerView::of(answer, explanation.now()),
            unknown: match outcome {
                Outcome::Unknown(unread) => Some(UnreadView::of(unread)),
                Outcome::Scale { .. } | Outcome::Hold { .. } | Outcome::NoScale => None,
            },
        }
    }
}

impl<'a> EventView<'a> {
    fn of(event: &'a Event) -> Self {
        Self {
            kind: if event.warning { "Warning" } else { "Normal" },
            reason: event.reason,
            message: &event.message,
        }
    }
}

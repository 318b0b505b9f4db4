//! What a screen claims, as data, each with its words.

use serde::Serialize;

use crate::render::claims::{
    Answer, Basis, Because, Check, Claim, InShort, Note, OutlookClaim, ProposalNote, RescaleClaim,
};
use crate::render::phrases::notes::{notes, proposal_note};
use crate::render::phrases::outlook;
use crate::render::phrases::rescales::rescales;
use crate::render::phrases::self_check::self_check;
use crate::render::phrases::why::why;
use crate::render::phrases::{basis, listed};
use kubectl_hpa_core::comparison::Sides;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Instant;

/// A claim, with its code and its values, and how it reads.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Told<T> {
    #[serde(flatten)]
    claim: T,
    text: String,
}

/// The state that a list gives, with why it is that.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ListedClaim {
    state: &'static str,
    #[serde(flatten)]
    why: Told<InShort>,
}

impl ListedClaim {
    pub fn of(explanation: &Explanation) -> Self {
        let (state, claim) = listed::told(explanation);
        Self { state: state.as_str(), why: Told { text: claim.text(explanation.now()), claim } }
    }
}

/// The sentences of Why.
pub(super) fn claims(explanation: &Explanation) -> Vec<Told<Claim>> {
    let told = |claim: Claim| Told { text: claim.text(explanation.now()), claim };
    why(explanation).into_iter().map(told).collect()
}

/// The notes.
pub(super) fn noted(explanation: &Explanation) -> Vec<Told<Note>> {
    notes(explanation).into_iter().map(|note| Told { text: note.text(), claim: note }).collect()
}

/// Obstacles to proposed settings.
pub(super) fn proposal_noted(sides: &Sides<'_>) -> Vec<Told<ProposalNote>> {
    proposal_note(sides).into_iter().map(|note| Told { text: note.text(), claim: note }).collect()
}

/// Who made the HPA, what is assumed and what is not known.
pub(super) fn based(explanation: &Explanation) -> Vec<Told<Basis>> {
    let wide = basis::wide(explanation).into_iter();
    let all = wide.chain(basis::owner(explanation)).chain(basis::basis(explanation));
    all.map(|claim| Told { text: claim.text(explanation.now()), claim }).collect()
}

/// The lines of What would change it.
pub(super) fn outlook(explanation: &Explanation) -> Vec<Told<OutlookClaim>> {
    let told = |claim: OutlookClaim| Told { text: claim.text(explanation.now()), claim };
    outlook::outlook(explanation).into_iter().map(told).collect()
}

/// The rescales of the last hour.
pub(super) fn rescaled(explanation: &Explanation) -> Vec<Told<RescaleClaim>> {
    let told = |claim: RescaleClaim| Told { text: claim.text(explanation.now()), claim };
    rescales(explanation).into_iter().map(told).collect()
}

/// The decision beside what the controller wrote.
pub(super) fn checked(explanation: &Explanation) -> Option<Told<Check>> {
    self_check(explanation).map(|claim| Told { text: claim.text(explanation.now()), claim })
}

/// The answer: the replicas and their change, and the reasons in a few words.
#[derive(Clone, Debug, Serialize)]
pub(super) struct AnswerView {
    #[serde(flatten)]
    answer: Answer,
    because: Vec<Told<Because>>,
}

impl AnswerView {
    pub fn of(mut answer: Answer, now: Instant) -> Self {
        let told = |claim: Because| Told { text: claim.text(now), claim };
        Self { because: std::mem::take(&mut answer.because).into_iter().map(told).collect(), answer }
    }
}

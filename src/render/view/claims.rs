//! The sentences of Why as data.

use serde::Serialize;

use crate::render::claims::{Answer, Because, Claim, Note};
use crate::render::phrases::notes::notes;
use crate::render::phrases::why::why;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Instant;

/// One sentence: its code and its values, and how it reads.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ClaimView {
    #[serde(flatten)]
    claim: Claim,
    text: String,
}

impl ClaimView {
    pub fn all(explanation: &Explanation) -> Vec<Self> {
        let view = |claim: Claim| Self { text: claim.text(explanation.now()), claim };
        why(explanation).into_iter().map(view).collect()
    }
}

/// A note, with its words.
#[derive(Clone, Debug, Serialize)]
pub(super) struct NoteView {
    #[serde(flatten)]
    note: Note,
    text: String,
}

impl NoteView {
    pub fn all(explanation: &Explanation) -> Vec<Self> {
        notes(explanation).into_iter().map(|note| Self { text: note.text(), note }).collect()
    }
}

/// The answer: what becomes of the replicas, and why in a few words.
#[derive(Clone, Debug, Serialize)]
pub(super) struct AnswerView {
    #[serde(flatten)]
    answer: Answer,
    because: Vec<BecauseView>,
}

#[derive(Clone, Debug, Serialize)]
struct BecauseView {
    #[serde(flatten)]
    because: Because,
    text: String,
}

impl AnswerView {
    pub fn of(answer: &Answer, now: Instant) -> Self {
        let view = |because: &Because| BecauseView { because: because.clone(), text: because.text(now) };
        Self { answer: answer.clone(), because: answer.because.iter().map(view).collect() }
    }
}

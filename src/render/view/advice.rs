//! What to do about it.

use serde::Serialize;

use super::memory::IntervalView;
use crate::render::claims::{AdviceClaim, When};
use crate::render::phrases::advice::advised;
use kubectl_hpa_core::advice::Advice;
use kubectl_hpa_core::explanation::Explanation;

/// One piece.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
pub(super) struct AdviceView {
    #[serde(flatten)]
    claim: AdviceClaim,
    text: String,
    command: Option<String>,
    /// The condition of what follows.
    when: Option<When>,
    /// What would be decided.
    replicas: Option<IntervalView>,
    /// Where they would settle if the load stays, if that is another number.
    settles: Option<i32>,
    /// The effect, in words.
    outcome: Option<String>,
}

impl AdviceView {
    pub fn of(explanation: &Explanation, piece: &Advice) -> Self {
        let advised = advised(explanation, piece);
        let outcome = advised.outcome;
        Self {
            text: advised.text(explanation.now()),
            when: outcome.map(|it| it.when),
            replicas: outcome.map(|it| IntervalView::of(it.next)),
            settles: outcome.and_then(|it| it.settles),
            outcome: advised.follows(),
            claim: advised.claim,
            command: advised.command,
        }
    }
}

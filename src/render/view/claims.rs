//! The sentences of Why as data.

use serde::Serialize;

use crate::render::claims::Claim;
use crate::render::phrases::why::why;
use kubectl_hpa_core::explanation::Explanation;

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

//! What to do about it.

use serde::Serialize;

use super::memory::IntervalView;
use crate::render::phrases::advice;
use kubectl_hpa_core::advice::Advice;
use kubectl_hpa_core::explanation::Explanation;

/// One piece.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
pub(super) struct AdviceView {
    code: &'static str,
    text: String,
    command: Option<String>,
    /// What would be decided.
    replicas: Option<IntervalView>,
    /// Where they would settle if the load stays, if that is another number.
    settles: Option<i32>,
}

impl AdviceView {
    pub fn of(explanation: &Explanation, piece: &Advice) -> Self {
        Self {
            code: piece.code().as_str(),
            text: advice::text(explanation, piece),
            command: advice::command(explanation, piece),
            replicas: piece.then.map(|then| IntervalView::of(then.next)),
            settles: piece.then.and_then(|then| then.settles).map(|settles| settles.0),
        }
    }
}

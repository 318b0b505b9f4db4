//! Which single things the decision hangs on.

use serde::Serialize;

use super::memory::IntervalView;
use crate::render::phrases::removal;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::whatif::{Blame, Removal};

/// What was taken away, each by itself.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BlameView {
    /// Those without which it is another decision, those that move the replicas furthest first.
    causes: Vec<CauseView>,
    /// Those without which it is the same.
    others: Vec<RemovalView>,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
struct CauseView {
    #[serde(flatten)]
    without: RemovalView,
    replicas: Option<IntervalView>,
    /// Nothing can be decided as it is, and something could without it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    frees: bool,
}

#[derive(Clone, Debug, Serialize)]
struct RemovalView {
    kind: &'static str,
    without: String,
}

impl BlameView {
    pub fn of(explanation: &Explanation, blame: &Blame) -> Self {
        let view = |removal: Removal| RemovalView {
            kind: removal::kind(removal),
            without: removal::name(explanation, removal),
        };
        let causes = blame.causes.iter().map(|blamed| CauseView {
            without: view(blamed.removal),
            replicas: blamed.replicas.map(IntervalView::of),
            frees: blamed.frees,
        });
        Self { causes: causes.collect(), others: blame.others.iter().copied().map(view).collect() }
    }
}

//! Why, in plain words.

use crate::render::page::Page;
use crate::render::phrases::why::why;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::trace::Outcome;

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    let claims = why(explanation);
    if claims.is_empty() {
        return;
    }
    let is_known = !matches!(explanation.decision().outcome, Outcome::Unknown(_));
    page.title(if is_known { "Why" } else { "Not recomputed" }, "");
    for claim in claims {
        page.paragraph(&claim.text(explanation.now()));
    }
}

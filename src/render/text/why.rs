//! Why, in plain words.

use crate::render::explanation::Explanation;
use crate::render::page::Page;
use crate::render::phrases::why::why;

pub(super) fn section(page: &mut Page, explanation: Explanation<'_>) {
    let sentences = why(explanation);
    if sentences.is_empty() {
        return;
    }
    page.title("Why", "");
    for sentence in sentences {
        page.paragraph(&sentence);
    }
}

//! What to do about it: each piece with its code, the command that shows or does it, and what would come of it.

use crate::render::page::{Line, Page, Role};
use crate::render::phrases::advice::advised;
use kubectl_hpa_core::advice::{Advice, Remedy};
use kubectl_hpa_core::explanation::Explanation;

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    pieces(page, explanation, |_| true);
}

/// A right that the controller lacks: it is missing whatever the HPA sets.
pub(super) fn right(page: &mut Page, explanation: &Explanation) {
    pieces(page, explanation, |piece| matches!(piece.remedy, Remedy::GrantRight { .. }));
}

fn pieces(page: &mut Page, explanation: &Explanation, is_told: fn(&Advice) -> bool) {
    let mut title = page.line(Role::Title, "Advice");
    let column = title.width() + 2;
    for piece in explanation.advice().iter().filter(|piece| is_told(piece)) {
        if title.width() > 0 {
            page.push(Line::default());
        }
        tell(page, explanation, piece, &std::mem::take(&mut title).padded(column));
    }
}

fn tell(page: &mut Page, explanation: &Explanation, piece: &Advice, left: &Line) {
    let code = piece.code().as_str();
    let advised = advised(explanation, piece);
    page.coded(left, &advised.text(explanation.now()), code);
    let outcome = advised.follows().unwrap_or_default();
    match advised.command {
        Some(command) => page.command(&command, &outcome),
        None if outcome.is_empty() => {}
        None => page.beside_at(&Line::default(), 2, Role::Quiet, &outcome),
    }
}

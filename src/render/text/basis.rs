//! What was assumed and what is not known, once and quietly, with what would make it exact.

use crate::render::claims::Basis;
use crate::render::options::Options;
use crate::render::page::{Page, Role};
use crate::render::phrases::basis;
use kubectl_hpa_core::explanation::Explanation;

/// What only a wide screen tells.
pub(super) fn wide(page: &mut Page, explanation: &Explanation, options: &Options) {
    if options.is_wide() {
        basis::wide(explanation).iter().for_each(|it| show(page, explanation, it));
    }
}

/// Who made the HPA.
pub(super) fn owner(page: &mut Page, explanation: &Explanation) {
    basis::owner(explanation).iter().for_each(|it| show(page, explanation, it));
}

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    basis::basis(explanation).iter().for_each(|it| show(page, explanation, it));
}

fn show(page: &mut Page, explanation: &Explanation, basis: &Basis) {
    let text = basis.text(explanation.now());
    let Basis::NotGiven { commands } = basis else {
        page.note(basis.title(), Role::Quiet, &text);
        return;
    };
    page.title(basis.title(), &text);
    for command in commands {
        page.command(command, "");
    }
}

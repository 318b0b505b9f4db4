//! The assumptions and gaps of a decision, once and quietly, with what would make it exact.

use crate::render::claims::Basis;
use crate::render::options::Options;
use crate::render::page::{Page, Role};
use crate::render::phrases::basis;
use kubectl_hpa_core::explanation::Explanation;

/// Sections of a wide screen alone.
pub(super) fn wide(page: &mut Page, explanation: &Explanation, options: &Options) {
    if options.is_wide() {
        show(page, explanation, basis::wide(explanation));
    }
}

/// Who made the HPA.
pub(super) fn owner(page: &mut Page, explanation: &Explanation) {
    show(page, explanation, basis::owner(explanation));
}

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    show(page, explanation, basis::basis(explanation));
}

fn show(page: &mut Page, explanation: &Explanation, all: impl IntoIterator<Item = Basis>) {
    for basis in all {
        let text = basis.text(explanation.now());
        if let Basis::NotGiven { commands } = &basis {
            page.title(basis.title(), &text);
            for command in commands {
                page.command(command, "");
            }
        } else {
            page.note(basis.title(), Role::Quiet, &text);
        }
    }
}

//! The steps, each with its arithmetic and its code.

use crate::render::options::Options;
use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::step;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::explanation::{Detail, Step};
use kubectl_hpa_core::memory_bounds::MemoryBounds;
use kubectl_hpa_core::trace::Code;

pub(super) fn section(page: &mut Page, explanation: &Explanation, options: &Options) {
    let steps = explanation.steps();
    let mut changes = steps.iter().filter(|step| !step.changes_nothing());
    let is_told = changes.any(|step| matches!(step.detail, Detail::Window(_) | Detail::Limit(_)));
    let is_open = |step: &Step<'_>| !is_told && makes_interval(explanation, step);
    let is_shown = |step: &&Step<'_>| options.is_wide() || !step.changes_nothing() || is_open(step);
    let kept: Vec<&Step<'_>> = steps.iter().filter(is_shown).collect();
    // A single metric that could not be read is explained above.
    if !options.is_wide() && kept.iter().all(|step| step.code == Code::Unread) {
        return;
    }
    page.title("Steps", "");
    let columns = [("", Align::Ordinal), ("", Align::Text), ("", Align::Text), ("", Align::Remark)];
    let mut table = Table::new(columns);
    for (place, step) in kept.iter().enumerate() {
        // That of one memory is not that of all.
        let code = if is_open(step) { "" } else { step.code.as_str() };
        let cells = [
            Cell::new(Role::Quiet, (place + 1).to_string()),
            Cell::from(step::label(step)),
            Cell::from(step::text(explanation, step)),
            Cell::new(Role::Quiet, code),
        ];
        table.row(cells);
    }
    page.table(&table);
}

/// Whether it is the window that makes an interval of the answer.
fn makes_interval(explanation: &Explanation, step: &Step<'_>) -> bool {
    let differ = |bounds: &MemoryBounds| bounds.loosest.recommendations != bounds.tightest.recommendations;
    matches!(step.detail, Detail::Window(_))
        && explanation.interval().is_some()
        && explanation.memory_bounds().is_some_and(differ)
}

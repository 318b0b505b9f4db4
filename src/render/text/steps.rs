//! The steps, each with its arithmetic and its code.

use crate::render::options::Options;
use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::step;
use kubectl_hpa_core::causes::About;
use kubectl_hpa_core::explanation::{Explanation, Metric, Step};
use kubectl_hpa_core::trace::Code;

pub(super) fn section(page: &mut Page, explanation: &Explanation, options: &Options) {
    let steps = explanation.steps();
    let is_shown = |step: &&Step<'_>| options.is_wide() || !step.changes_nothing();
    let mut kept: Vec<&Step<'_>> = steps.iter().filter(is_shown).collect();
    if !options.is_wide() {
        // What follows from a window that is not known is not known either.
        kept.dedup_by(|next, step| [next.code, step.code] == [Code::MemoryUnknown; 2]);
    }
    // A single metric that could not be read is explained above.
    if !options.is_wide() && kept.iter().all(|step| step.code == Code::Unread) {
        return;
    }
    page.title("Steps", about(explanation, &kept));
    let columns = [("", Align::Ordinal), ("", Align::Text), ("", Align::Text), ("", Align::Remark)];
    let mut table = Table::new(columns);
    for (place, step) in kept.iter().enumerate() {
        let cells = [
            Cell::new(Role::Quiet, (place + 1).to_string()),
            Cell::from(step::label(step)),
            Cell::from(step::text(explanation, step)),
            Cell::new(Role::Quiet, code(explanation, step)),
        ];
        table.row(cells);
    }
    page.table(&table);
}

/// The remark beside the title.
fn about(explanation: &Explanation, steps: &[&Step<'_>]) -> &'static str {
    if is_idle(explanation) {
        "of a controller at work"
    } else if steps.iter().any(|step| is_marked(explanation, step)) {
        "← marks the cause"
    } else {
        ""
    }
}

fn is_idle(explanation: &Explanation) -> bool {
    explanation.cause().is_some_and(|cause| cause.about == About::NobodyAtWork)
}

/// The code of a step, marked where the cause acts.
fn code(explanation: &Explanation, step: &Step<'_>) -> String {
    let mark = if is_marked(explanation, step) { " ←" } else { "" };
    format!("{}{mark}", step.code)
}

fn is_marked(explanation: &Explanation, step: &Step<'_>) -> bool {
    let is_of_winner = |metric: &Metric<'_>| {
        explanation.winner().is_none_or(|(winner, _)| winner.trace.index == metric.trace.index)
    };
    explanation.cause().is_some_and(|cause| cause.code == step.code)
        && !is_idle(explanation)
        && step.metric.as_ref().is_none_or(is_of_winner)
}

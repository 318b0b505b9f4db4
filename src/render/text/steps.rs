//! The steps, each with its arithmetic, and its code at the right edge.

use crate::render::options::Options;
use crate::render::page::{Page, Role};
use crate::render::phrases::step;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::explanation::Step;
use kubectl_hpa_core::trace::Code;

pub(super) fn section(page: &mut Page, explanation: &Explanation, options: &Options) {
    let steps = explanation.steps();
    let kept: Vec<&Step<'_>> =
        steps.iter().filter(|step| options.is_wide() || !step.changes_nothing()).collect();
    // One that could not be read alone is told of above.
    if !options.is_wide() && kept.iter().all(|step| step.code == Code::Unread) {
        return;
    }
    // The widest label that is set in the column of labels.
    let widest = page.width() / 4;
    page.title("Steps", "");
    let rows: Vec<Row> = kept.iter().map(|step| Row::of(explanation, step)).collect();
    let labels = rows.iter().map(|row| page.columns_of(&row.label)).filter(|width| *width <= widest).max();
    let column = labels.unwrap_or_default() + 6 + usize::from(rows.len() > 9);
    let codes = codes(page, &rows, column);
    for (place, row) in rows.iter().enumerate() {
        let number = page.line(Role::Quiet, &format!("  {} ", place + 1));
        let left = number.joined(page.line(Role::Plain, &row.label));
        let left = if left.width() + 2 > column && page.columns_of(&row.label) > widest {
            page.push(left);
            page.line(Role::Plain, "").padded(column)
        } else {
            left.padded(column)
        };
        page.coded(&left, &row.text, row.code, codes);
    }
}

struct Row {
    label: String,
    text: String,
    code: &'static str,
}

impl Row {
    fn of(explanation: &Explanation, step: &Step<'_>) -> Self {
        Self { label: step::label(step), text: step::text(explanation, step), code: step.code.as_str() }
    }
}

/// The column of the codes: right of the longest text beside which a code fits, or at the right edge.
fn codes(page: &Page, rows: &[Row], column: usize) -> usize {
    let longest = rows.iter().map(|row| row.code.len()).max().unwrap_or_default();
    let right = page.width().saturating_sub(longest);
    let ends = rows.iter().map(|row| column + page.columns_of(&row.text) + 2);
    ends.filter(|end| *end <= right).max().unwrap_or(right)
}

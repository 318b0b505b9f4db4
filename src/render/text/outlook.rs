//! What would change the decision: the values of each metric, and time.

use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::{metric, outlook};
use kubectl_hpa_core::explanation::{Explanation, Metric};

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    let rows = rows(explanation);
    if rows.is_empty() {
        return;
    }
    if let [(label, text)] = rows.as_slice() {
        page.note("What would change it", Role::Plain, &format!("{label}: {text}"));
        return;
    }
    page.title("What would change it", "");
    let mut table = Table::new([("", Align::Text), ("", Align::Text)]);
    for (label, text) in rows {
        table.row([label, text].map(Cell::from));
    }
    page.table(&table);
}

/// Each with its label; of several about one metric only the first has one.
fn rows(explanation: &Explanation) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for it in &explanation.outlook().thresholds {
        let Some(metric) = explanation.metrics().find(|metric| metric.trace.index == it.index) else {
            continue;
        };
        let mut label = metric::label(metric.spec);
        for text in texts(explanation, metric, it) {
            rows.push((std::mem::take(&mut label), text));
        }
    }
    if let Some(change) = &explanation.outlook().next {
        rows.push(("time".to_owned(), outlook::next(explanation, change)));
    }
    rows
}

fn texts(
    explanation: &Explanation,
    metric: Metric<'_>,
    it: &kubectl_hpa_core::whatif::Thresholds,
) -> Vec<String> {
    let thresholds = it.higher.into_iter().chain(it.lower);
    let thresholds = thresholds.map(|threshold| outlook::threshold(explanation, metric, it, threshold));
    thresholds.chain(it.held.map(|held| outlook::held(explanation, metric, it, held))).collect()
}

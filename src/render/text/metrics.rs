//! The metrics side by side, where there are several or where they have no pods to show.

use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::{failure, metric, unread};
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::trace::Verdict;

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    if !metric::has_table(explanation) {
        return;
    }
    let columns = [
        ("METRIC", Align::Name),
        ("SOURCE", Align::Left),
        ("NOW", Align::Right),
        ("TARGET", Align::Right),
        ("WANTS", Align::Right),
        ("", Align::Left),
        ("", Align::Remark),
    ];
    let mut table = Table::new(columns);
    for metric in explanation.metrics() {
        table.row(row(explanation, metric));
    }
    page.title("Metrics", "");
    page.table(&table);
}

fn row(explanation: &Explanation, metric: Metric<'_>) -> [Cell; 7] {
    let none = || Cell::from("–");
    let (now, wants, mark, remark) = match &metric.trace.verdict {
        Verdict::Proposal(proposal) => {
            let wants = Cell::from(proposal.replicas.0.to_string());
            let remark = metric::in_kubectl(metric, proposal).unwrap_or_default();
            (Cell::from(metric::now(metric, proposal).text()), wants, mark(explanation, metric), remark)
        }
        Verdict::Failed(it) => (Cell::new(Role::Stops, "failed"), none(), "", failure::full(it)),
        Verdict::Unknown(it) => (Cell::new(Role::Holds, "unknown"), none(), "", unread::brief(it)),
    };
    let source = Cell::new(Role::Quiet, metric::kind(&metric.spec.source));
    let target = Cell::from(metric::target(metric.spec));
    [Cell::from(metric::label(metric.spec)), source, now, target, wants, Cell::from(mark), Cell::from(remark)]
}

/// Which of several proposals was taken.
fn mark(explanation: &Explanation, metric: Metric<'_>) -> &'static str {
    let wins = explanation.decision().choice.is_some_and(|choice| choice.winner == metric.trace.index);
    let several = explanation.metrics().filter_map(Metric::proposal).count() > 1;
    match explanation.tied().first().and_then(|metric| metric.proposal()) {
        _ if !wins || !several => "",
        None => "← wins",
        Some(level) if level.replicas.0 == 0 => "← counts, the last of equal ones",
        Some(_) => "← counts, the first of equal ones",
    }
}

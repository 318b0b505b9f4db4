//! The metrics side by side, where there are several or where they have no pods to show.

use crate::model::Source;
use crate::render::explanation::{Explanation, Metric};
use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::{failure, metric, unread};
use crate::render::units::Unit;
use crate::trace::{Calculation, PerPod, Proposal, Verdict};

pub(super) fn section(page: &mut Page, explanation: Explanation<'_>) {
    let has_pods = |metric: Metric<'_>| match metric.spec.source {
        Source::Resource(_) | Source::ContainerResource { .. } | Source::Pods(_) => true,
        Source::Object { .. } | Source::External(_) => false,
    };
    if explanation.metrics().count() < 2 && explanation.metrics().all(has_pods) {
        return;
    }
    let columns = [
        ("METRIC", Align::Name),
        ("SOURCE", Align::Left),
        ("NOW", Align::Right),
        ("TARGET", Align::Right),
        ("WANTS", Align::Right),
        ("", Align::Remark),
    ];
    let mut table = Table::new(columns);
    for metric in explanation.metrics() {
        table.row(row(explanation, metric));
    }
    page.title("Metrics", "");
    page.table(&table);
}

fn row(explanation: Explanation<'_>, metric: Metric<'_>) -> [Cell; 6] {
    let (now, wants, remark) = match &metric.trace.verdict {
        Verdict::Proposal(proposal) => {
            let wins = explanation.decision.choice.is_some_and(|choice| choice.winner == metric.trace.index);
            let several = explanation.metrics().count() > 1;
            let mark = if wins && several { "← wins" } else { "" };
            (Cell::from(now(metric, proposal)), Cell::from(proposal.replicas.0.to_string()), Cell::from(mark))
        }
        Verdict::Failed(failure) => {
            (Cell::new(Role::Stops, "failed"), Cell::from("–"), Cell::from(failure::brief(failure)))
        }
        Verdict::Unknown(unread) => {
            (Cell::new(Role::Holds, "unknown"), Cell::from("–"), Cell::from(unread::what(unread)))
        }
    };
    let source = Cell::new(Role::Quiet, metric::kind(&metric.spec.source));
    [
        Cell::from(metric::label(metric.spec)),
        source,
        now,
        Cell::from(metric::target(metric.spec)),
        wants,
        remark,
    ]
}

fn now(metric: Metric<'_>, proposal: &Proposal) -> String {
    let unit = Unit::of(metric.spec);
    match &proposal.calculation {
        Calculation::PerPod(PerPod { first, .. }) => first.utilization.map_or_else(
            || format!("{} a pod", unit.human(first.mean)),
            |utilization| format!("{} %", utilization.0),
        ),
        Calculation::Total(total) => unit.human(total.usage),
        Calculation::PerReplica(it) if it.replicas.0 == 0 => unit.human(it.usage),
        Calculation::PerReplica(it) => format!("{} a replica", unit.human(it.mean)),
    }
}

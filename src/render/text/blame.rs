//! The single causes of the decision, each with the decision without it.

use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::{metric, removal};
use crate::render::units::range;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Replicas;
use kubectl_hpa_core::trace::{HoldReason, Outcome};

const TITLE: &str = "Blame";

/// Where nothing is to be found.
const NOTHING: &str = "no single cause: removing any one changes nothing";

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    let (Some(blame), Some(now)) = (explanation.blamed(), explanation.range()) else { return };
    let refused = explanation.decision().outcome.refused().map(|to| (to, to));
    if refused.is_none() && blame.causes.is_empty() {
        // A gate, a pause or pods that do not run are causes, but nothing that is taken away.
        if explanation.cause().is_none_or(|cause| cause.removal.is_some()) {
            page.note(TITLE, Role::Quiet, NOTHING);
        }
        return;
    }
    let mut table = Table::new([("", Align::Name), ("", Align::Right), ("", Align::Right)]);
    if let Some(then) = refused {
        table.row(["the refused write".to_owned(), range(then), change(now, then)].map(Cell::from));
    }
    for blamed in blame.causes.iter().filter(|blamed| !blamed.repeats) {
        let name = removal::name(explanation, blamed.removal);
        let (then, change) = match blamed.replicas {
            Some(then) if then == now => (range(then), decides(explanation, blamed.wanted)),
            Some(then) => (range(then), change(now, then)),
            None => ("not known".to_owned(), decides(explanation, blamed.wanted)),
        };
        table.row([name, then, change].map(Cell::from));
    }
    let now = range(now);
    let is_blocked = matches!(
        explanation.decision().outcome,
        Outcome::Hold { reason: HoldReason::InvalidMetricBlocksDown, .. }
    );
    let now = if explanation.decision().outcome.is_stopped() && !is_blocked && refused.is_none() {
        format!("replicas without each cause; now the controller cannot decide, and they stay at {now}")
    } else {
        format!("replicas without each cause, instead of {now}")
    };
    page.title(TITLE, &now);
    page.table(&table);
    page.text(Role::Quiet, "Removing anything else changes nothing.");
}

/// The metric that decides without a cause, and what it wants.
fn decides(explanation: &Explanation, wanted: Option<(usize, Replicas)>) -> String {
    let spec = |place: usize| explanation.snapshot().hpa.metrics.get(place);
    let of_metric = wanted.and_then(|(place, wanted)| Some((metric::label(spec(place)?), wanted.0)));
    of_metric.map_or_else(
        || "the HPA works again".to_owned(),
        |(metric, wanted)| format!("{metric} wants {wanted}"),
    )
}

/// `+4`; nothing where either side is an interval.
fn change(now: (Replicas, Replicas), then: (Replicas, Replicas)) -> String {
    if now.0 != now.1 || then.0 != then.1 {
        return String::new();
    }
    let change = i64::from(then.0.0) - i64::from(now.0.0);
    if change < 0 { format!("-{}", -change) } else { format!("+{change}") }
}

//! The recommendations of the stabilization window, if one of them holds the replicas.

use crate::render::options::{Options, Rows};
use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::units::{clock, span};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Duration, Evidence, Recommendation};
use kubectl_hpa_core::trace::{Stabilization, Stabilized};

/// Up to so many recommendations are all shown.
const ROWS: usize = 8;

pub(super) fn section(page: &mut Page, explanation: &Explanation, options: &Options) {
    let Some(stabilized) = &explanation.decision().stabilized else { return };
    if stabilized.before == stabilized.after || !explanation.memory_is_known() {
        return;
    }
    let (window, name) = (stabilized.window(), name(explanation, stabilized));
    let mut recommendations = explanation.in_window(window);
    recommendations.sort_by_key(|recommendation| recommendation.at);
    let holder = explanation.holder(stabilized);
    let holder = recommendations.iter().rposition(|recommendation| Some(*recommendation) == holder);
    let shown = shown_rows(&recommendations, holder, stabilized, options);
    let columns = [
        ("AT", Align::Left),
        ("WANTED", Align::Right),
        ("AGE", Align::Right),
        ("LEAVES", Align::Left),
        ("", Align::Left),
    ];
    let mut table = Table::new(columns);
    for (place, recommendation) in
        recommendations.iter().enumerate().filter(|(place, _)| shown.contains(place))
    {
        table.row(row(explanation, window, recommendation, Some(place) == holder));
    }
    let folded = recommendations.len() - shown.len();
    if folded > 0 {
        table.row(["…".to_owned(), format!("{folded} more")].map(|text| Cell::new(Role::Quiet, text)));
    }
    table.row(["now".to_owned(), stabilized.before.0.to_string()].map(Cell::from));
    page.title("Window", &format!("{}, {name}", span(window)));
    page.table(&table);
}

/// What sets the window that holds.
fn name(explanation: &Explanation, stabilized: &Stabilized) -> String {
    let behavior = explanation.snapshot().hpa.behavior.as_ref();
    let own = behavior.is_some_and(|behavior| behavior.down.window_seconds.is_some());
    match &stabilized.how {
        Stabilization::Behavior(_) if stabilized.after < stabilized.before => field("scaleUp"),
        Stabilization::Behavior(_) if own => field("scaleDown"),
        Stabilization::Behavior(_) | Stabilization::Legacy(_) => flag(explanation),
    }
}

fn field(direction: &str) -> String {
    format!("spec.behavior.{direction}.stabilizationWindowSeconds")
}

fn flag(explanation: &Explanation) -> String {
    let assumed = explanation.snapshot().controller.downscale_stabilization.evidence == Evidence::Assumed;
    let certainty = if assumed { " (assumed)" } else { "" };
    format!("--horizontal-pod-autoscaler-downscale-stabilization{certainty}")
}

fn row(
    explanation: &Explanation,
    window: Duration,
    recommendation: &Recommendation,
    holds: bool,
) -> [Cell; 5] {
    let (now, at) = (explanation.now(), recommendation.at);
    let mark = match (holds, explanation.initial()) {
        (true, Some(_)) => Cell::new(Role::Holds, "← decides: the replicas at this first sync"),
        (true, None) => Cell::new(Role::Holds, "← decides"),
        (false, _) => Cell::default(),
    };
    let texts =
        [clock(now, at), recommendation.replicas.0.to_string(), span(now.since(at)), clock(now, at + window)];
    let [at, wanted, age, leaves] = texts.map(Cell::from);
    [at, wanted, age, leaves, mark]
}

/// Which recommendations are shown: all of a few, else those that hold one after the other.
fn shown_rows(
    recommendations: &[Recommendation],
    holder: Option<usize>,
    stabilized: &Stabilized,
    options: &Options,
) -> Vec<usize> {
    if recommendations.len() <= ROWS || options.rows == Rows::All {
        return (0..recommendations.len()).collect();
    }
    let down = stabilized.after > stabilized.before;
    let mut far = stabilized.before;
    let mut shown: Vec<usize> = Vec::new();
    for (place, recommendation) in recommendations.iter().enumerate().rev() {
        let further = if down { recommendation.replicas > far } else { recommendation.replicas < far };
        if further || Some(place) == holder {
            far = recommendation.replicas;
            shown.push(place);
        }
    }
    shown
}

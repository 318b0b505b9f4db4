//! The self-check: recomputed against written; if nothing could be recomputed, the controller's own status.

use crate::render::claims::{At, ages};
use crate::render::options::Options;
use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::self_check::self_check;
use crate::render::phrases::{metric, written};
use crate::render::units::clock;
use kubectl_hpa_core::api::Condition;
use kubectl_hpa_core::explanation::Explanation;

pub(super) fn section(page: &mut Page, explanation: &Explanation, options: &Options) {
    let Some(check) = self_check(explanation) else { return };
    if options.is_wide() {
        let about = match explanation.interval() {
            Some(_) => "as the controller writes them for one decision of the interval; others differ",
            None => "as the controller writes them for this decision",
        };
        page.title("Conditions", about);
        page.table(&conditions(explanation, &explanation.report().status.conditions));
    }
    let role = if check.is_calm() { Role::Plain } else { Role::Holds };
    page.note("Self-check", role, &check.text(explanation.now()));
}

/// The controller's own status, in the place of a decision that is not known.
pub(super) fn instead(page: &mut Page, explanation: &Explanation) {
    if explanation.self_check().is_none() {
        written(page, explanation);
        metrics(page, explanation);
    }
}

/// The metrics of its last sync.
fn metrics(page: &mut Page, explanation: &Explanation) {
    let metrics = written::metrics(explanation);
    if metrics.is_empty() {
        return;
    }
    let columns = [("METRIC", Align::Name), ("NOW", Align::Right), ("TARGET", Align::Right)];
    let mut table = Table::new(columns);
    for (spec, now) in metrics {
        let now = now.map_or_else(|| Cell::new(Role::Stops, "failed"), |now| Cell::from(now.text()));
        table.row([Cell::from(metric::label(spec)), now, Cell::from(metric::target(spec))]);
    }
    page.title("Metrics", "of the last sync");
    page.table(&table);
}

/// The conditions as they stand.
fn written(page: &mut Page, explanation: &Explanation) {
    let status = &explanation.snapshot().hpa.status;
    if status.conditions.is_empty() {
        return;
    }
    let desired = status.desired_replicas;
    let at = explanation.snapshot().history.status_written.map(At);
    let ages = ages(explanation.now(), at, status.last_scale_time.map(At));
    page.title("Status", &format!("the controller wrote desiredReplicas {desired}{ages}"));
    page.table(&conditions(explanation, &status.conditions));
}

fn conditions(explanation: &Explanation, conditions: &[Condition]) -> Table {
    let columns = [
        ("CONDITION", Align::Left),
        ("STATUS", Align::Left),
        ("SINCE", Align::Left),
        ("REASON", Align::Left),
        ("MESSAGE", Align::Remark),
    ];
    let mut table = Table::new(columns);
    for condition in conditions {
        let since = condition.last_transition_time;
        let since = since.map_or_else(String::new, |since| clock(explanation.now(), since));
        let message = with_short_selectors(&condition.message);
        let texts = [&*condition.kind, &*condition.status, &since, &*condition.reason, &message];
        table.row(texts.map(Cell::from));
    }
    table
}

/// A message with selectors as kubectl writes them, `queue=mail`, instead of as Go prints its type.
fn with_short_selectors(message: &str) -> String {
    const BEGIN: &str = "&LabelSelector{MatchLabels:map[string]string{";
    const END: &str = "},MatchExpressions:[]LabelSelectorRequirement{},}";
    let Some((before, (labels, after))) =
        message.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?)))
    else {
        return message.to_owned();
    };
    let labels = labels.trim_end_matches(',').replace(": ", "=");
    format!("{before}{labels}{}", with_short_selectors(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selector_is_written_as_kubectl_does() {
        let of = |selector: &str| format!("from external metric queue({selector})");
        let go = "&LabelSelector{MatchLabels:map[string]string{app: web,queue: mail,},MatchExpressions:[]LabelSelectorRequirement{},}";
        assert_eq!(with_short_selectors(&of(go)), of("app=web,queue=mail"));
        assert_eq!(with_short_selectors(&of("nil")), of("nil"));
    }
}

//! The policies of `spec.behavior`, where several of them or earlier changes decide how far the replicas may move.

use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::{arithmetic, limit};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::trace::{BehaviorLimit, Limit};

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    let Some(limited) = explanation.decision().limited.as_ref().filter(|it| it.before != it.after) else {
        return;
    };
    let Limit::Behavior(Some(behavior)) = &limited.how else { return };
    let has_past = limit::has_past(behavior);
    if (behavior.policies.len() < 2 && !has_past) || (has_past && explanation.imagines_events()) {
        return;
    }
    let field = behavior.direction.field();
    let combined = limit::furthest(behavior.select, behavior.direction);
    page.title(
        "Rates",
        &format!("spec.behavior.{field}, selectPolicy {} takes {combined}", behavior.select.as_str()),
    );
    page.table(&policies(explanation, behavior));
}

fn policies(explanation: &Explanation, behavior: &BehaviorLimit) -> Table {
    let columns = [
        ("POLICY", Align::Left),
        ("AT PERIOD START", Align::Left),
        ("ALLOWS", Align::Left),
        ("", Align::Left),
    ];
    let mut table = Table::new(columns);
    let current = explanation.current().unwrap_or_default();
    let decides = behavior.deciding().map(|policy| policy.allows);
    for policy in &behavior.policies {
        let start = arithmetic::period_start(current, policy);
        let start = if start.is_empty() { start } else { format!("{start} = {}", policy.period_start.0) };
        let mark = if decides == Some(policy.allows) {
            Cell::new(Role::Holds, "← decides")
        } else {
            Cell::default()
        };
        let [name, start, allows] =
            [limit::policy(policy.policy), start, arithmetic::policy(policy, behavior.direction)]
                .map(Cell::from);
        table.row([name, start, allows, mark]);
    }
    table
}

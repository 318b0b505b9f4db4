//! Which single things the decision hangs on: what would be decided without each.

use crate::model::Replicas;
use crate::render::explanation::Explanation;
use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::{outlook, removal};

/// Where nothing is to be found.
const NOTHING: &str = "any single thing it would be decided the same";

pub(super) fn section(page: &mut Page, explanation: Explanation<'_>) {
    let (Some(blame), Some(now)) = (explanation.blame, explanation.range()) else { return };
    if blame.causes.is_empty() {
        page.note("Without", Role::Quiet, NOTHING);
        return;
    }
    let mut table = Table::new([("", Align::Name), ("", Align::Right), ("", Align::Right)]);
    for blamed in &blame.causes {
        let name = removal::name(explanation, blamed.removal);
        let cells = [name, outlook::range(blamed.replicas), change(now, blamed.replicas)];
        table.row(cells.map(Cell::from));
    }
    page.title("Without", &format!("each by itself, instead of {}", outlook::range(now)));
    page.table(&table);
    page.text(Role::Quiet, "Nothing else that is taken away changes it.");
}

/// `+4`; nothing where either side is an interval.
fn change(now: (Replicas, Replicas), then: (Replicas, Replicas)) -> String {
    if now.0 != now.1 || then.0 != then.1 {
        return String::new();
    }
    let change = i64::from(then.0.0) - i64::from(now.0.0);
    if change < 0 { format!("−{}", -change) } else { format!("+{change}") }
}

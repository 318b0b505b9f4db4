//! What would change the decision: the values of each metric, and time.

use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::outlook::outlook;
use kubectl_hpa_core::explanation::Explanation;

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    let (claims, now) = (outlook(explanation), explanation.now());
    match claims.as_slice() {
        [] => {}
        [claim] => {
            let text = format!("{}: {}", claim.label().0, claim.text(now));
            page.note("What would change it", Role::Plain, &text);
        }
        claims => {
            page.title("What would change it", "");
            let mut table = Table::new([("", Align::Text), ("", Align::Text)]);
            let mut before = None;
            for claim in claims {
                // Of several about one metric only the first names it.
                let label = claim.label();
                let shown = if before == Some(label) { "" } else { label.0 };
                before = Some(label);
                table.row([Cell::from(shown), Cell::from(claim.text(now))]);
            }
            page.table(&table);
        }
    }
}

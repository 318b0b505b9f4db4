//! The latest rescales.

use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::rescales::rescales;
use crate::render::units::clock;
use kubectl_hpa_core::explanation::Explanation;

/// So many are shown.
const ROWS: usize = 3;

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    let (claims, now) = (rescales(explanation), explanation.now());
    if claims.is_empty() {
        return;
    }
    let (folded, shown) = claims.split_at(claims.len().saturating_sub(ROWS));
    let mut table = Table::new([("", Align::Left), ("", Align::Remark)]);
    let more = folded.iter().fold(0, |sum: u32, it| sum.saturating_add(it.times()));
    if more > 0 {
        table.row(["…".to_owned(), format!("{more} more")].map(|text| Cell::new(Role::Quiet, text)));
    }
    for claim in shown {
        table.row([Cell::from(clock(now, claim.begin())), Cell::from(claim.text(now))]);
    }
    page.title("Rescales", "in the last hour, as the HPA's events show them");
    page.table(&table);
}

//! Where an upgrade leaves HPAs in situations that are still to come, and what to do first.

use crate::render::page::{Align, Cell, Line, Page, Role, Table};
use crate::render::phrases::later::{commands, end, when};
use crate::render::phrases::origin::CaseNames;
use crate::render::phrases::owner::overwrites;
use kubectl_hpa_core::comparison::Upgrade;
use kubectl_hpa_core::snapshot::Origin;

/// One row for each difference of each HPA.
pub(super) fn differences(page: &mut Page, upgrade: &Upgrade) {
    if upgrade.later.iter().all(|it| it.later.is_empty()) {
        return;
    }
    let columns = [
        ("CONTEXT", Align::Name),
        ("CASE", Align::Name),
        ("HPA", Align::Name),
        ("FROM", Align::Left),
        ("WHEN", Align::Text),
        ("BEFORE", Align::Left),
        ("AFTER", Align::Left),
        ("RULE", Align::Remark),
    ];
    let cases = CaseNames::of(upgrade.origins.iter());
    let mut table = Table::new(columns);
    for hpa in &upgrade.later {
        let origin = hpa.origin.as_ref();
        let context = origin.and_then(Origin::context).filter(|_| upgrade.is_of_clusters);
        let from = if upgrade.from.len() > 1 { hpa.from.as_str() } else { "" };
        for later in &hpa.later {
            let names: Vec<String> = later.rules.rules.iter().map(|rule| rule.name()).collect();
            let [now, then] = later.ends.map(end);
            table.row([
                Cell::new(Role::Quiet, context.unwrap_or_default()),
                Cell::new(Role::Quiet, cases.name(origin)),
                Cell::from(format!("{}/{}", hpa.key.namespace, hpa.key.name)),
                Cell::new(Role::Quiet, from),
                Cell::from(when(later)),
                Cell::from(now),
                Cell::from(then),
                Cell::new(Role::Quiet, names.join(", ")),
            ]);
        }
    }
    page.title("Other situations", "");
    page.table(&table);
}

/// The commands that keep the other version from leaving HPAs at 0, and who would revert them.
pub(super) fn precautions(page: &mut Page, upgrade: &Upgrade) {
    let mut needed = upgrade.later.iter().filter(|it| it.precaution.is_some()).peekable();
    if needed.peek().is_none() {
        return;
    }
    page.title("Change first", "before the version changes; then wait until each target has a replica");
    for hpa in needed {
        for command in commands(hpa, upgrade.is_of_clusters) {
            page.command(&command, "");
        }
        for owner in hpa.precaution.iter().flat_map(|it| &it.owners) {
            page.beside_at(&Line::default(), 4, Role::Holds, &overwrites(owner));
        }
    }
}

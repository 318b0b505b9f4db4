//! What another version would decide otherwise, now and later: one row an HPA.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::fleet::{origins, unread};
use super::later;
use crate::render::options::Options;
use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::answer::answer_line;
use crate::render::phrases::effect::{self, requests, settled};
use crate::render::phrases::later::refusal;
use crate::render::phrases::origin::CaseNames;
use crate::render::units::{count, few, list};
use crate::render::versions::named;
use kubectl_hpa_core::comparison::{Neighbors, Upgrade, Versions};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::rules::{Rule, Rules};
use kubectl_hpa_core::snapshot::Origin;

/// So many HPAs of which nothing can be said are named.
const UNDECIDED: usize = 5;

/// Writes what an upgrade changes for people.
///
/// # Errors
/// Those of the writer.
pub fn upgrade(out: &mut dyn Write, upgrade: &Upgrade, options: &Options) -> io::Result<()> {
    let mut page = Page::new(options.style());
    let from = if upgrade.from.is_empty() { String::new() } else { format!("{} → ", list(&upgrade.from)) };
    page.beside(&page.line(Role::Subject, "Upgrade"), Role::Plain, &format!("{from}{}", to(upgrade)));
    if !upgrade.changed.is_empty() {
        let table = rows(upgrade);
        page.title("Decided differently", "");
        page.table(&table);
    }
    later::differences(&mut page, upgrade);
    rules(&mut page, upgrade);
    later::precautions(&mut page, upgrade);
    if !upgrade.refused.is_empty() {
        page.note("Note", Role::Plain, &refusal(&to(upgrade), &upgrade.refused));
    }
    if let Some(sum) = effect::sum(&upgrade.totals()) {
        page.note("Sum", Role::Plain, &sum);
    }
    unread(&mut page, &upgrade.errors);
    origins(&mut page, &upgrade.origins);
    page.note("Total", Role::Plain, &upgrade_total(upgrade));
    page.write(out)
}

fn to(upgrade: &Upgrade) -> String {
    let newest = Rules::for_version(&upgrade.to.value, &BTreeMap::new());
    newest.map_or_else(|_| upgrade.to.value.to_string(), |rules| named(&upgrade.to.value, &rules))
}

fn rows(upgrade: &Upgrade) -> Table {
    let columns = [
        ("CONTEXT", Align::Name),
        ("CASE", Align::Name),
        ("HPA", Align::Name),
        ("FROM", Align::Left),
        ("REPLICAS", Align::Right),
        ("BEFORE", Align::Left),
        ("AFTER", Align::Left),
        ("SETTLES", Align::Left),
        ("CPU", Align::Left),
        ("MEMORY", Align::Left),
        ("RULE", Align::Remark),
    ];
    let cases = CaseNames::of(upgrade.origins.iter());
    let (mut table, totals) = (Table::new(columns), upgrade.totals());
    for (neighbors, effect) in upgrade.effects() {
        let snapshot = neighbors.now.1.snapshot();
        let (key, origin) = (&snapshot.hpa.key, snapshot.origin.as_ref());
        let context = origin.and_then(Origin::context).filter(|_| upgrade.is_of_clusters);
        let from = if upgrade.from.len() > 1 { neighbors.now.0 } else { "" };
        let current = neighbors.now.1.current().map_or_else(|| "–".to_owned(), |it| it.0.to_string());
        let sides = [neighbors.now.1, neighbors.then.1].map(becomes);
        let [now, then] = sides;
        let [cpu, memory] = effect.as_ref().map(|it| requests(it, &totals)).unwrap_or_default();
        let names: Vec<String> = rules_of(&neighbors).iter().map(|rule| rule.name()).collect();
        let cells = [
            Cell::new(Role::Quiet, context.unwrap_or_default()),
            Cell::new(Role::Quiet, cases.name(origin)),
            Cell::from(format!("{}/{}", key.namespace, key.name)),
            Cell::new(Role::Quiet, from),
            Cell::from(current),
            now,
            then,
            Cell::from(effect.as_ref().map_or_else(String::new, settled)),
            Cell::from(cpu),
            Cell::from(memory),
            Cell::new(Role::Quiet, names.join(", ")),
        ];
        table.row(cells);
    }
    table
}

/// What a side makes of the replicas.
fn becomes(side: &Explanation) -> Cell {
    let answer = answer_line(side);
    let text = answer.left.rsplit_once(" → ").map_or(answer.left.as_str(), |(_, text)| text);
    Cell::new(answer.role, text)
}

/// The rules behind the step, and behind the outcome where those are others.
fn rules_of(neighbors: &Neighbors<'_>) -> Vec<&'static Rule> {
    let difference = neighbors.difference;
    let mut rules = difference.rules.rules.clone();
    for rule in difference.outcome.iter().flat_map(|attribution| &attribution.rules) {
        if rules.iter().all(|known| known.name() != rule.name()) {
            rules.push(rule);
        }
    }
    rules
}

/// Each rule once, with what it says of itself.
fn rules(page: &mut Page, upgrade: &Upgrade) {
    let all = upgrade.changed.iter().flat_map(Versions::neighbors);
    let later = upgrade.later.iter().flat_map(|it| &it.later).flat_map(|it| it.rules.rules.iter().copied());
    let all = all.flat_map(|it| rules_of(&it)).chain(later);
    let texts: BTreeMap<String, String> = all.map(|rule| (rule.name(), rule.text())).collect();
    if texts.is_empty() {
        return;
    }
    page.title("Rules", "");
    let mut table = Table::new([("", Align::Left), ("", Align::Text)]);
    for (name, text) in texts {
        table.row([Cell::new(Role::Quiet, name), Cell::from(text)]);
    }
    page.table(&table);
}

/// How many HPAs are decided differently, now and later, and which could not be decided.
#[must_use]
pub fn upgrade_total(upgrade: &Upgrade) -> String {
    let undecided = match upgrade.undecided.as_slice() {
        [] => String::new(),
        names => format!(", {} unknown ({})", names.len(), few(names, UNDECIDED)),
    };
    let later = match upgrade.later.iter().filter(|it| !it.later.is_empty()).count() {
        0 => String::new(),
        later => format!(", {later} later"),
    };
    let changed = upgrade.changed.len();
    format!("{}: {changed} decided differently{later}{undecided}", count(upgrade.hpas, "HPA"))
}

//! Several versions side by side.

use std::io::{self, Write};

use super::head;
use super::simulation::{named_answers, steps};
use crate::render::options::Options;
use crate::render::page::{Align, Cell, Page, Role, Table};
use crate::render::phrases::answer::answer_line;
use crate::render::phrases::why::why;
use crate::render::rendered::RenderedStep;
use crate::render::units::list;
use crate::render::versions::named;
use kubectl_hpa_core::comparison::{Comparison, Extent, Neighbors, Versions};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::whatif::RuleAttribution;

/// Writes what several versions decide for people.
///
/// # Errors
/// Those of the writer.
pub fn versions(out: &mut dyn Write, versions: &Versions, options: &Options) -> io::Result<()> {
    let mut page = Page::new(options.style());
    if let Some((_, first)) = versions.decided.first() {
        head::of_any_version(&mut page, first);
    }
    decisions(&mut page, versions);
    reasons(&mut page, versions);
    for neighbors in versions.neighbors().filter(|it| it.difference.extent >= Extent::Way) {
        difference(&mut page, &neighbors);
    }
    words(&mut page, versions);
    page.write(out)
}

/// The outcomes, each once, with the versions that come to it.
fn decisions(page: &mut Page, versions: &Versions) {
    let groups = versions.groups();
    let beside = match (versions.comparison(), groups.len()) {
        (Comparison::Unknown, _) => "may or may not differ".to_owned(),
        (_, 0 | 1) => format!("the same by {}", list(&names(versions))),
        (_, many) => format!("{many} different outcomes"),
    };
    page.title("Decision", &beside);
    let name = |group: &Vec<(&str, &Explanation)>| {
        let names = group.iter().map(|(version, decided)| named(version, decided.rules()));
        if groups.len() == 1 { "all".to_owned() } else { names.collect::<Vec<_>>().join(", ") }
    };
    let names: Vec<String> = groups.iter().map(name).collect();
    let answers = groups.iter().filter_map(|group| Some(answer_line(group.first()?.1)));
    page.table(&named_answers(names.iter().map(String::as_str).zip(answers)));
}

fn sentences(decided: &Explanation) -> Vec<String> {
    why(decided).iter().map(|claim| claim.text(decided.now())).collect()
}

/// Why, where all decide the same; else the steps at which they part tell.
fn reasons(page: &mut Page, versions: &Versions) {
    if versions.groups().len() > 1 {
        return;
    }
    let mut whys: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for (version, decided) in &versions.decided {
        let (name, sentences) = (named(version, decided.rules()), sentences(decided));
        match whys.iter_mut().find(|(_, known)| *known == sentences) {
            Some((names, _)) => names.push(name),
            None => whys.push((vec![name], sentences)),
        }
    }
    whys.retain(|(_, sentences)| !sentences.is_empty());
    if whys.is_empty() {
        return;
    }
    page.title("Why", "");
    for (names, sentences) in &whys {
        if whys.len() > 1 {
            page.text(Role::Quiet, &format!("by {}", list(names)));
        }
        for sentence in sentences {
            page.paragraph(sentence);
        }
    }
}

fn names(versions: &Versions) -> Vec<String> {
    versions.decided.iter().map(|(version, decided)| named(version, decided.rules())).collect()
}

fn pair(neighbors: &Neighbors<'_>) -> String {
    format!("{} and {}", neighbors.now.0, neighbors.then.0)
}

fn difference(page: &mut Page, neighbors: &Neighbors<'_>) {
    let what = if neighbors.difference.extent == Extent::Way { ", to the same outcome" } else { "" };
    page.title("First difference", &format!("{}{what}", pair(neighbors)));
    let sides = neighbors.sides();
    let names = [neighbors.now.0, neighbors.then.0];
    if let Some(difference) = sides.earliest_difference() {
        page.table(&steps(names, RenderedStep::of_sides(&sides, [difference.now, difference.then])));
    }
    page.table(&rules(&neighbors.difference.rules));
    if let Some(deciding) = RenderedStep::of_deciding(&sides) {
        page.text(Role::Plain, "What decides");
        page.table(&steps(names, deciding));
    }
    if let Some(outcome) = &neighbors.difference.outcome {
        page.text(Role::Plain, "The outcome changes because of");
        page.table(&rules(outcome));
    }
}

/// The rules behind a difference, each with what it says of itself.
fn rules(attribution: &RuleAttribution) -> Table {
    let mut table = Table::new([("", Align::Left), ("", Align::Text)]);
    for (place, rule) in attribution.rules.iter().enumerate() {
        let word = match (place, attribution.together) {
            (0, _) => "rule",
            (_, true) => "with",
            (_, false) => "or",
        };
        let text = format!("{}: {}", rule.name(), rule.text());
        table.row([Cell::new(Role::Quiet, word), Cell::from(text)]);
    }
    table
}

/// What is decided alike and written otherwise.
fn words(page: &mut Page, versions: &Versions) {
    let all: Vec<Neighbors<'_>> =
        versions.neighbors().filter(|it| it.difference.extent == Extent::Words).collect();
    if all.is_empty() {
        return;
    }
    page.title("Only messages", "the same decision, with another status, event or error");
    let mut table = Table::new([("", Align::Left), ("", Align::Remark)]);
    for neighbors in &all {
        let names: Vec<String> = neighbors.difference.rules.rules.iter().map(|rule| rule.name()).collect();
        table.row([pair(neighbors), names.join(", ")].map(|text| Cell::new(Role::Quiet, text)));
    }
    page.table(&table);
}

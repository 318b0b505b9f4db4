//! From what was typed to the report.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Error, anyhow};

use super::super::complain::complain;
use super::super::{Ending, Screen, subjects, writer};
use super::live::Found;
use super::{files, fix, ignored, live, quote};
use crate::cli::{LintArgs, LintOutput};
use crate::render::{self, LintReport, Unreadable};
use kubectl_hpa_core::lint::{IgnoreFile, Linted, Severity, is_subject, lint_some};
use kubectl_hpa_core::model::shell_word;
use kubectl_hpa_core::snapshot::case::{API_VERSION, KIND};
use kubectl_hpa_core::snapshot::{LoadError, Written};

/// Looks at all objects together. What cannot be read is complained of, and the rest is looked at.
pub async fn run(
    args: &LintArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let exceptions = args.ignore_file.as_deref().map(ignored::read).transpose()?;
    let mut found =
        if args.file.is_empty() { Box::pin(live::read(args, screen, err)).await? } else { of_files(args)? };
    let (mut linted, mut unused) = linted_of(&found, exceptions.as_ref());
    let mut tried = BTreeSet::new();
    while args.fix && fix::round(&found, &linted, &mut tried, out, err)? > 0 {
        found = of_files(args)?;
        (linted, unused) = linted_of(&found, exceptions.as_ref());
    }
    for error in &found.errors {
        complain(error, err)?;
    }
    for text in &found.not_looked_at {
        writeln!(err, "note: not checked: {}", render::sanitize(text))?;
    }
    if found.is_right_missing {
        writeln!(err, "hint: kubectl hpa rbac --lint prints the rights")?;
    }
    if found.is_live && found.subjects.is_empty() {
        subjects::none(found.namespace.as_deref(), err)?;
        if args.output == LintOutput::Text {
            return Ok(if found.errors.is_empty() { Ending::Done } else { Ending::Failed });
        }
    }
    for unused in unused {
        writeln!(err, "note: {}", render::sanitize(&unused))?;
    }
    let Found { objects, subjects, errors, not_looked_at, .. } = found;
    let errors = errors.iter().map(unreadable).collect();
    // Only people are shown the lines.
    let is_text = args.output == LintOutput::Text;
    let lines = if is_text { quote::of(&objects, &linted.findings) } else { BTreeMap::new() };
    let report = LintReport { objects: &objects, linted: &linted, lines, subjects, errors, not_looked_at };
    write(args, screen, &report, out)
}

/// What is wrong with what was read, and what of the exceptions is not.
fn linted_of(found: &Found, exceptions: Option<&IgnoreFile>) -> (Linted, Vec<String>) {
    let Found { objects, subjects, groups, .. } = found;
    let mut linted = Linted::default();
    let mut first = 0;
    for end in groups.iter().copied().chain([objects.len()]) {
        linted.append(lint_some(&objects[first..end], |place| subjects.contains(&(first + place))), first);
        first = end;
    }
    let unused = exceptions.map(|it| it.apply(objects, &mut linted.findings)).unwrap_or_default();
    (linted, unused)
}

fn unreadable(error: &Error) -> Unreadable {
    let loaded = error.downcast_ref::<LoadError>();
    let place = loaded.and_then(|it| Some((it.source.clone(), it.position?)));
    Unreadable { text: format!("{error:#}"), place }
}

fn of_files(args: &LintArgs) -> anyhow::Result<Found> {
    let files::Read { groups, mut errors, notes } = files::read(&args.file, &args.exclude)?;
    let ends = groups.iter().scan(0, |end, group| {
        *end += group.len();
        Some(*end)
    });
    let ends = ends.collect();
    let objects: Vec<Written> = groups.into_iter().flatten().collect();
    if objects.is_empty() && errors.is_empty() && notes.is_empty() {
        // A CI that names the wrong folder is not to pass; kubectl apply fails as well.
        let place = |file: &PathBuf| match file.to_str() {
            Some("-") => "standard input".to_owned(),
            _ => file.display().to_string(),
        };
        let places: Vec<String> = args.file.iter().map(place).collect();
        errors.push(anyhow!("no objects in {}", places.join(", ")));
    }
    let subjects = objects.iter().enumerate().filter(|(_, written)| is_subject(written));
    let subjects = subjects.map(|(place, _)| place).collect();
    let is_case =
        |written: &&Written| written.text("/apiVersion") == API_VERSION && written.text("/kind") == KIND;
    let is_template =
        |written: &&Written| written.text("/kind") == "Template" && written.value["objects"].is_array();
    let cases = match objects.iter().filter(is_case).count() {
        0 => None,
        1 => Some("a case (kubectl hpa explain -f reads it)".to_owned()),
        more => Some(format!("{more} cases (kubectl hpa explain -f reads them)")),
    };
    let templates = objects.iter().find(is_template).map(|template| {
        let of = format!("oc process -f {} | kubectl hpa lint -f -", shell_word(&template.source));
        format!("the objects of an OpenShift template: {of}")
    });
    let not_looked_at = notes.into_iter().chain(cases).chain(templates).collect();
    Ok(Found { objects, groups: ends, subjects, errors, not_looked_at, ..Found::default() })
}

fn write(
    args: &LintArgs,
    screen: Screen,
    report: &LintReport<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<Ending> {
    match args.output {
        LintOutput::Text => render::lint(out, report, &writer::options(args.style, screen))?,
        LintOutput::Json => render::json(out, &render::lint_view(report))?,
        LintOutput::Sarif => render::json(out, &render::lint_sarif(report))?,
        LintOutput::Junit => render::lint_junit(out, report)?,
        LintOutput::Github => render::lint_github(out, report)?,
    }
    let mut ending = if report.errors.is_empty() { Ending::Done } else { Ending::Failed };
    if report.worst().is_some_and(|worst: Severity| worst >= args.fail_on) {
        ending.count(Ending::Found);
    }
    Ok(ending)
}

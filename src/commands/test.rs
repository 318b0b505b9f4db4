//! `kubectl hpa test`: cases as tests of an autoscaler's behavior.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::explain::complain;
use super::explained::Explained;
use super::{Ending, cases};
use crate::cli::TestArgs;
use crate::render::{self, Verdict};
use crate::snapshot::case::Expect;
use crate::snapshot::{Case, Snapshot};
use crate::trace::Outcome;
use crate::whatif::{Change, Mismatch, change, mismatches};

/// Holds every case that expects something against what is decided on it.
pub fn run(args: &TestArgs, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<Ending> {
    let mut files = Vec::new();
    for file in &args.files {
        collect(file, &mut files)?;
    }
    let (mut verdicts, mut silent, mut broken) = (Vec::new(), 0_usize, 0_usize);
    for case in cases::of_files(files) {
        match case.and_then(|(place, case)| judge(place.to_string(), case)) {
            Ok(Some(verdict)) => {
                render::verdict(out, &verdict)?;
                verdicts.push(verdict);
            }
            Ok(None) => silent += 1,
            Err(error) => {
                complain(&error, err)?;
                broken += 1;
            }
        }
    }
    if let Some(path) = &args.junit {
        let mut xml = Vec::new();
        render::junit(&mut xml, &verdicts)?;
        super::write_whole(path, &xml).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let count = |is_so: fn(&Verdict) -> bool| verdicts.iter().filter(|it| is_so(it)).count();
    let (passed, failed) = (count(Verdict::passes), count(Verdict::fails));
    let unknown = verdicts.len() - passed - failed;
    let told = if unknown > 0 { format!(", {unknown} not known") } else { String::new() };
    writeln!(out, "{passed} passed, {failed} failed{told}, {silent} without expect, {broken} broken")?;
    Ok(match (failed + broken, unknown, passed) {
        (1.., ..) | (0, 0, 0) => Ending::Failed,
        (0, 1.., _) => Ending::Unknown,
        (0, 0, 1..) => Ending::Done,
    })
}

/// A file as it is; of a folder its case files, in the order of their names, folders within it too.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = std::fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut inside = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    inside.sort();
    for path in inside {
        let is_case = path
            .extension()
            .is_some_and(|end| ["yaml", "yml", "json", "jsonl"].iter().any(|known| end == *known));
        if path.is_dir() || is_case {
            collect(&path, files)?;
        }
    }
    Ok(())
}

fn judge(place: String, mut case: Case) -> anyhow::Result<Option<Verdict>> {
    let Some(expect) = case.expect.take().filter(|expect| *expect != Expect::default()) else {
        return Ok(None);
    };
    let name = case.metadata.name.clone();
    let explained = explained(case.clone()).with_context(|| place.clone())?;
    let mut verdict = Verdict { place, name, mismatches: Vec::new(), unknown: Vec::new() };
    hold(&mut verdict, None, &expect, &explained);
    for (index, what_if) in expect.what_if.iter().enumerate() {
        match imagined(&case, &what_if.change, index) {
            Ok(explained) => hold(&mut verdict, Some(index), &what_if.expect, &explained),
            Err(mismatch) => verdict.mismatches.push(mismatch),
        }
    }
    Ok(Some(verdict))
}

/// Checks one decision, the case's own or that of a what-if. A decision that is not known neither passes nor fails, unless
/// the case expects exactly that.
fn hold(verdict: &mut Verdict, what_if: Option<usize>, expect: &Expect, explained: &Explained) {
    let outcome = &explained.answer.decision.outcome;
    let found = mismatches(expect, &explained.answer, &explained.report);
    let is_expected = found.is_empty() && expect.codes.iter().any(|code| code == outcome.code().as_str());
    if let Outcome::Unknown(unread) = outcome
        && !is_expected
    {
        let place = what_if.map_or_else(String::new, |index| format!("whatIf[{index}]: "));
        return verdict.unknown.push(format!("{place}{}", render::undecided(unread)));
    }
    verdict.mismatches.extend(found.into_iter().map(|mismatch| match what_if {
        Some(index) => Mismatch::WhatIf(index, Box::new(mismatch)),
        None => mismatch,
    }));
}

fn explained(case: Case) -> anyhow::Result<Explained> {
    Explained::of(Snapshot::freeze(case)?)
}

fn imagined(case: &Case, changes: &[String], index: usize) -> Result<Explained, Mismatch> {
    let changes: Result<Vec<Change>, _> = changes.iter().map(|text| Change::parse(text)).collect();
    let changes = changes.map_err(|error| Mismatch::UnknownFlag(index, error))?;
    let mut case = case.clone();
    change(&mut case, &changes).map_err(|error| Mismatch::Change(index, error))?;
    explained(case).map_err(|error| Mismatch::Undecided(index, format!("{error:#}")))
}

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
    let failed = verdicts.iter().filter(|verdict| !verdict.passes()).count();
    let passed = verdicts.len() - failed;
    writeln!(out, "{passed} passed, {failed} failed, {silent} without expect, {broken} broken")?;
    Ok(if failed + broken > 0 || passed == 0 { Ending::Failed } else { Ending::Done })
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
    let mut mismatches = mismatches(&expect, &explained.answer, &explained.report);
    for (index, what_if) in expect.what_if.iter().enumerate() {
        mismatches.extend(imagined(index, &case, &what_if.change, &what_if.expect));
    }
    Ok(Some(Verdict { place, name, mismatches }))
}

fn explained(case: Case) -> anyhow::Result<Explained> {
    Explained::of(Snapshot::freeze(case)?)
}

fn imagined(index: usize, case: &Case, changes: &[String], expect: &Expect) -> Vec<Mismatch> {
    let changes: Result<Vec<Change>, _> = changes.iter().map(|text| Change::parse(text)).collect();
    let changes = match changes {
        Ok(changes) => changes,
        Err(error) => return vec![Mismatch::UnknownFlag(index, error)],
    };
    let mut case = case.clone();
    if let Err(error) = change(&mut case, &changes) {
        return vec![Mismatch::Change(index, error)];
    }
    match explained(case) {
        Ok(explained) => mismatches(expect, &explained.answer, &explained.report)
            .into_iter()
            .map(|mismatch| Mismatch::WhatIf(index, Box::new(mismatch)))
            .collect(),
        Err(error) => vec![Mismatch::Undecided(index, format!("{error:#}"))],
    }
}

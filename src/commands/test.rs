//! `kubectl hpa test`: cases as tests of an autoscaler's behavior.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Error};

use super::explain::complain;
use super::explained::Explained;
use super::files::{self, Readers};
use super::{Ending, cases, folders};
use crate::cli::TestArgs;
use crate::render::{self, Broken, Verdict};
use crate::snapshot::case::Expect;
use crate::snapshot::{Case, Snapshot};
use crate::whatif::{Change, Mismatch, change, meant, mismatches};

/// Holds every case that expects something against what is decided on it.
pub fn run(args: &TestArgs, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<Ending> {
    let mut tally = Tally::default();
    for found in folders::case_files(&args.files) {
        match found {
            Ok(file) => tally.judge(&file, out, err)?,
            Err((folder, error)) => tally.add_broken(&folder, &error, err)?,
        }
    }
    if let Some(path) = &args.junit {
        let mut xml = Vec::new();
        render::junit(&mut xml, &tally.verdicts, &tally.broken)?;
        files::write_whole(path, &xml, Readers::Umask, out)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    tally.end(out)
}

/// What came of the cases so far.
#[derive(Default)]
struct Tally {
    verdicts: Vec<Verdict>,
    silent: usize,
    broken: Vec<Broken>,
}

impl Tally {
    fn judge(&mut self, file: &Path, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<()> {
        for case in cases::of_files(vec![file.to_owned()]) {
            match case.and_then(|(place, case)| judge(place.to_string(), case)) {
                Ok(Some(verdict)) => {
                    render::verdict(out, &verdict)?;
                    self.verdicts.push(verdict);
                }
                Ok(None) => self.silent += 1,
                Err(error) => self.add_broken(file, &error, err)?,
            }
        }
        Ok(())
    }

    fn add_broken(&mut self, file: &Path, error: &Error, err: &mut dyn Write) -> anyhow::Result<()> {
        self.broken.push(Broken { place: file.display().to_string(), problem: format!("{error:#}") });
        Ok(complain(error, err)?)
    }

    fn end(&self, out: &mut dyn Write) -> anyhow::Result<Ending> {
        let (silent, broken) = (self.silent, self.broken.len());
        let failed = self.verdicts.iter().filter(|verdict| !verdict.passes()).count();
        let passed = self.verdicts.len() - failed;
        writeln!(out, "{passed} passed, {failed} failed, {silent} without expect, {broken} broken")?;
        Ok(if failed + broken > 0 || passed == 0 { Ending::Failed } else { Ending::Done })
    }
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
    let mut then = case.clone();
    if let Err(error) = meant(case, &changes).and_then(|changes| change(&mut then, &changes)) {
        return vec![Mismatch::Change(index, error)];
    }
    match explained(then) {
        Ok(explained) => mismatches(expect, &explained.answer, &explained.report)
            .into_iter()
            .map(|mismatch| Mismatch::WhatIf(index, Box::new(mismatch)))
            .collect(),
        Err(error) => vec![Mismatch::Undecided(index, format!("{error:#}"))],
    }
}

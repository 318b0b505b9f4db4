//! `kubectl hpa test`: cases as tests of an HPA's behavior.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Error, anyhow, bail};

use super::complain::complain;
use super::files::{self, Readers};
use super::{Ending, Screen, cases, folders, writer};
use crate::cli::TestArgs;
use crate::render::codes::{Topic, find};
use crate::render::{self, Broken, Options, Verdict};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::snapshot::Case;
use kubectl_hpa_core::snapshot::case::Expect;
use kubectl_hpa_core::trace::Outcome;
use kubectl_hpa_core::whatif::{Change, Mismatch, change, meant, mismatches};

/// Holds every case that expects something against what is decided on it.
pub fn run(
    args: &TestArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let options = writer::options(args.style, screen);
    let mut tally = Tally { options, ..Tally::default() };
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
    if tally.is_of_nothing() {
        complain(&anyhow!("no case to test in the files named"), err)?;
    }
    tally.end(out)
}

/// What came of the cases so far.
#[derive(Default)]
struct Tally {
    options: Options,
    verdicts: Vec<Verdict>,
    silent: usize,
    broken: Vec<Broken>,
}

impl Tally {
    fn judge(&mut self, file: &Path, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<()> {
        for case in cases::of_files(vec![file.to_owned()]) {
            match case.and_then(|(place, case)| judge(place.to_string(), case)) {
                Ok(Some(verdict)) => {
                    render::verdict(out, &verdict, &self.options)?;
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

    fn is_of_nothing(&self) -> bool {
        self.verdicts.is_empty() && self.silent == 0 && self.broken.is_empty()
    }

    fn end(&self, out: &mut dyn Write) -> anyhow::Result<Ending> {
        let Self { verdicts, silent, broken, .. } = self;
        let broken = broken.len();
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
}

fn judge(place: String, mut case: Case) -> anyhow::Result<Option<Verdict>> {
    let Some(expect) = case.expect.take().filter(|expect| *expect != Expect::default()) else {
        return Ok(None);
    };
    check_codes(&expect).with_context(|| place.clone())?;
    let name = case.metadata.name.clone();
    let explained = Explanation::of(case.clone()).with_context(|| place.clone())?;
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

/// A code that no step has would fail on every decision; the reader is told what it may have been meant for.
fn check_codes(expect: &Expect) -> anyhow::Result<()> {
    for code in &expect.codes {
        match find(code) {
            Ok(Topic::Branch(known)) if known.as_str() == code => {}
            Ok(Topic::Branch(known)) => {
                bail!("expect.codes: no code {code:?}; did you mean {}?", known.as_str())
            }
            Ok(Topic::Lint(_)) => bail!("expect.codes: {code:?} is a rule of lint, not the code of a step"),
            Ok(Topic::State(_)) => bail!("expect.codes: {code:?} is a state of list, not the code of a step"),
            Ok(Topic::Advice(_)) => bail!("expect.codes: {code:?} is the code of an advice, not of a step"),
            Err(unknown) => bail!("expect.codes: {unknown}"),
        }
    }
    for (index, what_if) in expect.what_if.iter().enumerate() {
        check_codes(&what_if.expect).with_context(|| format!("whatIf[{index}]"))?;
    }
    Ok(())
}

/// Checks one decision, the case's own or that of a what-if. A decision that is not known neither passes nor fails, unless
/// the case expects exactly that.
fn hold(verdict: &mut Verdict, what_if: Option<usize>, expect: &Expect, explained: &Explanation) {
    let outcome = &explained.decision().outcome;
    let found = mismatches(expect, explained.answer(), explained.report());
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

fn imagined(case: &Case, changes: &[String], index: usize) -> Result<Explanation, Mismatch> {
    let changes: Result<Vec<Change>, _> = changes.iter().map(|text| Change::parse(text)).collect();
    let mut then = case.clone();
    let made = changes.and_then(|changes| change(&mut then, &meant(case, &changes)?));
    made.map_err(|error| Mismatch::Change(index, error))?;
    Explanation::of(then)
        .map_err(|error| Mismatch::Undecided(index, format!("{:#}", anyhow::Error::from(error))))
}

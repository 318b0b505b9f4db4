//! `--fix`: the patches that are certain, written into the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Context;

use super::super::files::{self, Readers};
use super::live::Found;
use super::mend::mended;
use crate::render;
use kubectl_hpa_core::lint::{Finding, Linted};
use kubectl_hpa_core::snapshot::{Position, Written};

/// Writes the first patch of each object, and says so; returns how many there were. One at a time, because those of one
/// object may overlap. What could not be written is kept in `tried`.
pub fn round(
    found: &Found,
    linted: &Linted,
    tried: &mut BTreeSet<String>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<usize> {
    let mut by_file = BTreeMap::<&str, BTreeMap<Position, Wanted<'_>>>::new();
    for finding in &linted.findings {
        let Some(wanted) = Wanted::of(found, finding).filter(|it| !tried.contains(&it.words())) else {
            continue;
        };
        by_file.entry(&wanted.written.source).or_default().entry(wanted.written.at("")).or_insert(wanted);
    }
    let mut number = 0;
    for (file, wanted) in by_file {
        let path = Path::new(file);
        let text = fs::read_to_string(path).unwrap_or_default();
        let patches = wanted.iter().map(|(at, it)| (*at, it.patch)).collect();
        let (then, written) = match mended(&text, &patches) {
            Some(then) => (then, wanted.values().collect()),
            None => one_by_one(&text, &wanted, tried, err)?,
        };
        if !written.is_empty() {
            files::write_whole(path, then.as_bytes(), Readers::Umask, out)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        for it in &written {
            writeln!(err, "fixed: {}", render::sanitize(&it.words()))?;
        }
        number += written.len();
    }
    Ok(number)
}

/// The first that can be written alone; those before it are told to be left.
fn one_by_one<'w, 'a>(
    text: &str,
    wanted: &'w BTreeMap<Position, Wanted<'a>>,
    tried: &mut BTreeSet<String>,
    err: &mut dyn Write,
) -> anyhow::Result<(String, Vec<&'w Wanted<'a>>)> {
    for (at, it) in wanted {
        if let Some(then) = mended(text, &BTreeMap::from([(*at, it.patch)])) {
            return Ok((then, vec![it]));
        }
        tried.insert(it.words());
        let words = it.words();
        writeln!(
            err,
            "not fixed: {}: it cannot be written without another change",
            render::sanitize(&words)
        )?;
    }
    Ok((String::new(), Vec::new()))
}

/// What is to be changed.
struct Wanted<'a> {
    written: &'a Written,
    patch: &'a serde_json::Value,
    finding: &'a Finding,
}

impl<'a> Wanted<'a> {
    /// By a finding that counts, in a file, where there is no other way to mend it.
    fn of(found: &'a Found, finding: &'a Finding) -> Option<Self> {
        let fix = finding.fix.as_ref().filter(|fix| finding.ignored.is_none() && fix.is_certain)?;
        let written = found.objects.get(fix.object).filter(|it| it.places.is_known())?;
        Path::new(&written.source).is_file().then_some(Self { written, patch: &fix.patch, finding })
    }

    /// With the object instead of a line, which each patch may move.
    fn words(&self) -> String {
        let Self { written, finding, .. } = self;
        let (kind, name) = (written.text("/kind"), written.text("/metadata/name"));
        format!("{}: {kind} {name}: {}: {}", written.source, finding.rule, finding.help)
    }
}

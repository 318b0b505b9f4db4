//! `--fix`: the patches of errors and warnings, written into the files.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Context;

use super::super::files::{self, Readers};
use super::live::Found;
use super::mend::mended;
use crate::render;
use kubectl_hpa_core::lint::{Finding, Linted, Severity};
use kubectl_hpa_core::snapshot::{Position, Written};

/// Writes the first patch of each file that can be written, and says so; returns how many there were. What could not be is
/// kept in `tried`. One patch at a time, because those of one object may overlap.
pub fn round(
    found: &Found,
    linted: &Linted,
    tried: &mut BTreeSet<String>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<usize> {
    let mut changed = BTreeSet::new();
    for finding in &linted.findings {
        let Some(Place { written, at, patch }) = Place::of(found, finding) else { continue };
        let key = format!("{} {at:?} {} {patch}", written.source, finding.rule);
        if changed.contains(&written.source) || !tried.insert(key) {
            continue;
        }
        let path = Path::new(&written.source);
        let text = fs::read_to_string(path).unwrap_or_default();
        if let Some(then) = mended(&text, at, patch) {
            files::write_whole(path, then.as_bytes(), Readers::Umask, out)
                .with_context(|| format!("cannot write {}", path.display()))?;
            changed.insert(&written.source);
            let line = format!("{}:{}: {}: {}", written.source, at.line, finding.rule, finding.help);
            writeln!(err, "fixed: {}", render::sanitize(&line))?;
        }
    }
    Ok(changed.len())
}

/// What is to be changed.
struct Place<'a> {
    written: &'a Written,
    at: Position,
    patch: &'a serde_json::Value,
}

impl<'a> Place<'a> {
    /// Of an error or a warning that counts, in a file: what is info may be meant so.
    fn of(found: &'a Found, finding: &'a Finding) -> Option<Self> {
        let is_meant = finding.ignored.is_none() && finding.severity >= Severity::Warning;
        let fix = finding.fix.as_ref().filter(|_| is_meant)?;
        let written = found.objects.get(fix.object).filter(|it| it.places.is_known())?;
        Path::new(&written.source).is_file().then(|| Self { written, at: written.at(""), patch: &fix.patch })
    }
}

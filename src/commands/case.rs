//! `kubectl hpa case`: objects as kubectl prints them, made into cases.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::complain::complain;
use super::files::{self, Readers};
use super::redact::redacted;
use super::{Ending, cases};
use crate::cli::CaseArgs;
use crate::render;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::snapshot::{Case, ReadError, Snapshot};

/// Writes a case of each HPA, and says what is missing. What cannot be read is complained of, and the rest is written.
pub fn run(args: &CaseArgs, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<Ending> {
    let mut ending = Ending::Done;
    if let Some(form) = ["json", "yaml", "wide", "name"].iter().find(|form| args.output == Path::new(form)) {
        bail!("-o {form}: a case is YAML, and -o names its file");
    }
    let real = |path: &PathBuf| fs::canonicalize(path).ok();
    let inputs: Vec<PathBuf> = args.files.iter().filter_map(real).collect();
    if real(&args.output).is_some_and(|output| output.is_file() && inputs.contains(&output)) {
        bail!("-o {}: it is one of the files that are read", args.output.display());
    }
    let mut text = Vec::new();
    for case in cases::of_files_or_objects(&args.files) {
        let written = case.and_then(|(place, case)| written(&place, case, args.redact, err));
        match written {
            Ok(yaml) => text.push(yaml),
            Err(error) => {
                complain(&error, err)?;
                ending.count(Ending::Failed);
            }
        }
    }
    // Each input without a case has its error.
    if text.is_empty() {
        return Ok(Ending::Failed);
    }
    files::write_whole(&args.output, text.join("---\n").as_bytes(), Readers::Owner, out)
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    Ok(ending)
}

fn written(place: &str, case: Case, is_redacted: bool, err: &mut dyn Write) -> anyhow::Result<String> {
    let case = Case { origin: None, ..case };
    let explained = Explanation::of_snapshot(Snapshot::freeze(case.clone())?)?;
    if explained.snapshot().scale.as_ref().is_err_and(ReadError::is_described) {
        let place = render::sanitize(place);
        writeln!(
            err,
            "note: {place}: read from the text of kubectl describe, which does not say everything"
        )?;
    }
    let missing = render::not_given(&explained);
    if !missing.is_empty() {
        writeln!(err, "note: {}: not given, these commands print it:", render::sanitize(place))?;
        for command in missing {
            writeln!(err, "  {}", render::sanitize(&command))?;
        }
    }
    Ok(if is_redacted { render::yaml_lines(&redacted(case))? } else { render::yaml_lines(&case)? })
}

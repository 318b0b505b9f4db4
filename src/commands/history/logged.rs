//! The log of kube-controller-manager.

use std::fs;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::time::UNIX_EPOCH;

use anyhow::{Context, bail};

use crate::commands::manifest::now;
use crate::commands::packed;
use crate::render::sanitize;
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::past::Logged;

/// The most bytes of a log: a pipe or a device may have no end.
const LONGEST: u64 = 256 << 20;

/// Reads a log, and says what of it could not be read. One without any rescale is an error, unless there are other sources.
pub fn read(path: &Path, is_alone: bool, err: &mut dyn Write) -> anyhow::Result<Logged> {
    let name = path.display().to_string();
    let mut log = packed::open(path)?.take(LONGEST + 1);
    let logged = Logged::read(BufReader::new(&mut log), newest(path)).with_context(|| name.clone())?;
    if log.limit() == 0 {
        bail!("{name}: it is longer than 256 MiB, the most of a log that is read");
    }
    if logged.unread > 0 {
        let lines = if logged.unread == 1 { "line is" } else { "lines are" };
        writeln!(
            err,
            "note: {}: {} {lines} left out: cut off, or without a time",
            sanitize(&name),
            logged.unread
        )?;
    }
    if logged.rescales.is_empty() {
        let [newer, older] = Logged::TEXTS.map(str::trim_end);
        let text =
            format!("no line with {newer:?} or {older:?}, as kube-controller-manager logs each change");
        if is_alone {
            bail!("{name}: {text}");
        }
        writeln!(err, "note: {}: {text}", sanitize(&name))?;
    }
    Ok(logged)
}

/// No line of a log was written after its file was.
fn newest(path: &Path) -> Instant {
    let written = fs::metadata(path).ok().filter(fs::Metadata::is_file).and_then(|it| it.modified().ok());
    let since = written.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let seconds = since.and_then(|since| i64::try_from(since.as_secs()).ok());
    seconds.map_or_else(now, Instant::from_unix_seconds)
}

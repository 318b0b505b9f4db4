//! `kubectl hpa record`: what looks at HPAs saw, as lines of a file.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail};

use super::looks::{Follower, Place, Told, follow};
use super::{Ending, files, packed};
use crate::cli::RecordArgs;
use crate::render;
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::record::{Entry, Recorded, Recorder, Seen};
use kubectl_hpa_core::snapshot::Case;

/// Looks until somebody wants an end, and writes what each look saw before the next begins.
pub async fn run(args: &RecordArgs, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<Ending> {
    let path = args.output.display().to_string();
    let mut file;
    let (to, begins): (&mut dyn Write, bool) = if files::is_output(&args.output) {
        (out, true)
    } else {
        let begins;
        (file, begins) = open(&args.output).with_context(|| format!("cannot record to {path}"))?;
        (&mut file, begins)
    };
    let is_packed = packed::is_packed(&args.output);
    let recorder = Recorder::default();
    let mut recording = Recording { to, path: &path, is_packed, recorder, lines: String::new(), looks: 0 };
    if begins {
        recording.lines = Recorder::header() + "\n";
        recording.write()?;
    }
    let time = args.time.map(|time| std::time::Duration::from_nanos(time.nanoseconds().unsigned_abs()));
    let ending = follow(&args.connection, &args.subjects(), time, &mut recording, err).await?;
    // A look that was cut short has read whole cases all the same.
    recording.write()?;
    let looks = recording.looks;
    writeln!(
        err,
        "recorded {looks} {} to {}",
        if looks == 1 { "look" } else { "looks" },
        render::sanitize(&path)
    )?;
    Ok(ending)
}

/// A file to go on with, and whether it is empty. What stands behind its last whole line was cut off, and goes.
fn open(path: &Path) -> anyhow::Result<(File, bool)> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let mut file = files::for_owner(&mut options)
        .open(path)
        .map_err(|error| anyhow::anyhow!("{}", files::words(&error)))?;
    if !file.metadata()?.is_file() {
        return Ok((file, true));
    }
    if file.try_lock().is_err() {
        bail!("another process is writing to it");
    }
    let (whole, first) = if packed::is_packed(path) {
        packed::last_member_end(BufReader::new(&mut file))
            .map_err(|_| anyhow::anyhow!("it is there and is not a record"))?
    } else {
        let mut first = Vec::new();
        BufReader::new(&mut file).take(1_000).read_until(b'\n', &mut first)?;
        (last_line_end(&mut file)?, first)
    };
    let header = Recorder::header();
    if first.is_empty() || header.as_bytes().starts_with(&first) {
        file.set_len(0)?;
        file.rewind()?;
        return Ok((file, true));
    }
    if first != (header + "\n").as_bytes() {
        bail!("it is there and is not a record");
    }
    file.set_len(whole)?;
    file.seek(SeekFrom::End(0))?;
    Ok((file, false))
}

/// The number of bytes up to the end of the last whole line.
fn last_line_end(file: &mut File) -> std::io::Result<u64> {
    const BLOCK: u64 = 65_536;
    let mut end = file.metadata()?.len();
    let mut block = Vec::new();
    while end > 0 {
        let begin = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(begin))?;
        block.clear();
        Read::by_ref(file).take(end - begin).read_to_end(&mut block)?;
        if let Some(place) = block.iter().rposition(|byte| *byte == b'\n') {
            return Ok(begin + place as u64 + 1);
        }
        end = begin;
    }
    Ok(0)
}

struct Recording<'a> {
    to: &'a mut dyn Write,
    path: &'a str,
    is_packed: bool,
    recorder: Recorder,
    /// What this look saw so far.
    lines: String,
    looks: u64,
}

impl Recording<'_> {
    fn add(&mut self, place: &Place, [begun, ended]: [Instant; 2], seen: Seen) -> anyhow::Result<()> {
        let (origin, namespace, name) = place;
        let hpa = Recorded::of(origin.as_ref(), namespace, name);
        self.lines += &self.recorder.line(&Entry { hpa, begun, ended, seen })?;
        self.lines.push('\n');
        Ok(())
    }

    fn write(&mut self) -> anyhow::Result<()> {
        let lines = std::mem::take(&mut self.lines).into_bytes();
        if lines.is_empty() {
            return Ok(());
        }
        let bytes = if self.is_packed { packed::pack(&lines)? } else { lines };
        let written = self.to.write_all(&bytes).and_then(|()| self.to.flush());
        written.with_context(|| format!("cannot write to {}", self.path))
    }
}

impl Follower for Recording<'_> {
    fn see(&mut self, place: &Place, case: Case, times: [Instant; 2]) -> anyhow::Result<Told> {
        let period = case.controller.sync_period.as_ref().map(|period| period.value);
        self.add(place, times, Seen::Case(Box::new(case)))?;
        Ok(Told { period, ..Told::default() })
    }

    fn miss(&mut self, place: &Place, now: Option<Instant>) -> anyhow::Result<()> {
        now.map_or(Ok(()), |now| self.add(place, [now; 2], Seen::Unread))
    }

    fn lose(&mut self, place: &Place, now: Option<Instant>) -> anyhow::Result<()> {
        now.map_or(Ok(()), |now| self.add(place, [now; 2], Seen::Gone))
    }

    fn look_ended(&mut self) -> anyhow::Result<()> {
        self.looks += 1;
        self.write()
    }
}

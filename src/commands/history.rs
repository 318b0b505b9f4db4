//! `kubectl hpa history`: the changes that a record shows, and `explain --at`: what was decided at a time.

use std::collections::BTreeMap;
use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::rc::Rc;

use anyhow::{Context, bail};

use super::looks::{Changed, Place, Trails};
use super::wanted::Wanted;
use super::{Ending, Screen, cases, packed, writer};
use crate::cli::{HistoryArgs, Moment, Output, SettingsArgs};
use crate::render::{self, Unseen, sanitize};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Duration, Instant};
use kubectl_hpa_core::record::{Entry, Recorded, Records, Seen};

/// Tells each change of the replicas, oldest first, and what the record covers.
pub fn run(
    args: &HistoryArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let (mut past, mut changes) = (Past::default(), Vec::new());
    each_look(&args.file, err, |entry| {
        if is_named(&entry.hpa, &args.names) {
            changes.extend(past.take(entry, &args.settings));
        }
        Ok(())
    })?;
    changes.extend(past.trails.end());
    let Some((first, last)) = past.span else { bail!("the record has no look{}", at(&args.names)) };
    let from = args.since.map(|since| last - since);
    changes.retain(|(change, _)| from.is_none_or(|from| change.time() >= from));
    changes.sort_by_key(|(change, before)| (change.time(), before.explained.snapshot().hpa.key.clone()));
    let options = writer::options(args.ascii, args.color, screen);
    if args.output == Output::Csv {
        let rows = changes.iter().map(|(change, before)| (change, &*before.explained));
        render::replica_changes_csv(out, rows)?;
        return Ok(past.ending(err)?);
    }
    for (change, before) in &changes {
        if args.output == Output::Jsonl {
            render::replica_change_json(out, change, &before.explained)?;
        } else {
            render::replica_change(out, change, &before.explained, &options)?;
        }
    }
    if args.output == Output::Text {
        let span = [from.map_or(first, |from| from.max(first)), last];
        past.unseen.retain(|unseen| unseen.until > span[0]);
        if !changes.is_empty() {
            writeln!(out)?;
        }
        render::past_total(out, changes.len(), past.hpas.len(), span, &past.unseen, &options)?;
    }
    Ok(past.ending(err)?)
}

fn at(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!(" at {}", names.join(", ")) }
}

fn is_named(hpa: &Recorded, names: &[String]) -> bool {
    let is = |name: &String| match name.split_once('/') {
        Some((namespace, name)) => *namespace == *hpa.namespace && *name == *hpa.name,
        None => **name == *hpa.name,
    };
    names.is_empty() || names.iter().any(is)
}

/// What was decided on each HPA of a record at a time: at its last look that had ended by then.
pub fn explained_at(
    files: &[PathBuf],
    at: Moment,
    mut wanted: Wanted,
    settings: &SettingsArgs,
    err: &mut dyn Write,
) -> anyhow::Result<Vec<Rc<Explanation>>> {
    let (mut past, mut then) = (Past::default(), None);
    each_look(files, err, |entry| {
        // A time of the clock is the last such time of the record.
        let before = at.before(entry.ended - Duration::from_nanoseconds(1));
        if past.span.is_some_and(|(_, last)| last <= before) && before < entry.ended {
            then = Some(past.last.clone());
        }
        if let Seen::Case(case) = &entry.seen
            && !wanted.takes(&case.hpa.0)
        {
            return Ok(());
        }
        drop(past.take(entry, settings));
        Ok(())
    })?;
    if let Some(missing) = wanted.missing().into_iter().next() {
        return Err(missing);
    }
    let Some((first, last)) = past.span else { bail!("the record has no look") };
    if at.before(last) == last {
        then = Some(past.last);
    }
    let Some(then) = then else { bail!("--at: the record goes from {first} to {last}") };
    Ok(then.into_values().collect())
}

/// Takes the looks of several records, one after the other.
fn each_look(
    files: &[PathBuf],
    err: &mut dyn Write,
    mut take: impl FnMut(Entry) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for path in files {
        let name = path.display().to_string();
        let opened = cases::open(path)?;
        let opened = if packed::is_packed(path) { Box::new(packed::unpack(opened)) } else { opened };
        let mut records = Records::new(BufReader::new(opened));
        for entry in &mut records {
            take(entry.with_context(|| name.clone())?)?;
        }
        if records.is_cut() {
            writeln!(err, "note: {}: the last line was cut off, and is left out", sanitize(&name))?;
        }
    }
    Ok(())
}

/// A record as far as it was read.
#[derive(Default)]
struct Past {
    trails: Trails,
    /// Each HPA, with when it was seen last.
    hpas: BTreeMap<Place, Instant>,
    /// The last decision on each HPA that is there.
    last: BTreeMap<Place, Rc<Explanation>>,
    /// HPAs on whose last look nothing could be decided.
    undecided: BTreeMap<Place, anyhow::Error>,
    /// When nobody looked.
    unseen: Vec<Unseen>,
    /// When the first look ended, and the last.
    span: Option<(Instant, Instant)>,
}

impl Past {
    /// Complains of the HPAs on whose last look nothing could be decided, and says how the run ends with that.
    fn ending(&self, err: &mut dyn Write) -> std::io::Result<Ending> {
        let mut ending = Ending::Done;
        for ((_, namespace, name), error) in &self.undecided {
            writeln!(err, "error: {}", sanitize(&format!("{namespace}/{name}: {error:#}")))?;
            ending.count(Ending::Failed);
        }
        Ok(ending)
    }

    /// Takes one more look. Returns the changes about which nothing else is to be expected.
    fn take(&mut self, entry: Entry, settings: &SettingsArgs) -> Vec<Changed> {
        let Entry { hpa, begun, ended, seen } = entry;
        let place = (hpa.origin(), hpa.namespace.to_string(), hpa.name.to_string());
        self.span = Some(self.span.map_or((ended, ended), |(first, last)| (first, last.max(ended))));
        let case = match seen {
            Seen::Unread => {
                self.trails.miss(&place);
                return Vec::new();
            }
            Seen::Gone => {
                self.last.remove(&place);
                return self.trails.lose(&place);
            }
            Seen::Case(case) => *case,
        };
        match self.trails.see(&place, case, [begun, ended], settings) {
            Ok(saw) => {
                let period = saw.explained.snapshot().controller.sync_period.value;
                if let Some(since) =
                    self.hpas.insert(place.clone(), ended).filter(|last| begun.since(*last) > period)
                {
                    let (namespace, name) = (place.1.clone(), place.2.clone());
                    self.unseen.push(Unseen { namespace, name, since, until: begun });
                }
                self.undecided.remove(&place);
                self.last.insert(place, saw.explained);
                saw.changes
            }
            Err(error) => {
                self.last.remove(&place);
                self.undecided.insert(place, error);
                Vec::new()
            }
        }
    }
}

//! Records: their changes, and what was decided at a time.

use std::collections::BTreeMap;
use std::io::{BufReader, Read, Write};
use std::path::PathBuf;
use std::rc::Rc;

use anyhow::{Context, bail};

use super::opened::{self, Opened};
use crate::cli::{Moment, SettingsArgs};
use crate::commands::Ending;
use crate::commands::looks::{Changed, Place, Trails};
use crate::commands::wanted::Wanted;
use crate::render::{Unseen, sanitize};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Duration, Instant};
use kubectl_hpa_core::past::PastChange;
use kubectl_hpa_core::record::{Entry, Records, Seen};

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
        let Opened { name, reader, .. } = opened::open(path)?;
        each_look_of(&name, reader, err, &mut take)?;
    }
    Ok(())
}

/// Takes the looks of a record.
pub fn each_look_of(
    name: &str,
    reader: impl Read,
    err: &mut dyn Write,
    mut take: impl FnMut(Entry) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut records = Records::new(BufReader::new(reader));
    for entry in &mut records {
        take(entry.with_context(|| name.to_owned())?)?;
    }
    if records.is_cut() {
        writeln!(err, "note: {}: the last line was cut off, and is left out", sanitize(name))?;
    }
    Ok(())
}

/// A record as far as it was read.
#[derive(Default)]
pub struct Past {
    trails: Trails,
    /// Each HPA, with when it was seen last.
    pub hpas: BTreeMap<Place, Instant>,
    /// The last decision on each HPA that is there.
    last: BTreeMap<Place, Rc<Explanation>>,
    /// HPAs on whose last look nothing could be decided.
    undecided: BTreeMap<Place, anyhow::Error>,
    /// When nobody looked.
    pub unseen: Vec<Unseen>,
    /// When the first look ended, and the last.
    pub span: Option<(Instant, Instant)>,
}

impl Past {
    /// Complains of the HPAs on whose last look nothing could be decided, and says how the run ends with that.
    pub fn ending(&self, err: &mut dyn Write) -> std::io::Result<Ending> {
        let mut ending = Ending::Done;
        for ((_, namespace, name), error) in &self.undecided {
            writeln!(err, "error: {}", sanitize(&format!("{namespace}/{name}: {error:#}")))?;
            ending.count(Ending::Failed);
        }
        Ok(ending)
    }

    /// The changes that no look comes after.
    pub fn end(&mut self) -> Vec<Changed> {
        self.trails.end()
    }

    /// Takes one more look. Returns the changes about which nothing else is to be expected.
    pub fn take(&mut self, entry: Entry, settings: &SettingsArgs) -> Vec<Changed> {
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

/// A change that looks have seen.
pub fn past_change((change, before): Changed) -> PastChange {
    let snapshot = before.explained.snapshot();
    let (key, origin) = (snapshot.hpa.key.clone(), snapshot.origin.clone());
    PastChange { key, origin, before: Some(before), change }
}

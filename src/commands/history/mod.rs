//! `kubectl hpa history`: the changes that events, records and the controller's log show.

mod logged;
pub mod opened;
mod recorded;
mod wanted;

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::{Context, bail};
use futures::StreamExt;

use super::complain::complain;
use super::looks::Place;
use super::subjects::{self, Matching, Unnamed};
use super::wanted::Wanted;
use super::{Ending, Screen, cases, writer};
use crate::cli::{HistoryArgs, Output};
use crate::render::{self, Changed, PastTotal, sanitize};
use kubectl_hpa_core::model::{Duration, Instant};
use kubectl_hpa_core::past::{Logged, PastChange, add_events, add_logged, of_events, total};
use kubectl_hpa_core::snapshot::{Case, Snapshot};
use recorded::Past;

pub use recorded::{each_look_of, explained_at};
pub use wanted::Named;

/// Tells each change of the replicas, oldest first, and how much is known.
pub async fn run(
    args: &HistoryArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let mut told = Told::default();
    let mut named = Named::of(args);
    if args.file.is_empty() {
        let asked = Box::pin(told.ask(args, &mut named, screen, err)).await;
        match (asked, &args.controller_log) {
            (Err(error), Some(_)) if !super::output::is_closed(&error) => {
                writeln!(err, "note: the log alone is read: {}", sanitize(&format!("{error:#}")))?;
            }
            (asked, _) => asked?,
        }
    } else {
        told.read(args, &named, err)?;
    }
    if let Some(path) = &args.controller_log {
        told.log(logged::read(path, told.newest.is_none(), err)?, &named);
    }
    let Some(newest) = told.newest else {
        return Ok(told.ending);
    };
    told.write(args, newest, screen, out)?;
    told.ending.count(told.past.ending(err)?);
    Ok(told.ending)
}

/// A time is meant to the minute.
const ABOUT: Duration = Duration::from_seconds(60);

/// All that is known.
#[derive(Default)]
struct Told {
    past: Past,
    changes: Vec<PastChange>,
    /// The HPAs that events or the log tell about, beside those of a record.
    hpas: BTreeSet<Place>,
    /// True once events were read.
    has_events: bool,
    /// The log's times, and whether they are without a year.
    log: Option<([Instant; 2], bool)>,
    /// The last time that something tells about.
    newest: Option<Instant>,
    ending: Ending,
}

impl Told {
    /// Asks the cluster for the HPAs' events.
    async fn ask(
        &mut self,
        args: &HistoryArgs,
        named: &mut Named,
        screen: Screen,
        err: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let subjects = args.subjects();
        let connection = args.connection.clone();
        let found = subjects::of_cluster(&subjects, Unnamed::All, connection, screen, err).await?;
        let asked = match found {
            Matching::Some(asked) => asked,
            Matching::None(namespace) => {
                subjects::none(namespace.as_deref(), err)?;
                named.stay_in(namespace);
                return Ok(());
            }
        };
        if !args.all_namespaces {
            named.stay_in(asked.first().map(|first| first.connection.namespace().to_owned()));
        }
        let mut cases = subjects::gathered(asked);
        while let Some((asked, case)) = cases.next().await {
            if let Err(error) = case.map_err(Into::into).and_then(|case| self.case(case, args, err)) {
                self.failed(&asked.labeled_error(error), err)?;
            }
        }
        Ok(())
    }

    /// Reads records, and the events of cases and objects.
    fn read(&mut self, args: &HistoryArgs, named: &Named, err: &mut dyn Write) -> anyhow::Result<()> {
        let mut others = Vec::new();
        for path in &args.file {
            let opened = opened::open(path)?;
            if !opened.is_record {
                others.push((opened.name, opened.reader));
                continue;
            }
            recorded::each_look_of(&opened.name, opened.reader, err, |entry| {
                if named.means(Some(&entry.hpa.namespace), &entry.hpa.name) {
                    let changes = self.past.take(entry, &args.settings);
                    self.changes.extend(changes.into_iter().map(recorded::past_change));
                }
                Ok(())
            })?;
        }
        let ends = self.past.end();
        self.changes.extend(ends.into_iter().map(recorded::past_change));
        if self.past.span.is_none() && others.is_empty() {
            bail!("the record has no look{}", named.at());
        }
        self.newest = self.past.span.map(|(_, last)| last);
        if others.is_empty() {
            return Ok(());
        }
        let wanted = Wanted::of(&args.subjects(), args.connection.namespace.as_deref())?;
        for case in cases::wanted(cases::of_readers(others), wanted) {
            if let Err(error) = case.and_then(|(place, case)| self.case(case, args, err).context(place)) {
                self.failed(&error, err)?;
            }
        }
        Ok(())
    }

    /// The changes that the events of a case show.
    fn case(&mut self, mut case: Case, args: &HistoryArgs, err: &mut dyn Write) -> anyhow::Result<()> {
        cases::know(&mut case, &args.settings.past)?;
        let snapshot = Snapshot::freeze(case)?;
        let key = &snapshot.hpa.key;
        if let Some(error) = &snapshot.history.error {
            let text =
                format!("{}/{}: its events could not be read: {}", key.namespace, key.name, error.message);
            writeln!(err, "note: {}", sanitize(&text))?;
            self.ending.count(Ending::Unknown);
        }
        self.has_events |= snapshot.history.has_events;
        self.newest = self.newest.max(Some(snapshot.taken_at));
        self.hpas.insert((snapshot.origin.clone(), key.namespace.to_string(), key.name.to_string()));
        add_events(&mut self.changes, key, snapshot.origin.as_ref(), of_events(&snapshot));
        Ok(())
    }

    /// Adds the changes of a log of the HPAs that are meant.
    fn log(&mut self, logged: Logged, named: &Named) {
        let Logged { mut rescales, span, is_assumed, .. } = logged;
        let known: BTreeSet<(String, String)> = self
            .hpas
            .iter()
            .chain(self.past.hpas.keys())
            .map(|(_, namespace, name)| (namespace.clone(), name.clone()))
            .collect();
        rescales.retain(|it| {
            let is_known = |namespace: &str| known.contains(&(namespace.to_owned(), it.name.to_string()));
            let is_found = match &it.namespace {
                Some(namespace) => is_known(namespace),
                None => known.iter().any(|(_, name)| **name == *it.name),
            };
            is_found || named.means(it.namespace.as_deref(), &it.name)
        });
        let before = self.changes.len();
        add_logged(&mut self.changes, rescales);
        let new = self.changes.iter().skip(before).filter(|it| !it.key.namespace.is_empty());
        let new = new.map(|it| (it.key.namespace.to_string(), it.key.name.to_string()));
        let new = new.filter(|name| !known.contains(name));
        self.hpas.extend(new.map(|(namespace, name)| (None, namespace, name)));
        self.newest = self.newest.max(span.map(|[_, last]| last));
        self.log = span.map(|span| (span, is_assumed));
    }

    fn failed(&mut self, error: &anyhow::Error, err: &mut dyn Write) -> anyhow::Result<()> {
        self.ending.count(Ending::Failed);
        Ok(complain(error, err)?)
    }

    /// Writes the changes, and how much is known.
    fn write(
        &mut self,
        args: &HistoryArgs,
        newest: Instant,
        screen: Screen,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let at = args.at.map(|at| at.before(newest));
        let from = args.since.map(|since| newest - since).or_else(|| at.map(|at| at - ABOUT));
        let to = at.map(|at| at + ABOUT);
        if let (Some([first, last]), Some(from), Some(to)) = (self.span(), from, to)
            && (to < first || last < from)
        {
            bail!("--at: what is known goes from {first} to {last}");
        }
        let changes = &mut self.changes;
        changes.retain(|PastChange { change, .. }| {
            let begin = change.at.unwrap_or(change.after);
            from.is_none_or(|from| change.time() >= from) && to.is_none_or(|to| begin <= to)
        });
        changes.sort_by(|one, other| {
            let key = |it: &PastChange| (it.change.time(), it.change.at, it.key.clone());
            key(one).cmp(&key(other))
        });
        let options = writer::options(args.style, screen);
        let rows = changes.iter().map(|it| match &it.before {
            Some(before) => Changed::after(&it.change, &before.explained),
            None => Changed::of(&it.change, &it.key, it.origin.as_ref()),
        });
        match args.output {
            Output::Csv => render::replica_changes_csv(out, rows)?,
            Output::Jsonl => {
                for row in rows {
                    render::replica_change_json(out, &row)?;
                }
            }
            _ => {
                for row in rows {
                    render::replica_change(out, &row, &options)?;
                }
                self.write_total([from, to], out, &options)?;
            }
        }
        Ok(())
    }

    /// The time of the records and of the log.
    fn span(&self) -> Option<[Instant; 2]> {
        let spans = [self.past.span.map(|(first, last)| [first, last]), self.log.map(|(span, _)| span)];
        spans.into_iter().flatten().reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])])
    }

    fn write_total(
        &mut self,
        [from, to]: [Option<Instant>; 2],
        out: &mut dyn Write,
        options: &render::Options,
    ) -> anyhow::Result<()> {
        let span = self.span().map(|[first, last]| {
            [from.map_or(first, |from| from.max(first)), to.map_or(last, |to| to.min(last))]
        });
        if let Some([first, last]) = span {
            self.past.unseen.retain(|unseen| unseen.until > first && unseen.since < last);
        }
        let hpas: BTreeSet<&Place> = self.past.hpas.keys().chain(&self.hpas).collect();
        if !self.changes.is_empty() {
            writeln!(out)?;
        }
        let total = PastTotal {
            changes: total(&self.changes),
            hpas: hpas.len(),
            span,
            unseen: &self.past.unseen,
            has_events: self.has_events,
            undated_log: self.log.filter(|(_, is_assumed)| *is_assumed).map(|([_, last], _)| last),
        };
        Ok(render::past_total(out, &total, options)?)
    }
}

//! `kubectl hpa backtest`: a record, played again with other settings.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context, bail};

use super::future::{self, Future};
use super::history::{Named, each_look_of, opened};
use super::knobs::{Knobs, Question};
use super::simulated::Reply;
use super::writer::{Form, Writer};
use super::{Ending, Screen, manifest};
use crate::cli::BacktestArgs;
use crate::render::{Rows, sanitize};
use kubectl_hpa_core::api::Hpa;
use kubectl_hpa_core::explanation::{Explanation, ExplanationError};
use kubectl_hpa_core::model::{Duration, Instant};
use kubectl_hpa_core::play::Assumptions;
use kubectl_hpa_core::record::{Entry, Recorded, Seen};
use kubectl_hpa_core::run::{self, Recording};
use kubectl_hpa_core::snapshot::Controller;

/// The longest record that is played, in days.
const MOST: i64 = 30;

/// Plays a record with its own settings and with others.
pub fn run(
    args: &BacktestArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let changes = args.knobs.changes();
    let form = Form::of(&args.output, args.style, Rows::Folded, screen)?;
    let (recorded, proposed) = read(args, err)?;
    let assumptions = Assumptions {
        over: recorded.time,
        demand: Some(Arc::clone(&recorded.demand)),
        ..future::of_pods(&args.pods)
    };
    let mut question = Question::of(recorded.case.clone());
    if let Some((file, hpa)) = proposed {
        manifest::check_target(Some(&question.then.hpa.0), &hpa)?;
        question.then.hpa.0.spec = hpa.spec;
        question.typed_as = Some(manifest::as_typed(&file));
    }
    let knobs = Knobs {
        assumptions: None,
        versus: None,
        changes: &changes,
        axes: &[],
        settings: &args.settings,
        writes: false,
        compares: false,
    };
    let future = Future::asked(&knobs, &assumptions, knobs.prepare(question)?)?.beside(recorded);
    let mut writer = Writer::new(form, out);
    writer.write(&Rc::new(Reply::Played(Box::new(future))))?;
    writer.finish()?;
    Ok(Ending::Done)
}

/// Reads the files: one record, perhaps in parts, and perhaps a manifest with its file.
fn read(args: &BacktestArgs, err: &mut dyn Write) -> anyhow::Result<(run::Recorded, Option<(String, Hpa)>)> {
    let mut looks = Looks {
        named: Named::only(args.name.as_ref()),
        from: None,
        chosen: None,
        others: BTreeSet::new(),
        last: None,
        recording: Recording::new(future::of_pods(&args.pods)),
        undecided: None,
    };
    if let Some(since) = args.since {
        each(args, &mut std::io::sink(), |entry| looks.end(&entry))?;
        looks.from = looks.last.map(|last| last - since);
    }
    let proposed = each(args, err, |entry| looks.take(entry))?;
    let Looks { named, chosen, others, recording, undecided, .. } = looks;
    let list = |names: BTreeSet<Recorded>| {
        let names = names.into_iter().map(|it| format!("{}/{}", it.namespace, it.name));
        sanitize(&names.collect::<Vec<_>>().join(", ")).into_owned()
    };
    match chosen {
        None if others.is_empty() => bail!("the record has no look{}", named.at()),
        None => bail!("the record has no look{}; it has {}", named.at(), list(others)),
        Some(chosen) if !others.is_empty() && others.iter().any(|it| looks_like(&named, it)) => {
            let all = others.into_iter().filter(|it| looks_like(&named, it)).chain([chosen]);
            bail!(
                "the record has several HPAs, and a backtest is of one: name one of {}",
                list(all.collect())
            );
        }
        Some(_) => {}
    }
    let recorded = match (recording.end(), undecided) {
        (Some(recorded), _) => recorded,
        (None, Some(error)) => return Err(error).context("no look of the record can be played from"),
        (None, None) => bail!(
            "no look of the record can be played from: each lacks the replicas, the pods or the value of a metric"
        ),
    };
    let period = recorded.case.controller.sync_period.as_ref().map_or(Controller::SYNC_PERIOD, |it| it.value);
    if recorded.time < period {
        bail!(
            "the record can be played for {} only, and a backtest needs at least one sync period, {period}",
            recorded.time
        );
    }
    if recorded.time > Duration::from_seconds(MOST * 86_400) {
        bail!(
            "the record goes on for {}, and a backtest plays at most {MOST}d: pass --since {MOST}d",
            recorded.time
        );
    }
    Ok((recorded, proposed))
}

fn looks_like(named: &Named, hpa: &Recorded) -> bool {
    named.means(Some(&hpa.namespace), &hpa.name)
}

/// Takes each look of the files; returns the manifest that is among them.
fn each(
    args: &BacktestArgs,
    err: &mut dyn Write,
    mut take: impl FnMut(Entry),
) -> anyhow::Result<Option<(String, Hpa)>> {
    let mut proposed = None;
    for path in &args.file {
        let opened = opened::open(path)?;
        if opened.is_record {
            each_look_of(&opened.name, opened.reader, err, |entry| {
                take(entry);
                Ok(())
            })?;
            continue;
        }
        let hpa = of_manifest(path)?;
        if proposed.replace((opened.name, hpa)).is_some() {
            bail!("a backtest compares with one manifest: give one");
        }
    }
    Ok(proposed)
}

fn of_manifest(path: &Path) -> anyhow::Result<Hpa> {
    if path == Path::new("-") {
        bail!("standard input is not a record");
    }
    future::one_manifest("-f", path)
}

/// The looks at the HPA that is meant.
struct Looks {
    named: Named,
    /// Earlier looks are left out.
    from: Option<Instant>,
    chosen: Option<Recorded>,
    others: BTreeSet<Recorded>,
    last: Option<Instant>,
    recording: Recording,
    /// Why nothing could be decided on a look.
    undecided: Option<ExplanationError>,
}

impl Looks {
    fn end(&mut self, entry: &Entry) {
        if looks_like(&self.named, &entry.hpa) {
            self.last = self.last.max(Some(entry.ended));
        }
    }

    fn take(&mut self, entry: Entry) {
        let Entry { hpa, ended, seen, .. } = entry;
        if !looks_like(&self.named, &hpa) || self.chosen.as_ref().is_some_and(|chosen| *chosen != hpa) {
            self.others.insert(hpa);
            return;
        }
        self.chosen = Some(hpa);
        if self.from.is_some_and(|from| ended < from) {
            return;
        }
        match seen {
            Seen::Unread => self.recording.skip(),
            Seen::Gone => self.recording.lose(),
            Seen::Case(case) => match Explanation::of((*case).clone()) {
                Ok(explained) => self.recording.see(&case, explained.snapshot(), explained.decision()),
                Err(error) => {
                    self.undecided = Some(error);
                    self.recording.skip();
                }
            },
        }
    }
}

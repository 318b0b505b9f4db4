//! `kubectl hpa simulate` of many HPAs: a row of each in one table. Nothing is written.

use std::io::Write;
use std::path::PathBuf;
use std::rc::Rc;

use anyhow::Context;
use futures::StreamExt;

use super::clusters::{Clusters, Found};
use super::complain::complain;
use super::knobs::{Knobs, Prepared, Question, WITH_CHANGES};
use super::subjects::{self, Asked, Matching, Unnamed};
use super::wanted::Wanted;
use super::writer::{Form, Writer};
use super::{Ending, Screen, cases};
use crate::cli::{Output, SimulateArgs};
use crate::cluster::CurrentAndProposed;
use crate::render::{self, FleetSimulation, SimulatedRow};
use kubectl_hpa_core::comparison::{Sides, Unanswered};
use kubectl_hpa_core::explanation::{Explanation, ExplanationError};
use kubectl_hpa_core::snapshot::Case;

/// Decides on each HPA that matches, or on each case of files or recorded, with and without the changes.
pub async fn run(
    args: &SimulateArgs,
    files: Vec<PathBuf>,
    knobs: &Knobs<'_>,
    form: Form,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let changes = knobs.as_typed(None, knobs.changes);
    let fleet = FleetSimulation { changes, ..FleetSimulation::default() };
    let mut run = Run { knobs, fleet, ending: Ending::Done };
    if args.example.is_some() {
        for case in cases::of_examples("")? {
            run.add(case?)?;
        }
    } else if !files.is_empty() {
        let wanted = Wanted::of(&args.subjects, args.connection.namespace.as_deref())?;
        for (index, case) in cases::wanted(cases::of_files_or_objects(&files), wanted).enumerate() {
            if let Err(error) = case.and_then(|(place, case)| run.add(case).map_err(|it| it.context(place))) {
                run.failed(cases::unanswered(index, &error), &error, err)?;
            }
        }
    } else if args.connection.is_several() {
        let is_anything = run.take_clusters(args, err).await?;
        if !is_anything && args.output.is_text() {
            subjects::none(None, err)?;
            return Ok(Ending::Done);
        }
    } else {
        let connection = args.connection.clone();
        match subjects::of_cluster(&args.subjects, Unnamed::OneOrAll, connection, screen, err).await? {
            Matching::Some(all) => {
                let mut read = subjects::read_ahead(all, |asked| gather(knobs, asked));
                while let Some((asked, cases)) = read.next().await {
                    run.take(&asked, cases, err)?;
                }
            }
            Matching::None(namespace) if args.output.is_text() => {
                subjects::none(namespace.as_deref(), err)?;
                return Ok(Ending::Done);
            }
            Matching::None(_) => {}
        }
    }
    let Run { fleet, mut ending, .. } = run;
    ending.count(fleet.comparison());
    if fleet.rows.is_empty() && !fleet.misfits.is_empty() {
        ending.count(Ending::Failed);
    }
    for note in render::undecided_notes(fleet.rows.iter().filter_map(|row| row.unread.as_ref())) {
        writeln!(err, "note: {}", render::sanitize(&note))?;
    }
    if !matches!(args.output, Output::Text | Output::Wide | Output::Html | Output::Json | Output::Yaml) {
        note(&fleet, err)?;
    }
    let mut writer = Writer::new(form, out);
    writer.write(&Rc::new(fleet))?;
    writer.finish()?;
    Ok(ending)
}

async fn gather(knobs: &Knobs<'_>, asked: Asked) -> (Asked, anyhow::Result<CurrentAndProposed>) {
    let cases = Box::pin(knobs.gather(&asked.connection, &asked.subject, None)).await;
    (asked, cases)
}

/// What a form that has only rows does not show.
fn note(fleet: &FleetSimulation, err: &mut dyn Write) -> std::io::Result<()> {
    let Some(first) = fleet.misfits.first() else { return Ok(()) };
    let (number, message) = (fleet.misfits.len(), render::sanitize(&first.message));
    let place = match &first.case {
        Some(case) => case.clone(),
        None => format!("{}/{}", first.namespace, first.name),
    };
    let place = render::sanitize(&place);
    writeln!(
        err,
        "note: the changes are not applicable to {number} of the HPAs, for example {place}: {message}"
    )
}

/// The rows so far.
struct Run<'a> {
    knobs: &'a Knobs<'a>,
    fleet: FleetSimulation,
    ending: Ending,
}

impl Run<'_> {
    fn add(&mut self, case: Case) -> anyhow::Result<()> {
        let metadata = &case.hpa.0.metadata;
        let misfit = Unanswered::of(&metadata.namespace, &metadata.name, case.origin.as_ref());
        match self.decided(Question::of(case))? {
            Ok(row) => self.fleet.rows.push(row),
            Err(why) => self.fleet.misfits.push(Unanswered { message: format!("{why:#}"), ..misfit }),
        }
        Ok(())
    }

    /// One of the cluster.
    fn take(
        &mut self,
        asked: &Asked,
        cases: anyhow::Result<CurrentAndProposed>,
        err: &mut dyn Write,
    ) -> anyhow::Result<()> {
        cases.and_then(|cases| self.add(cases.proposed)).or_else(|error| {
            let message = error.chain().last().map(ToString::to_string).unwrap_or_default();
            let unanswered = Unanswered { message, ..asked.unanswered(&error) };
            self.failed(unanswered, &asked.labeled_error(error), err)
        })
    }

    /// Those of several clusters, of which each may fail. Whether there is any, or a cluster that failed.
    async fn take_clusters(&mut self, args: &SimulateArgs, err: &mut dyn Write) -> anyhow::Result<bool> {
        self.fleet.is_of_clusters = true;
        let knobs = self.knobs;
        let clusters = Clusters::of(&args.connection);
        let mut found = clusters
            .read_ahead(&args.subjects, |all| subjects::read_ahead(all, |asked| gather(knobs, asked)));
        let mut is_anything = false;
        while let Some(found) = found.next().await {
            is_anything |= !matches!(found, Found::Nothing(_));
            match found {
                Found::Hpa(read) => {
                    let (asked, cases) = *read;
                    self.take(&asked, cases, err)?;
                }
                Found::Failed(unread) => {
                    self.failed(unread.unanswered(), &unread.into_error(), err)?;
                }
                Found::Nothing(_) => {}
            }
        }
        self.fleet.sort();
        Ok(is_anything)
    }

    fn failed(
        &mut self,
        unanswered: Unanswered,
        error: &anyhow::Error,
        err: &mut dyn Write,
    ) -> anyhow::Result<()> {
        self.ending.count(Ending::Failed);
        self.fleet.failed.push(unanswered);
        Ok(complain(error, err)?)
    }

    /// The row of a case, or why the changes cannot be made to it; an error is one of the case as it is.
    fn decided(&self, question: Question) -> anyhow::Result<Result<SimulatedRow, anyhow::Error>> {
        let prepared = self.knobs.prepare(question).and_then(|mut question| {
            question.change()?;
            Ok(question)
        });
        let Prepared { now, then, .. } = match prepared {
            Ok(prepared) => prepared,
            Err(misfit) => return Ok(Err(misfit)),
        };
        let now = now.map(Explanation::of).transpose()?;
        match Explanation::of(then) {
            Ok(then) => Ok(Ok(SimulatedRow::of(&Sides { now: now.as_ref(), then: &then }))),
            Err(error @ ExplanationError::Case(_)) => Ok(Err(anyhow::Error::from(error))),
            Err(error) => Err(error).context(WITH_CHANGES),
        }
    }
}

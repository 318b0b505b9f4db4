//! `kubectl hpa simulate` of many HPAs: a row of each in one table. Nothing is written.

use std::io::Write;
use std::path::PathBuf;
use std::rc::Rc;

use anyhow::Context;
use futures::StreamExt;

use super::explain::complain;
use super::simulate::{Knobs, Prepared, Question, WITH_CHANGES};
use super::subjects::{self, Asked, Unnamed};
use super::writer::{Form, Writer};
use super::{Ending, Screen, cases};
use crate::cli::{Output, SimulateArgs};
use crate::cluster::CurrentAndProposed;
use crate::render::{self, FleetSimulation, SimulatedRow, Unanswered};
use kubectl_hpa_core::comparison::Sides;
use kubectl_hpa_core::explanation::{Explanation, ExplanationError};
use kubectl_hpa_core::snapshot::{Case, Cases};

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
        for example in cases::examples("")? {
            for case in Cases::new(example.name, example.text.as_bytes()) {
                run.add(case?)?;
            }
        }
    } else if !files.is_empty() {
        for (index, case) in cases::of_files(files).enumerate() {
            if let Err(error) = case.and_then(|(place, case)| run.add(case).map_err(|it| it.context(place))) {
                run.failed((String::new(), format!("case {}", index + 1)), &error, err)?;
            }
        }
    } else {
        let connection = args.connection.clone();
        let all = subjects::of_cluster(&args.subjects, Unnamed::One, connection, screen, err).await?;
        let mut read = subjects::read_ahead(all, |asked| async move {
            let cases = Box::pin(knobs.gather(&asked.connection, &asked.subject, None)).await;
            (asked, cases)
        });
        while let Some((asked, cases)) = read.next().await {
            run.take(&asked, cases, err)?;
        }
    }
    let Run { fleet, mut ending, .. } = run;
    ending.count(fleet.comparison());
    if fleet.rows.is_empty() && !fleet.misfits.is_empty() {
        ending.count(Ending::Failed);
    }
    if !matches!(args.output, Output::Text | Output::Wide | Output::Html | Output::Json | Output::Yaml) {
        note(&fleet, err)?;
    }
    let mut writer = Writer::new(form, out);
    writer.write(&Rc::new(fleet))?;
    writer.finish()?;
    Ok(ending)
}

/// What a form that has only rows does not show.
fn note(fleet: &FleetSimulation, err: &mut dyn Write) -> std::io::Result<()> {
    let Some(first) = fleet.misfits.first() else { return Ok(()) };
    let (number, message) = (fleet.misfits.len(), render::sanitize(&first.message));
    let place = render::sanitize(&first.namespace).into_owned() + "/" + &render::sanitize(&first.name);
    writeln!(err, "note: the changes do not fit {number} of the HPAs, for example {place}: {message}")
}

/// The rows so far.
struct Run<'a> {
    knobs: &'a Knobs<'a>,
    fleet: FleetSimulation,
    ending: Ending,
}

impl Run<'_> {
    fn add(&mut self, case: Case) -> anyhow::Result<()> {
        let (namespace, name) = {
            let metadata = &case.hpa.0.metadata;
            (metadata.namespace.clone(), metadata.name.clone())
        };
        match self.decided(Question::of(case))? {
            Ok(row) => self.fleet.rows.push(row),
            Err(misfit) => {
                let message = format!("{misfit:#}");
                self.fleet.misfits.push(Unanswered { namespace, name, message });
            }
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
        let added = cases.and_then(|cases| self.add(cases.proposed));
        asked.named(added).or_else(|error| self.failed(asked.place(), &error, err))
    }

    fn failed(
        &mut self,
        (namespace, name): (String, String),
        error: &anyhow::Error,
        err: &mut dyn Write,
    ) -> anyhow::Result<()> {
        self.ending.count(Ending::Failed);
        complain(error, err)?;
        let message = error.chain().last().map(ToString::to_string).unwrap_or_default();
        self.fleet.failed.push(Unanswered { namespace, name, message });
        Ok(())
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

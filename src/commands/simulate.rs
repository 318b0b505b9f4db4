//! `kubectl hpa simulate`.

use std::io::Write;
use std::path::PathBuf;
use std::rc::Rc;

use anyhow::{Context, bail};

use super::apply::{self, Terms};
use super::beside::{self, Beside};
use super::complain::complain;
use super::future::{self, Future};
use super::knobs::{Knobs, Prepared, Question, WITH_CHANGES};
use super::manifest;
use super::simulated::{Reply, Simulated, Swept, patch};
use super::subjects::{self, Asked, Matching, Unnamed};
use super::wanted::Wanted;
use super::writer::{Form, Writer};
use super::{Ending, Screen, cases, fleet};
use crate::cli::{Output, SimulateArgs};
use crate::cluster::{CurrentAndProposed, Subject};
use crate::render::Rows;
use kubectl_hpa_core::api::{Hpa, Template};
use kubectl_hpa_core::comparison::Unanswered;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::snapshot::{Case, Input};
use kubectl_hpa_core::whatif::{Change, Point, Undecided, sweep, typed_world};

/// Decides on each case as it is and as it would be.
pub async fn run(
    mut args: SimulateArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let changes = args.knobs.changes();
    let table = if args.is_of_fleet() { screen.for_table() } else { screen };
    let form = Form::of(&args.output, args.style, Rows::Folded, table)?;
    let terms = Terms::of(&args.apply, &args.connection, screen, form.options)?;
    let terms = terms.map(|terms| terms.allowing_unknown(args.allow_unknown));
    let is_list = args.subjects.is_list() || args.file.len() > 1;
    let files = std::mem::take(&mut args.file);
    let assumptions = future::assumptions(&args.future)?;
    let versus =
        args.future.versus.as_deref().map(|file| future::one_manifest("--versus", file)).transpose()?;
    let question = Knobs {
        assumptions: assumptions.as_ref(),
        versus: args.future.versus.as_deref().zip(versus.as_ref()),
        changes: &changes,
        axes: &args.sweep,
        settings: &args.settings,
        writes: terms.is_some(),
        compares: terms.is_none() && args.output != Output::Patch && assumptions.is_none(),
    };
    if args.is_of_fleet() {
        return Box::pin(fleet::run(&args, files, &question, form, screen, out, err)).await;
    }
    let writer = Writer::new(form, out).listing(is_list);
    let mut run = Run { knobs: &question, writer, ending: Ending::Done };
    let mut found = Vec::new();
    if let Some(name) = &args.example {
        for case in cases::of_examples(name)? {
            run.simulate(Question::of(case?))?;
        }
    } else if files.is_empty() {
        let unnamed = if terms.is_some() { Unnamed::One } else { Unnamed::OneOrAll };
        let connection = args.connection.clone();
        let all = match subjects::of_cluster(&args.subjects, unnamed, connection, screen, err).await? {
            Matching::Some(all) => all,
            Matching::None(namespace) => {
                if args.output.is_text() || args.output == Output::Patch {
                    subjects::none(namespace.as_deref(), err)?;
                }
                Vec::new()
            }
        };
        for asked in all {
            match run.simulate_live(&asked).await {
                Ok(live) => found.extend(live.map(|live| (asked, live))),
                Err(error) => run.failed(asked.unanswered(&error), asked.labeled_error(error), err)?,
            }
        }
    }
    let wanted = Wanted::of(&args.subjects, args.connection.namespace.as_deref())?;
    let manifests = manifest::Live::new(args.connection);
    found.extend(Box::pin(run.simulate_files(files, wanted, manifests, err)).await?);
    let Run { writer, mut ending, .. } = run;
    writer.finish()?;
    let Some(terms) = terms else { return Ok(ending) };
    out.flush()?;
    let writing = apply::each(&terms, found, ending, err, async |asked: &Asked, live: &Live, tried, talk| {
        let Asked { connection, subject, .. } = asked;
        let again = async || {
            // Answers that several HPAs share were read before.
            let now = connection.clone().sharing();
            let cases = question.gather(&now, subject, live.manifest.as_ref()).await?;
            question.proposal(&now, cases, live.typed_as.clone())
        };
        let shown = question.proposal(connection, live.cases.clone(), live.typed_as.clone())?;
        Box::pin(apply::apply(&terms, connection, shown, again, tried, talk)).await
    });
    ending.count(Box::pin(writing).await?);
    Ok(ending)
}

/// What was read of an HPA that is to be changed.
struct Live {
    cases: CurrentAndProposed,
    manifest: Option<Hpa>,
    /// How the change by the manifest is called.
    typed_as: Option<String>,
}

/// A run of cases.
struct Run<'a> {
    knobs: &'a Knobs<'a>,
    writer: Writer<'a, Reply>,
    ending: Ending,
}

impl Run<'_> {
    /// Complains of what failed, unless nobody reads on.
    fn failed(
        &mut self,
        unanswered: Unanswered,
        error: anyhow::Error,
        err: &mut dyn Write,
    ) -> anyhow::Result<()> {
        if super::output::is_closed(&error) {
            return Err(error);
        }
        self.ending.count(Ending::Failed);
        self.writer.failed(unanswered);
        Ok(complain(&error, err)?)
    }

    /// Cases, manifests and objects; returns what is needed to write, where that is wanted.
    async fn simulate_files(
        &mut self,
        files: Vec<PathBuf>,
        mut wanted: Wanted,
        mut manifests: manifest::Live,
        err: &mut dyn Write,
    ) -> anyhow::Result<Vec<(Asked, Live)>> {
        let mut found = Vec::new();
        let mut beside = Beside::default();
        for (index, input) in cases::inputs(files).enumerate() {
            let simulated = match input {
                Ok((place, Input::Case(case))) => {
                    beside.use_file(&place);
                    if wanted.takes(&case.hpa.0) { self.simulate_case(*case).context(place) } else { Ok(()) }
                }
                Ok((place, input)) => {
                    beside.add(index, place, manifests.placed(input));
                    Ok(())
                }
                Err(error) => Err(error),
            };
            if let Err(error) = simulated {
                self.failed(cases::unanswered(index, &error), error, err)?;
            }
        }
        for (index, meant) in beside.read(err)? {
            let simulated = match meant {
                Ok(meant) if !meant.is_of(&mut wanted) => Ok(None),
                Ok(beside::Meant::Printed(place, case)) => {
                    self.simulate_case(*case).context(place).map(|()| None)
                }
                Ok(beside::Meant::Proposed(place, read, cases)) => {
                    manifest::warn(&read, err)?;
                    self.simulate_printed(&read.hpa, &place, *cases, &manifests).context(place).map(|()| None)
                }
                Ok(beside::Meant::Manifest(place, read, template)) => {
                    manifest::warn(&read, err)?;
                    let template = template.as_ref();
                    let simulated = self.simulate_manifest(read.hpa, &place, template, &mut manifests, err);
                    Box::pin(simulated).await.context(place)
                }
                Err(error) => Err(error),
            };
            match simulated {
                Ok(live) => found.extend(live),
                Err(error) => self.failed(cases::unanswered(index, &error), error, err)?,
            }
        }
        for (index, error) in wanted.missing().into_iter().enumerate() {
            self.failed(cases::unanswered(index, &error), error, err)?;
        }
        Ok(found)
    }

    fn simulate_case(&mut self, case: Case) -> anyhow::Result<()> {
        if self.knobs.writes {
            bail!("--apply needs a live HPA, not a case file");
        }
        self.simulate(Question::of(case))
    }

    /// A case of files with a manifest in the place of the spec that it has.
    fn simulate_printed(
        &mut self,
        hpa: &Hpa,
        place: &cases::DocumentPlace,
        (now, then): (Option<Case>, Case),
        manifests: &manifest::Live,
    ) -> anyhow::Result<()> {
        if self.knobs.writes {
            bail!("--apply needs a live HPA, not a case file");
        }
        manifest::check(hpa)?;
        manifests.check(&hpa.metadata.namespace)?;
        manifest::check_target(now.as_ref().map(|now| &now.hpa.0), hpa)?;
        let typed_as = Some(manifest::as_typed(&place.file));
        self.simulate(Question { now, then, typed_as, is_typed: false })
    }

    async fn simulate_live(&mut self, asked: &Asked) -> anyhow::Result<Option<Live>> {
        let cases = self.knobs.gather(&asked.connection, &asked.subject, None).await?;
        self.simulate_proposed(cases, None, None)
    }

    async fn simulate_manifest(
        &mut self,
        hpa: Hpa,
        place: &cases::DocumentPlace,
        template: Option<&Template>,
        manifests: &mut manifest::Live,
        err: &mut dyn Write,
    ) -> anyhow::Result<Option<(Asked, Live)>> {
        manifest::check(&hpa)?;
        let typed_as = manifest::as_typed(&place.file);
        if !self.knobs.writes
            && let Some(mut then) = typed_world(&hpa, manifest::now(), self.knobs.changes, template)
        {
            let target = &hpa.spec.scale_target_ref;
            if template.is_some() {
                beside::note_template(&place.file, target, err)?;
            }
            manifest::check_target(None, &hpa)?;
            manifest::check_scalable(&hpa)?;
            let namespace = manifests.namespace(&hpa.metadata.namespace)?;
            then.hpa.0.metadata.namespace = namespace.into();
            self.simulate(Question { now: None, then, typed_as: Some(typed_as), is_typed: true })?;
            return Ok(None);
        }
        let connection = manifests.of(&hpa.metadata.namespace).await;
        let connection = connection.map_err(|error| manifest::without_cluster(error, &hpa, template))?;
        if template.is_some() {
            beside::note_unused(&place.file, &hpa.spec.scale_target_ref.kind, err)?;
        }
        let subject = Subject::Hpa(hpa.metadata.name.clone());
        let cases = self.knobs.gather(&connection, &subject, Some(&hpa)).await?;
        let live = self.simulate_proposed(cases, Some(hpa), Some(typed_as))?;
        Ok(live.map(|live| (Asked::labeled(connection, subject, place.to_string()), live)))
    }

    /// Answers; returns what is needed to write, where that is wanted.
    fn simulate_proposed(
        &mut self,
        cases: CurrentAndProposed,
        manifest: Option<Hpa>,
        typed_as: Option<String>,
    ) -> anyhow::Result<Option<Live>> {
        let typed = typed_as.clone();
        let live = self.knobs.writes.then(|| Live { cases: cases.clone(), manifest, typed_as: typed });
        self.simulate(Question { now: cases.current, then: cases.proposed, typed_as, is_typed: false })?;
        Ok(live)
    }

    fn simulate(&mut self, question: Question) -> anyhow::Result<()> {
        let mut question = self.knobs.prepare(question)?;
        if let Some(assumptions) = self.knobs.assumptions {
            let future = Future::asked(self.knobs, assumptions, question)?;
            return self.writer.write(&Rc::new(Reply::Played(Box::new(future))));
        }
        if !self.knobs.axes.is_empty() {
            let points = self.points(&question.then, &question.meant)?;
            if points.iter().any(|point| point.replicas == Err(Undecided::Unknown)) {
                self.ending.count(Ending::Unknown);
            }
            let now = Explanation::of(question.now.unwrap_or(question.then))?;
            let axes = self.knobs.axes.to_vec();
            let swept = Swept { now, changes: question.changes, axes, points };
            return self.writer.write(&Rc::new(Reply::Swept(Box::new(swept))));
        }
        question.change()?;
        let Prepared { now, then, changes, is_typed, .. } = question;
        let patch = now.as_ref().and_then(|now| patch(&now.hpa.0, &then.hpa.0));
        let now = now.map(Explanation::of).transpose()?;
        let then = Explanation::of(then).context(WITH_CHANGES)?;
        let simulated = Simulated { changes, now, then, patch, is_typed };
        if self.knobs.compares {
            self.ending.count(simulated.sides().sooner_or_later());
        } else if self.knobs.writes && simulated.sides().is_unknown() {
            self.ending.count(Ending::Unknown);
        }
        self.writer.write(&Rc::new(Reply::Simulated(Box::new(simulated))))
    }

    fn points(&self, case: &Case, meant: &[Change]) -> anyhow::Result<Vec<Point>> {
        let points = sweep(case, meant, self.knobs.axes);
        let is_problem = |point: &Point| point.replicas.as_ref().is_err_and(|why| *why != Undecided::Unknown);
        if let [Point { replicas: Err(problem), .. }, ..] = points.as_slice()
            && points.iter().all(is_problem)
        {
            bail!("no value gives a decision: {problem}");
        }
        Ok(points)
    }
}

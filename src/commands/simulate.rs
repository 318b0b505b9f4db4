//! `kubectl hpa simulate`.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, bail};
use serde::Serialize;
use serde_json::{Value, json};

use super::apply::{self, Proposal, Terms};
use super::beside::{self, Beside};
use super::complain::complain;
use super::future::{self, Future};
use super::manifest;
use super::subjects::{self, Asked, Matching, Unnamed};
use super::wanted::Wanted;
use super::writer::{Answered, Form, Writer};
use super::{Ending, Screen, cases, fleet};
use crate::cli::{Output, SettingsArgs, SimulateArgs};
use crate::cluster::{Connection, CurrentAndProposed, Proposed, Subject};
use crate::render::{self, FutureView, Options, Rows, Simulation, SimulationView, Sweep, SweepView, Title};
use kubectl_hpa_core::api::{Hpa, HpaSpec};
use kubectl_hpa_core::comparison::{Sides, Unanswered};
use kubectl_hpa_core::edit::merge_patch;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::play::Assumptions;
use kubectl_hpa_core::snapshot::{Case, Input, over, store};
use kubectl_hpa_core::whatif::{
    Axis, Change, Point, Undecided, change, change_spec, meant, sweep, typed_world,
};

/// Decides on each case as it is and as it would be.
pub async fn run(
    mut args: SimulateArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let changes = args.knobs.changes();
    let form = Form::of(&args.output, args.ascii, args.color, Rows::Folded, screen)?;
    let terms = Terms::of(&args.apply, &args.connection, screen, form.options)?;
    let terms = terms.map(|terms| terms.allowing_unknown(args.allow_unknown));
    let is_list = args.subjects.is_list() || args.file.len() > 1;
    let files = std::mem::take(&mut args.file);
    let assumptions = future::assumptions(&args.future)?;
    let versus = args.future.versus.as_deref().map(future::versus).transpose()?;
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

/// A case as it is and as it would be.
struct Simulated {
    changes: Vec<String>,
    now: Option<Explanation>,
    then: Explanation,
    /// What is changed of the HPA.
    patch: Option<Value>,
    is_typed: bool,
}

/// What turns one HPA into another, as a manifest of its own.
fn patch(now: &Hpa, then: &Hpa) -> Option<Value> {
    let metadata = json!({"name": now.metadata.name, "namespace": now.metadata.namespace});
    let manifest = |spec| {
        json!({
            "apiVersion": "autoscaling/v2",
            "kind": "HorizontalPodAutoscaler",
            "metadata": metadata,
            "spec": spec,
        })
    };
    Some(manifest(merge_patch(&json!(now.spec), &over(&now.spec, &then.spec))?))
}

impl Simulated {
    fn sides(&self) -> Sides<'_> {
        Sides { now: self.now.as_ref(), then: &self.then }
    }

    fn simulation(&self) -> Simulation<'_> {
        Simulation { changes: &self.changes, sides: self.sides(), is_typed: self.is_typed }
    }
}

/// A case at every value of one knob or two.
struct Swept {
    now: Explanation,
    changes: Vec<String>,
    axes: Vec<Axis>,
    points: Vec<Point>,
}

impl Swept {
    fn sweep(&self) -> Sweep<'_> {
        Sweep { now: &self.now, changes: &self.changes, axes: &self.axes, points: &self.points }
    }
}

/// What is answered: one other decision, or many.
enum Reply {
    Simulated(Box<Simulated>),
    Swept(Box<Swept>),
    Played(Box<Future>),
}

impl Answered for Reply {
    const LIST: &'static str = "SimulationList";

    fn names(&self) -> Vec<Cow<'_, str>> {
        match self {
            Self::Simulated(it) => it.then.names(),
            Self::Swept(it) => it.now.names(),
            Self::Played(it) => it.names(),
        }
    }

    fn title(&self) -> Title<'_> {
        match self {
            Self::Simulated(it) => Title { what: "Simulation".to_owned(), of: Some(&it.then) },
            Self::Swept(it) => Title { what: "Sweep".to_owned(), of: Some(&it.now) },
            Self::Played(it) => it.title(),
        }
    }

    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        match self {
            Self::Simulated(it) => render::simulation(out, &it.simulation(), options),
            Self::Swept(it) => render::sweep(out, &it.sweep(), options),
            Self::Played(it) => it.text(out, options),
        }
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Played(it) => it.csv(out),
            Self::Swept(it) => render::sweep_csv(out, &it.sweep()),
            Self::Simulated(_) => Ok(()),
        }
    }

    fn patch(&self) -> Option<&Value> {
        match self {
            Self::Simulated(it) => it.patch.as_ref(),
            Self::Swept(_) | Self::Played(_) => None,
        }
    }

    fn view(&self) -> impl Serialize {
        match self {
            Self::Simulated(it) => View::Simulation(Box::new(render::simulation_view(&it.simulation()))),
            Self::Swept(it) => View::Sweep(Box::new(render::sweep_view(&it.sweep()))),
            Self::Played(it) => View::Future(Box::new(it.view())),
        }
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum View<'a> {
    Simulation(Box<SimulationView<'a>>),
    Sweep(Box<SweepView<'a>>),
    Future(Box<FutureView>),
}

/// What is simulated: what there is, and what the changes are made to.
pub struct Question {
    /// `None` where an HPA is not there yet.
    now: Option<Case>,
    then: Case,
    /// What was changed already.
    typed_as: Option<String>,
    /// Whether no cluster was asked for any of it.
    is_typed: bool,
}

impl Question {
    pub fn of(case: Case) -> Self {
        Self { now: Some(case.clone()), then: case, typed_as: None, is_typed: false }
    }
}

/// The same with what somebody knows, before the changes are made.
pub struct Prepared {
    pub now: Option<Case>,
    pub then: Case,
    meant: Vec<Change>,
    changes: Vec<String>,
    is_manifest: bool,
    is_typed: bool,
}

/// What an error is about that the case as it is does not have.
pub const WITH_CHANGES: &str = "with the changes";

impl Prepared {
    /// Makes the changes.
    pub fn change(&mut self) -> anyhow::Result<()> {
        if self.is_manifest {
            store(&mut self.then);
        }
        change(&mut self.then, &self.meant)?;
        self.now
            .as_ref()
            .map_or(Ok(()), |now| manifest::check_change(&now.hpa.0, &self.then.hpa.0).context(WITH_CHANGES))
    }
}

/// What was read of an HPA that is to be changed.
struct Live {
    cases: CurrentAndProposed,
    manifest: Option<Hpa>,
    /// How the change by the manifest is called.
    typed_as: Option<String>,
}

/// What is asked of every case.
pub struct Knobs<'a> {
    pub changes: &'a [Change],
    /// What is assumed of the time to come, if it is played.
    assumptions: Option<&'a Assumptions>,
    /// Another HPA to play beside this one, and its file.
    versus: Option<(&'a Path, &'a Hpa)>,
    axes: &'a [Axis],
    settings: &'a SettingsArgs,
    /// Whether the change is to be written.
    writes: bool,
    /// Whether the exit code tells the same decision from another one.
    compares: bool,
}

impl Knobs<'_> {
    /// To write what is changed of the HPA.
    fn proposal(
        &self,
        connection: &Connection,
        CurrentAndProposed { current: now, proposed: then }: CurrentAndProposed,
        typed_as: Option<String>,
    ) -> anyhow::Result<Proposal> {
        let mut prepared = self.prepare(Question { now, then, typed_as, is_typed: false })?;
        prepared.change()?;
        let Prepared { now, then, .. } = prepared;
        let name = &then.hpa.0.metadata.name;
        let Some(now) = now else {
            bail!(
                "there is no HPA {name:?} yet: create it with kubectl; --apply changes only an HPA that exists"
            );
        };
        let place = connection.place_of_hpa(name);
        Proposal::of_hpa(place, &now, then)
    }

    pub async fn gather(
        &self,
        connection: &Connection,
        subject: &Subject,
        manifest: Option<&Hpa>,
    ) -> anyhow::Result<CurrentAndProposed> {
        let changes = self.changes;
        // An impossible change is reported when it is made to the case.
        let change = |spec: &mut HpaSpec| drop(change_spec(spec, changes));
        let cases = connection.gather_proposed(subject, Proposed { manifest, change: &change }).await?;
        if let Some(hpa) = manifest {
            manifest::check_target(cases.current.as_ref().map(|now| &now.hpa.0), hpa)?;
        }
        Ok(cases)
    }

    /// Adds what somebody knows; an error is one of the changes.
    pub fn prepare(&self, question: Question) -> anyhow::Result<Prepared> {
        let Question { mut now, mut then, typed_as, is_typed } = question;
        let is_manifest = typed_as.is_some();
        let meant = meant(&then, self.changes)?;
        let changes = self.as_typed(typed_as, &meant);
        cases::set(&mut then.controller, self.settings);
        for case in now.iter_mut().chain([&mut then]) {
            cases::know(case, &self.settings.past)?;
        }
        // A write does not change the controller, so its settings apply to both sides.
        if let Some(now) = now.as_mut().filter(|_| self.writes) {
            cases::set(&mut now.controller, self.settings);
        }
        Ok(Prepared { now, then, meant, changes, is_manifest, is_typed })
    }

    /// The changes as they can be typed again.
    pub fn as_typed(&self, manifest: Option<String>, meant: &[Change]) -> Vec<String> {
        let changes = meant.iter().map(ToString::to_string);
        let settings = if self.writes { Vec::new() } else { self.settings.typed() };
        manifest.into_iter().chain(changes).chain(settings).collect()
    }
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
                Ok(beside::Meant::Manifest(place, read)) => {
                    manifest::warn(&read, err)?;
                    Box::pin(self.simulate_manifest(read.hpa, &place, &mut manifests)).await.context(place)
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
        manifests: &mut manifest::Live,
    ) -> anyhow::Result<Option<(Asked, Live)>> {
        manifest::check(&hpa)?;
        let typed_as = manifest::as_typed(&place.file);
        if !self.knobs.writes
            && let Some(mut then) = typed_world(&hpa, manifest::now(), self.knobs.changes)
        {
            manifest::check_scalable(&hpa)?;
            let namespace = manifests.namespace(&hpa.metadata.namespace)?;
            namespace.clone_into(&mut then.hpa.0.metadata.namespace);
            self.simulate(Question { now: None, then, typed_as: Some(typed_as), is_typed: true })?;
            return Ok(None);
        }
        let connection = manifests.of(&hpa.metadata.namespace).await;
        let connection = connection.map_err(|error| manifest::without_cluster(error, &hpa))?;
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
            let future = self.future(assumptions, question)?;
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

    /// Plays what is asked: at each value of a sweep, with another HPA beside it, or as it is and as it would be.
    fn future(&self, assumptions: &Assumptions, question: Prepared) -> anyhow::Result<Future> {
        let Prepared { now, mut then, meant, changes, is_manifest, .. } = question;
        if is_manifest {
            store(&mut then);
        }
        if !self.knobs.axes.is_empty() {
            return Future::swept(&then, &meant, self.knobs.axes, changes, assumptions);
        }
        let mut other = then.clone();
        change(&mut then, &meant)?;
        let other = match self.knobs.versus {
            Some((_, hpa)) => {
                other.hpa.0.spec.clone_from(&hpa.spec);
                store(&mut other);
                Some(other)
            }
            None => now,
        };
        if let Some(other) = &other {
            let (from, to) = if self.knobs.versus.is_some() { (&then, other) } else { (other, &then) };
            manifest::check_change(&from.hpa.0, &to.hpa.0).context(WITH_CHANGES)?;
        }
        let other = other.map(Explanation::of).transpose()?;
        let then = Explanation::of(then).context(WITH_CHANGES)?;
        let sides = match (self.knobs.versus, other) {
            (Some((file, _)), Some(other)) => {
                vec![("this HPA".to_owned(), then), (file.display().to_string(), other)]
            }
            (None, Some(now)) if !changes.is_empty() => {
                vec![("now".to_owned(), now), ("changed".to_owned(), then)]
            }
            _ => vec![("this HPA".to_owned(), then)],
        };
        Future::of(sides, changes, assumptions, false)
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

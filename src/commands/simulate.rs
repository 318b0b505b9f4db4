//! `kubectl hpa simulate`.

use std::io::{self, Write};
use std::rc::Rc;

use anyhow::{Context, anyhow};
use serde::Serialize;

use super::explain::complain;
use super::explained::Explained;
use super::writer::{Answered, Form, Writer};
use super::{Ending, Screen, cases};
use crate::cli::{KnobArgs, SettingsArgs, SimulateArgs};
use crate::examples;
use crate::render::{self, Options, Rows, Simulation, SimulationView, Sweep, SweepView};
use crate::snapshot::{Case, Cases, Snapshot};
use crate::whatif::{Axis, Change, Knob, Point, change, sweep};

/// Decides on each case as it is and as it would be.
pub async fn run(
    mut args: SimulateArgs,
    screen: Screen,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let changes = changes(&args.knobs);
    let form = Form::of(args.output, args.ascii, args.color, Rows::Folded, screen);
    let files = std::mem::take(&mut args.file);
    let writer = Writer::new(form, out);
    let axes = args.sweep.iter().map(|text| Axis::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let mut run =
        Run { changes: &changes, axes: &axes, settings: &args.settings, writer, ending: Ending::Done };
    if let Some(name) = &args.example {
        let example = examples::find(name)
            .ok_or_else(|| anyhow!("no example {name:?}; explain --example lists them"))?;
        for case in Cases::new(name, example.text.as_bytes()) {
            run.simulate(case?)?;
        }
    } else if let Some(subject) = &args.subject {
        run.simulate(cases::of_cluster(subject, args.connection.clone()).await?)?;
    }
    for case in cases::of_files(files) {
        match case.and_then(|(place, case)| run.simulate(case).context(place)) {
            Err(error) if !super::is_closed(&error) => {
                complain(&error, err)?;
                run.ending = Ending::Failed;
            }
            result => result?,
        }
    }
    let ending = run.ending;
    run.writer.finish()?;
    Ok(ending)
}

/// What was typed, knob by knob.
fn changes(knobs: &KnobArgs) -> Vec<Change> {
    let KnobArgs {
        remove_metric,
        add_metric,
        container,
        target,
        min,
        max,
        scale_up,
        scale_down,
        replicas,
        pods,
        only_own_pods,
        request,
        usage,
        metric,
        load,
        no_memory,
    } = knobs;
    let one = |knob, value: &Option<String>| value.iter().map(|it| Change::new(knob, it)).collect::<Vec<_>>();
    let many = |knob, values: &[String]| values.iter().map(|it| Change::new(knob, it)).collect::<Vec<_>>();
    let switch = |knob, is_on: bool| is_on.then(|| Change::new(knob, "")).into_iter().collect::<Vec<_>>();
    [
        many(Knob::RemoveMetric, remove_metric),
        many(Knob::AddMetric, add_metric),
        one(Knob::Container, container),
        many(Knob::Target, target),
        one(Knob::Min, min),
        one(Knob::Max, max),
        one(Knob::ScaleUp, scale_up),
        one(Knob::ScaleDown, scale_down),
        one(Knob::Replicas, replicas),
        many(Knob::Pods, pods),
        switch(Knob::OnlyOwnPods, *only_own_pods),
        many(Knob::Request, request),
        many(Knob::Usage, usage),
        many(Knob::Metric, metric),
        one(Knob::Load, load),
        switch(Knob::NoMemory, *no_memory),
    ]
    .concat()
}

/// A case as it is and as it would be.
struct Simulated {
    changes: Vec<String>,
    now: Explained,
    then: Explained,
}

impl Simulated {
    fn simulation(&self) -> Simulation<'_> {
        let (now, then) = (self.now.explanation(), self.then.explanation());
        Simulation { changes: &self.changes, now, then }
    }
}

/// A case at every value of one knob or two.
struct Swept {
    now: Explained,
    changes: Vec<String>,
    axes: Vec<Axis>,
    points: Vec<Point>,
}

impl Swept {
    fn sweep(&self) -> Sweep<'_> {
        Sweep { now: self.now.explanation(), changes: &self.changes, axes: &self.axes, points: &self.points }
    }
}

/// What is answered: one other decision, or many.
enum Answer {
    Simulated(Box<Simulated>),
    Swept(Box<Swept>),
}

impl Answered for Answer {
    const LIST: &'static str = "SimulationList";

    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        match self {
            Self::Simulated(it) => render::simulation(out, &it.simulation(), options),
            Self::Swept(it) => render::sweep(out, &it.sweep(), options),
        }
    }

    fn view(&self) -> impl Serialize {
        match self {
            Self::Simulated(it) => View::Simulation(Box::new(render::simulation_view(&it.simulation()))),
            Self::Swept(it) => View::Sweep(Box::new(render::sweep_view(&it.sweep()))),
        }
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum View<'a> {
    Simulation(Box<SimulationView<'a>>),
    Sweep(Box<SweepView<'a>>),
}

/// A run of cases.
struct Run<'a> {
    changes: &'a [Change],
    axes: &'a [Axis],
    settings: &'a SettingsArgs,
    writer: Writer<'a, Answer>,
    ending: Ending,
}

impl Run<'_> {
    fn simulate(&mut self, case: Case) -> anyhow::Result<()> {
        let mut changed = case.clone();
        cases::set(&mut changed.controller, self.settings);
        if !self.axes.is_empty() {
            return self.sweep(case, &changed);
        }
        change(&mut changed, self.changes)?;
        let now = Explained::of(Snapshot::freeze(case)?)?;
        let then = Explained::of(Snapshot::freeze(changed)?).context("with the changes")?;
        let simulated = Simulated { changes: self.said(), now, then };
        if !simulated.simulation().is_same() && self.ending == Ending::Done {
            self.ending = Ending::Different;
        }
        self.writer.write(&Rc::new(Answer::Simulated(Box::new(simulated))))
    }

    fn sweep(&mut self, case: Case, changed: &Case) -> anyhow::Result<()> {
        let points = sweep(changed, self.changes, self.axes);
        if let [Point { replicas: Err(problem), .. }, rest @ ..] = points.as_slice()
            && rest.iter().all(|point| point.replicas.is_err())
        {
            anyhow::bail!("no value gives a decision: {problem}");
        }
        let now = Explained::of(Snapshot::freeze(case)?)?;
        let swept = Swept { now, changes: self.said(), axes: self.axes.to_vec(), points };
        self.writer.write(&Rc::new(Answer::Swept(Box::new(swept))))
    }

    /// The changes as they can be typed again.
    fn said(&self) -> Vec<String> {
        let changes = self.changes.iter().map(ToString::to_string);
        changes.chain(cases::said(self.settings)).collect()
    }
}

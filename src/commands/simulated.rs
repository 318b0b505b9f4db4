//! The answers of `kubectl hpa simulate`, in every form.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::future::Future;
use super::writer::Answered;
use crate::render::{self, FutureView, Options, Simulation, SimulationView, Sweep, SweepView, Title};
use kubectl_hpa_core::api::Hpa;
use kubectl_hpa_core::comparison::Sides;
use kubectl_hpa_core::edit::merge_patch;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::snapshot::over;
use kubectl_hpa_core::whatif::{Axis, Point};

/// A case as it is and as it would be.
pub struct Simulated {
    pub changes: Vec<String>,
    pub now: Option<Explanation>,
    pub then: Explanation,
    /// The changed fields of the HPA.
    pub patch: Option<Value>,
    pub is_typed: bool,
}

/// The fields that turn one HPA into another, as a manifest of its own.
pub fn patch(now: &Hpa, then: &Hpa) -> Option<Value> {
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
    pub fn sides(&self) -> Sides<'_> {
        Sides { now: self.now.as_ref(), then: &self.then }
    }

    fn simulation(&self) -> Simulation<'_> {
        Simulation { changes: &self.changes, sides: self.sides(), is_typed: self.is_typed }
    }
}

/// A case at every value of one knob or two.
pub struct Swept {
    pub now: Explanation,
    pub changes: Vec<String>,
    pub axes: Vec<Axis>,
    pub points: Vec<Point>,
}

impl Swept {
    fn sweep(&self) -> Sweep<'_> {
        Sweep { now: &self.now, changes: &self.changes, axes: &self.axes, points: &self.points }
    }
}

/// An answer: one other decision, or many.
pub enum Reply {
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

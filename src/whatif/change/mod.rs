//! A change of a case gives another case, which is decided on like any other.
//!
//! A change is made to the API objects, so that what comes of it is validated and defaulted as the API server does, can
//! be saved, and can be given to the real controller. Changes are made in the order of [`Knob`], whatever the order in
//! which they were asked for: first the autoscaler, then the world, then what the controller remembers.

mod behavior;
mod metrics;
mod name;
mod number;
mod pods;
mod usage;

use std::fmt;

use thiserror::Error;

use crate::snapshot::Case;
use crate::snapshot::case::MemoryCase;

/// What can be changed, in the order in which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Knob {
    /// A metric is taken out of the spec: `NAME`.
    RemoveMetric,
    /// A metric is added to the spec: `cpu=60`, `memory=500Mi`, or a `MetricSpec` in YAML or JSON.
    AddMetric,
    /// Every Resource metric becomes a ContainerResource metric of one container: `CONTAINER`.
    Container,
    /// A metric's target: `80` for the one utilization, else `NAME=VALUE`.
    Target,
    /// `spec.minReplicas`.
    Min,
    /// `spec.maxReplicas`.
    Max,
    /// `spec.behavior.scaleUp`: `Percent=10/60s,Pods=4/60s,select=Min,window=300s,tolerance=0.05`, or `disabled`.
    ScaleUp,
    /// `spec.behavior.scaleDown`, in the same form.
    ScaleDown,
    /// The replicas of the target, asked for and there. The pods stay as they are.
    Replicas,
    /// Pods: `NAME=STATE`, `+N STATE`, `-N`.
    Pods,
    /// Pods that are not the target's own are left out, with their samples.
    OnlyOwnPods,
    /// What every pod requests: `cpu=500m`, or `CONTAINER/cpu=500m`.
    Request,
    /// What every pod uses: `cpu=90%` of its request, `cpu=150m`, or a Pods metric `NAME=VALUE`.
    Usage,
    /// The value of an Object or External metric: `NAME=VALUE`.
    Metric,
    /// All usage and all metrics at once: `+50%`, `-20%`.
    Load,
    /// The controller has just been restarted.
    NoMemory,
}

impl Knob {
    /// The flag that turns it.
    #[must_use]
    pub const fn flag(self) -> &'static str {
        match self {
            Self::RemoveMetric => "--remove-metric",
            Self::AddMetric => "--add-metric",
            Self::Container => "--container",
            Self::Target => "--target",
            Self::Min => "--min",
            Self::Max => "--max",
            Self::ScaleUp => "--scale-up",
            Self::ScaleDown => "--scale-down",
            Self::Replicas => "--replicas",
            Self::Pods => "--pods",
            Self::OnlyOwnPods => "--only-own-pods",
            Self::Request => "--request",
            Self::Usage => "--usage",
            Self::Metric => "--metric",
            Self::Load => "--load",
            Self::NoMemory => "--no-memory",
        }
    }

    /// Whether it changes the autoscaler itself, and so which metrics are asked for.
    #[must_use]
    pub fn is_of_hpa(self) -> bool {
        self <= Self::ScaleDown
    }
}

/// One change: a knob and what it is set to, as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What is changed.
    pub knob: Knob,
    /// To what; empty for knobs that are only on or off.
    pub value: String,
}

impl Change {
    /// A knob turned to a value.
    #[must_use]
    pub fn new(knob: Knob, value: impl Into<String>) -> Self {
        Self { knob, value: value.into() }
    }
}

/// As it can be typed again.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { knob, value } = self;
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "=%+-./:_@".contains(it);
        match value.as_str() {
            "" => f.write_str(knob.flag()),
            value if value.chars().all(is_plain) => write!(f, "{} {value}", knob.flag()),
            value => write!(f, "{} '{}'", knob.flag(), value.replace('\'', r"'\''")),
        }
    }
}

/// A change that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{flag} {value}: {problem}")]
pub struct ChangeError {
    flag: &'static str,
    value: String,
    problem: String,
}

/// Makes changes to a case.
///
/// # Errors
/// The first change that cannot be made, with what could be. What the API server would not store is found when the case
/// is frozen.
pub fn change(case: &mut Case, changes: &[Change]) -> Result<(), ChangeError> {
    let mut ordered: Vec<&Change> = changes.iter().collect();
    ordered.sort_by_key(|change| change.knob);
    for Change { knob, value } in ordered {
        make(case, *knob, value.trim()).map_err(|problem| ChangeError {
            flag: knob.flag(),
            value: value.clone(),
            problem,
        })?;
    }
    Ok(())
}

fn make(case: &mut Case, knob: Knob, value: &str) -> Result<(), String> {
    let spec = &mut case.hpa.0.spec;
    match knob {
        Knob::RemoveMetric => metrics::remove(spec, value),
        Knob::AddMetric => metrics::add(spec, value),
        Knob::Container => metrics::of_container(case, value),
        Knob::Target => metrics::target(spec, value),
        Knob::Min => number::replicas(value).map(|min| spec.min_replicas = Some(min)),
        Knob::Max => number::replicas(value).map(|max| spec.max_replicas = max),
        Knob::ScaleUp => behavior::rules(&mut behavior::of(spec).scale_up, value),
        Knob::ScaleDown => behavior::rules(&mut behavior::of(spec).scale_down, value),
        Knob::Replicas => pods::replicas(case, number::replicas(value)?),
        Knob::Pods => pods::pods(case, value),
        Knob::OnlyOwnPods => pods::only_own(case),
        Knob::Request => usage::request(case, value),
        Knob::Usage => usage::usage(case, value),
        Knob::Metric => usage::metric(case, value),
        Knob::Load => usage::load(case, value),
        Knob::NoMemory => {
            case.memory = Some(MemoryCase::default());
            Ok(())
        }
    }
}

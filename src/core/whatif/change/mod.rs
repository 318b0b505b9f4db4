//! A change of a case gives another case, which is decided on like any other.
//!
//! A change is made to the API objects, so that what comes of it is validated and defaulted as the API server does, can
//! be saved, and can be given to the real controller. Changes are made in the order of [`Knob`], whatever the order in
//! which they were asked for: first the autoscaler, then the world, then what the controller remembers.

mod behavior;
mod meant;
mod median;
mod metrics;
mod name;
mod number;
mod pods;
mod typed;
mod usage;

use std::fmt;

use self::metrics::Metrics;
pub use meant::meant;
pub use name::metric_names;
pub use pods::POD_STATES;
use thiserror::Error;

use crate::api::HpaSpec;
use crate::model::shell_word;
use crate::snapshot::case::MemoryCase;
use crate::snapshot::{Case, store};

/// What can be changed, in the order in which it is.
///
/// A metric of the spec is called by its resource or metric name, or by its full name where several have that one:
/// `CONTAINER/RESOURCE`, `METRIC@KIND/OBJECT`. Where the spec has no metrics, it has the one that the API server puts
/// there. `metadata.generation` stays, though an API server would raise it with the spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Knob {
    /// A metric is taken out of the spec, the only one where another is added: `NAME`.
    RemoveMetric,
    /// A metric is added at the end of the spec's: `cpu=60`, `memory=500Mi`, or a `MetricSpec` in JSON.
    AddMetric,
    /// Every Resource metric becomes a ContainerResource metric of one container: `CONTAINER`.
    Container,
    /// The value of a target that the controller compares with, whatever the target's type says: `80` for the one
    /// utilization, else `NAME=VALUE`. Only of an Object metric the type tells which: `value`, or `averageValue`.
    Target,
    /// `spec.minReplicas`.
    Min,
    /// `spec.maxReplicas`.
    Max,
    /// `spec.behavior.scaleUp`: `Percent=10/60s,Pods=4/60s,select=Min,window=300s,tolerance=0.05`, or `disabled`. Any
    /// policies stand in the place of all that were written; what is not named stays.
    ScaleUp,
    /// `spec.behavior.scaleDown`, in the same form.
    ScaleDown,
    /// The replicas of the target, asked for and there. The pods stay as they are.
    Replicas,
    /// Pods that the target selects: `NAME=STATE`, `+N STATE`, `-N`, from left to right with commas between them. `+N`
    /// copies the first that is Running, else the first, with its samples, to the end; `-N` takes from the end.
    ///
    /// A state sets: `ready` – Running, started and Ready an hour ago, not being deleted; `not-ready` – Running, not
    /// Ready since now; `starting` – Running, started now, not Ready since now; `pending` – Pending, neither start nor
    /// conditions nor samples; `no-sample` – no samples; `median-sample` – for each sample that it lacks the median of the
    /// others'; `failed` – the phase; `deleting` – deleted now; `gone` – the pod
    /// and its samples are left out. All else of the pod stays.
    Pods,
    /// Pods that are not the target's own by their controlling owner are left out, with their samples.
    OnlyOwnPods,
    /// What a container of every pod that the target selects requests: `cpu=500m` where they have one container in all
    /// (init containers that run on included), or `CONTAINER/cpu=500m`.
    Request,
    /// What every pod uses. `NAME=VALUE` of Pods metrics sets every sample; `cpu=150m` sets the sum of every pod sample,
    /// its containers keeping their proportions; `cpu=90%` sets every measured container of the pods that the target
    /// selects to a share of its own request. Parts are rounded up to a milli-unit.
    Usage,
    /// The value of Object and External metrics: `NAME=VALUE`. It stands in the place of all values, or of the error.
    Metric,
    /// All usage and all metrics at once: `+50%`, `-20%`, `2x`, `150%`, each rounded up to a milli-unit.
    Load,
    /// The controller has just been restarted: it remembers nothing, and that is known.
    NoMemory,
}

impl Knob {
    /// Every knob, in order.
    pub const ALL: [Self; 16] = [
        Self::RemoveMetric,
        Self::AddMetric,
        Self::Container,
        Self::Target,
        Self::Min,
        Self::Max,
        Self::ScaleUp,
        Self::ScaleDown,
        Self::Replicas,
        Self::Pods,
        Self::OnlyOwnPods,
        Self::Request,
        Self::Usage,
        Self::Metric,
        Self::Load,
        Self::NoMemory,
    ];

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
    /// Reads a flag with its value: `--load +50%`, `--load=+50%`, `--no-memory`.
    ///
    /// # Errors
    /// If there is no such flag.
    pub fn parse(text: &str) -> Result<Self, UnknownFlag> {
        let mut flags = Knob::ALL.into_iter().filter_map(|knob| {
            let rest = text.trim().strip_prefix(knob.flag())?;
            let value = if rest.is_empty() { Some("") } else { rest.strip_prefix([' ', '=']) };
            value.map(|value| Self::new(knob, value.trim().trim_matches('\'')))
        });
        flags.next().ok_or_else(|| UnknownFlag(text.to_owned()))
    }

    /// A knob turned to a value.
    #[must_use]
    pub fn new(knob: Knob, value: impl Into<String>) -> Self {
        Self { knob, value: value.into() }
    }

    /// Whether it could be made to any case.
    ///
    /// # Errors
    /// If there is no case to which it could be.
    pub fn check(&self) -> Result<(), ChangeError> {
        typed::check(self.knob, self.value.trim()).map_err(|problem| self.refused(problem))
    }

    fn refused(&self, problem: String) -> ChangeError {
        ChangeError { flag: self.knob.flag(), value: self.value.clone(), problem }
    }
}

/// As it can be typed again.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { knob, value } = self;
        match value.as_str() {
            "" => f.write_str(knob.flag()),
            value => write!(f, "{} {}", knob.flag(), shell_word(value)),
        }
    }
}

/// A flag that changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no change; expected a flag of simulate with its value, as `--load +50%`")]
pub struct UnknownFlag(String);

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
    let (synced, replicas) = (case.hpa.0.clone(), case.replicas());
    let metrics = metrics::begin(&mut case.hpa.0.spec, changes);
    in_order(changes, |_| true, |knob, value| make(case, knob, value, metrics))?;
    if changes.iter().any(|change| change.knob.is_of_hpa()) {
        store(case);
    }
    case.keep_synced(&synced);
    case.keep_replicas(replicas);
    Ok(())
}

/// Makes those of the changes that are changes of the autoscaler's spec.
///
/// # Errors
/// The first that cannot be made.
pub fn change_spec(spec: &mut HpaSpec, changes: &[Change]) -> Result<(), ChangeError> {
    let metrics = metrics::begin(spec, changes);
    in_order(changes, Knob::is_of_hpa, |knob, value| make_of_hpa(spec, knob, value, metrics))
}

fn in_order(
    changes: &[Change],
    is_meant: impl Fn(Knob) -> bool,
    mut make: impl FnMut(Knob, &str) -> Result<(), String>,
) -> Result<(), ChangeError> {
    let mut ordered: Vec<&Change> = changes.iter().filter(|change| is_meant(change.knob)).collect();
    ordered.sort_by_key(|change| change.knob);
    ordered.into_iter().try_for_each(|change| {
        make(change.knob, change.value.trim()).map_err(|problem| change.refused(problem))
    })
}

fn make(case: &mut Case, knob: Knob, value: &str, metrics: Metrics) -> Result<(), String> {
    match knob {
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
        of_hpa => {
            if of_hpa == Knob::Container {
                metrics::has_container(case, value)?;
            }
            make_of_hpa(&mut case.hpa.0.spec, of_hpa, value, metrics)
        }
    }
}

fn make_of_hpa(spec: &mut HpaSpec, knob: Knob, value: &str, metrics: Metrics) -> Result<(), String> {
    match knob {
        Knob::RemoveMetric => metrics::remove(spec, value, metrics),
        Knob::AddMetric => metrics::add(spec, metrics::read(value)?),
        Knob::Container => metrics::of_container(spec, value),
        Knob::Target => metrics::target(spec, value),
        Knob::Min => number::replicas(value).map(|min| spec.min_replicas = Some(min)),
        Knob::Max => number::replicas(value).map(|max| spec.max_replicas = max),
        Knob::ScaleUp => behavior::rules(&mut behavior::of(spec).scale_up, value),
        Knob::ScaleDown => behavior::rules(&mut behavior::of(spec).scale_down, value),
        _ => Ok(()),
    }
}

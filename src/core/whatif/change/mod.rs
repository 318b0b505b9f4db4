//! A change of a case gives another case, which is decided on like any other.
//!
//! A change is made to the API objects, so that what comes of it is validated and defaulted as the API server does, can
//! be saved, and can be given to the real controller. Changes are made in the order of [`Knob`], whatever the order in
//! which they were asked for: first the HPA, then the world, then what the controller remembers.

mod behavior;
mod error;
mod knob;
mod meant;
mod median;
mod metrics;
mod milli;
mod name;
mod number;
mod own_pods;
mod pod_state;
mod setting;
mod target_pods;
mod typed;
mod usage;

use std::fmt;

use self::metrics::Metrics;
use self::setting::Setting;
pub use error::{ChangeError, Problem};
pub use knob::Knob;
pub use meant::meant;
pub use name::metric_names;
pub(super) use number::pair;
pub use pod_state::POD_STATES;
pub use typed::typed_world;

use crate::api::HpaSpec;
use crate::model::shell_word;
use crate::snapshot::case::MemoryCase;
use crate::snapshot::{Case, store};

/// One change: a knob and what it is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    knob: Knob,
    /// As it was typed; empty for knobs that are only on or off.
    typed: String,
    setting: Setting,
}

impl Change {
    /// Reads a flag with its value: `--load +50%`, `--load=+50%`, `--no-memory`.
    ///
    /// # Errors
    /// If there is no such flag, or its value is of another form.
    pub fn parse(text: &str) -> Result<Self, ChangeError> {
        let mut flags = Knob::ALL.into_iter().filter_map(|knob| {
            let rest = text.trim().strip_prefix(knob.flag())?;
            let value = if rest.is_empty() { Some("") } else { rest.strip_prefix([' ', '=']) };
            value.map(|value| (knob, value.trim().trim_matches('\'')))
        });
        let (knob, value) = flags.next().ok_or_else(|| ChangeError::UnknownFlag(text.to_owned()))?;
        Self::new(knob, value)
    }

    /// A knob and its value as it is typed; empty for knobs that are only on or off.
    ///
    /// # Errors
    /// If the value is of another form.
    pub fn new(knob: Knob, typed: impl Into<String>) -> Result<Self, ChangeError> {
        let typed = typed.into();
        match Setting::parse(knob, typed.trim()) {
            Ok(setting) => Ok(Self { knob, typed, setting }),
            Err(problem) => Err(ChangeError::Refused { flag: knob.flag(), typed, problem }),
        }
    }

    /// What is changed.
    #[must_use]
    pub const fn knob(&self) -> Knob {
        self.knob
    }

    /// The value as it was typed.
    #[must_use]
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// Whether it could be meant of any case.
    ///
    /// # Errors
    /// If there is no case of which it could be.
    pub fn check(&self) -> Result<(), ChangeError> {
        self.setting.check().map_err(|problem| self.refused(problem))
    }

    fn refused(&self, problem: Problem) -> ChangeError {
        ChangeError::Refused { flag: self.knob.flag(), typed: self.typed.clone(), problem }
    }
}

/// As it can be typed again.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.typed.as_str() {
            "" => f.write_str(self.knob.flag()),
            typed => write!(f, "{} {}", self.knob.flag(), shell_word(typed)),
        }
    }
}

/// Makes changes to a case.
///
/// # Errors
/// The first change that cannot be made, with what could be. What the API server would not store is found when the case
/// is frozen.
pub fn change(case: &mut Case, changes: &[Change]) -> Result<(), ChangeError> {
    let (synced, replicas) = (case.hpa.0.clone(), case.replicas());
    let metrics = metrics::begin(&mut case.hpa.0.spec, &knobs(changes));
    in_order(changes, |_| true, |setting| make(case, setting, metrics))?;
    if changes.iter().any(|change| change.knob.is_of_hpa()) {
        store(case);
    }
    case.keep_synced(&synced);
    case.keep_replicas(replicas);
    Ok(())
}

/// Makes those of the changes that are changes of the HPA's spec.
///
/// # Errors
/// The first that cannot be made.
pub fn change_spec(spec: &mut HpaSpec, changes: &[Change]) -> Result<(), ChangeError> {
    let metrics = metrics::begin(spec, &knobs(changes));
    in_order(changes, Knob::is_of_hpa, |setting| make_of_hpa(spec, setting, metrics))
}

fn knobs(changes: &[Change]) -> Vec<Knob> {
    changes.iter().map(Change::knob).collect()
}

fn in_order(
    changes: &[Change],
    is_meant: impl Fn(Knob) -> bool,
    mut make: impl FnMut(&Setting) -> Result<(), Problem>,
) -> Result<(), ChangeError> {
    let mut ordered: Vec<&Change> = changes.iter().filter(|change| is_meant(change.knob)).collect();
    ordered.sort_by_key(|change| change.knob);
    ordered
        .into_iter()
        .try_for_each(|change| make(&change.setting).map_err(|problem| change.refused(problem)))
}

fn make(case: &mut Case, setting: &Setting, metrics: Metrics) -> Result<(), Problem> {
    match setting {
        Setting::Replicas(count) => target_pods::replicas(case, *count)?,
        Setting::Pods(changes) => target_pods::pods(case, changes)?,
        Setting::OnlyOwnPods => target_pods::only_own(case)?,
        Setting::Request(request) => usage::request(case, request)?,
        Setting::Usage(usage) => usage::usage(case, usage)?,
        Setting::Metric(metric) => usage::metric(case, metric)?,
        Setting::Load(parts) => usage::load(case, *parts),
        Setting::NoMemory => case.memory = Some(MemoryCase::default()),
        of_hpa => {
            if let Setting::Container(container) = of_hpa {
                metrics::has_container(case, container)?;
            }
            make_of_hpa(&mut case.hpa.0.spec, of_hpa, metrics)?;
        }
    }
    Ok(())
}

fn make_of_hpa(spec: &mut HpaSpec, setting: &Setting, metrics: Metrics) -> Result<(), Problem> {
    match setting {
        Setting::RemoveMetric(name) => metrics::remove(spec, name, metrics)?,
        Setting::AddMetric(metric) => metrics::add(spec, metric.clone().into())?,
        Setting::Container(container) => metrics::of_container(spec, container)?,
        Setting::Target(target) => metrics::set_target(spec, target)?,
        Setting::Min(min) => spec.min_replicas = Some(*min),
        Setting::Max(max) => spec.max_replicas = *max,
        Setting::ScaleUp(rules) => behavior::set(&mut behavior::of(spec).scale_up, rules),
        Setting::ScaleDown(rules) => behavior::set(&mut behavior::of(spec).scale_down, rules),
        _ => {}
    }
    Ok(())
}

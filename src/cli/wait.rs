//! `kubectl hpa wait`.

use std::str::FromStr;

use clap::Args;

use super::{ConnectionArgs, SettingsArgs, SubjectArgs, UsageError, ValueError};
use kubectl_hpa_core::model::Duration;

/// `kubectl hpa wait`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
#[command(mut_arg("as_version", |version| version.help(super::settings::ONE_VERSION)))]
pub struct WaitArgs {
    /// The HPA: NAME or hpa/NAME, or the TYPE/NAME of its target, for example deploy/NAME; by default the only HPA of the
    /// namespace
    #[arg(value_name = "NAME | TYPE/NAME")]
    pub names: Vec<String>,
    /// Wait for replicas=N (in spec and status of the target), stable (the replicas stay while the load does, whatever the
    /// controller remembers), not-broken (the controller is at work, decides and can write, and no metric fails; not while the
    /// HPA is switched off), or code=CODE (a step of the decision has it)
    #[arg(long = "for", value_name = "CONDITION")]
    pub condition: Condition,
    /// Give up after this time, for example 5m; 0 looks once, a negative time waits for a week
    #[arg(long, value_name = "DURATION", default_value = "30s", allow_hyphen_values = true, value_parser = timeout)]
    pub timeout: Duration,

    /// How to reach the cluster.
    #[command(flatten)]
    pub connection: ConnectionArgs,
    /// Settings of the controller.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

impl WaitArgs {
    /// Which HPA.
    #[must_use]
    pub fn subjects(&self) -> SubjectArgs {
        SubjectArgs { names: self.names.clone(), ..SubjectArgs::default() }
    }

    /// Refuses combinations that the parser accepts.
    ///
    /// # Errors
    /// The flag that is too much.
    pub fn check(&self) -> Result<(), UsageError> {
        if self.subjects().is_list() {
            return Err(UsageError::WaitNeedsOne);
        }
        if self.settings.as_version.len() > 1 {
            return Err(UsageError::SimulatedVersions);
        }
        self.subjects().check()
    }
}

/// `--for`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Spec and status of the target have this many replicas.
    Replicas(i32),
    /// The replicas stay while the load does.
    Stable,
    /// The controller decides, and no metric fails.
    NotBroken,
    /// A step of the decision has this code.
    Code(String),
}

impl FromStr for Condition {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let replicas = |text: &str| text.parse().ok().filter(|replicas| *replicas >= 0);
        match text.split_once('=') {
            None if text == "stable" => Ok(Self::Stable),
            None if text == "not-broken" => Ok(Self::NotBroken),
            Some(("replicas", number)) => {
                replicas(number).map(Self::Replicas).ok_or(ValueError::NotACondition)
            }
            Some(("code", code)) if !code.is_empty() => Ok(Self::Code(code.to_owned())),
            _ => Err(ValueError::NotACondition),
        }
    }
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Replicas(replicas) => write!(f, "replicas={replicas}"),
            Self::Stable => write!(f, "stable"),
            Self::NotBroken => write!(f, "not-broken"),
            Self::Code(code) => write!(f, "code={code}"),
        }
    }
}

/// As kubectl's: below zero is a week.
fn timeout(text: &str) -> Result<Duration, ValueError> {
    const WEEK: i64 = 7 * 24 * 60 * 60;
    let timeout = Duration::parse(text).map_err(|_| ValueError::NotALength)?;
    Ok(if timeout.nanoseconds() < 0 { Duration::from_seconds(WEEK) } else { timeout })
}

const EXAMPLES: &str = "\
Examples:
  kubectl hpa wait web -n shop --for replicas=5
  kubectl hpa wait web -n shop --for stable --timeout 10m
  kubectl hpa wait deploy/web -n shop --for not-broken
  kubectl hpa wait web -n shop --for code=within-tolerance";

//! What is played, and what is assumed of the time to come.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::ValueError;
use super::values::{Worded, length};
use kubectl_hpa_core::model::{Duration, Milli, Quantity};
use kubectl_hpa_core::play::{Curve, CurveError, Delay};

/// The longest time that is played, in days.
const MOST: i64 = 30;

/// What is played.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Simulation over time (with --over)")]
pub struct FutureArgs {
    /// Simulate this long, up to 30d: which changes come, when, and the totals. The exit code is never 3
    #[arg(long, value_name = "DURATION", value_parser = over)]
    pub over: Option<Duration>,
    /// How the load changes over time: constant, ramp:100%..300%/5m, step:300%@10m, sine:50%..150%/1h, spike:300%@10m/2m, or a CSV file of times
    /// and values, between which it changes in straight lines; ,every=1h repeats it
    #[arg(long, requires = "over", value_name = "[METRIC=]CURVE")]
    pub load_curve: Vec<Named<LoadCurve>>,
    /// How pods start and what they use.
    #[command(flatten)]
    pub pods: PodArgs,
    /// How old metrics are when the controller sees them
    #[arg(long, requires = "over", value_name = "DURATION", value_parser = length)]
    pub metrics_lag: Option<Duration>,
    /// Treat an Object or External metric as a backlog; each ready pod processes this much per second
    #[arg(long, requires = "over", value_name = "[METRIC=]RATE")]
    pub backlog: Vec<Named<Amount>>,
    /// Start a rolling update after this long, 25% at a time
    #[arg(long, requires = "over", value_name = "DURATION", value_parser = length)]
    pub rollout: Option<Duration>,
    /// A manifest of another HPA to simulate beside this one
    #[arg(long, requires = "over", value_name = "FILE")]
    pub versus: Option<PathBuf>,
}

/// How pods start and what they use.
#[derive(Clone, Debug, Default, Args)]
pub struct PodArgs {
    /// From a new pod's creation until it runs, for example 20s or 20s..60s
    #[arg(long, value_name = "DELAY", value_parser = delay)]
    pub start_delay: Option<Delay>,
    /// From when a new pod runs until it is ready, for example 10s or 10s..30s
    #[arg(long, value_name = "DELAY", value_parser = delay)]
    pub ready_delay: Option<Delay>,
    /// What a pod uses without any load, for example cpu=50m
    #[arg(long, value_name = "[METRIC=]QUANTITY")]
    pub base_usage: Vec<Named<Amount>>,
    /// Seed for the random delays
    #[arg(long, value_name = "NUMBER", value_parser = Worded(seed), default_value = "0", hide_default_value = true)]
    pub seed: u64,
}

/// A value, perhaps of one metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named<T> {
    /// The metric; without one, every metric that it can be of.
    pub name: Option<String>,
    /// The value.
    pub value: T,
}

impl<T: FromStr> FromStr for Named<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, T::Err> {
        let pair =
            text.split_once('=').filter(|(name, _)| !name.is_empty() && !name.contains([':', ',', '/', '.']));
        let (name, value) = pair.map_or((None, text), |(name, value)| (Some(name.to_owned()), value));
        Ok(Self { name, value: value.parse()? })
    }
}

/// `--load-curve`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadCurve {
    /// As it was typed.
    pub text: String,
    /// What it is.
    pub form: CurveForm,
}

/// Where a curve stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CurveForm {
    /// In words.
    Shape(Curve),
    /// In a file, perhaps begun anew after a time.
    File(PathBuf, Option<Duration>),
}

impl FromStr for LoadCurve {
    type Err = CurveError;

    fn from_str(text: &str) -> Result<Self, CurveError> {
        let form = match Curve::parse(text) {
            Ok(curve) => CurveForm::Shape(curve),
            Err(CurveError::NotACurve) if !text.contains([':', '@']) && !text.is_empty() => {
                let (file, every) = Curve::split_every(text)?;
                CurveForm::File(file.into(), every)
            }
            Err(error) => return Err(error),
        };
        Ok(Self { text: text.to_owned(), form })
    }
}

/// A quantity, in milli-units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount(pub Milli);

impl FromStr for Amount {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let quantity = Quantity::parse(text.strip_suffix("/s").unwrap_or(text)).ok();
        let milli = quantity.and_then(|quantity| quantity.checked_milli_value()).filter(|milli| *milli >= 0);
        milli.map(|milli| Self(Milli(milli))).ok_or(ValueError::NotAnAmount)
    }
}

fn over(text: &str) -> Result<Duration, ValueError> {
    let most = Duration::from_seconds(MOST * 86_400);
    let found = length(text)?;
    if found > Duration::ZERO && found <= most { Ok(found) } else { Err(ValueError::NotAPlayedLength) }
}

/// `20s` or `20s..60s`.
fn delay(text: &str) -> Result<Delay, ValueError> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let (least, most) = (length(least)?, length(most)?);
    if least <= most { Ok(Delay { least, most }) } else { Err(ValueError::NotADelay) }
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("invalid seed {text:?}: expected a whole number of at most {}", u64::MAX))
}

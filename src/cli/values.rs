//! Values of flags.

use std::ffi::OsStr;
use std::fmt::Display;
use std::str::FromStr;

use clap::builder::{StringValueParser, TypedValueParser};
use clap::error::{Error, ErrorKind};
use clap::{Arg, Args, Command, ValueEnum};

use super::ValueError;
use kubectl_hpa_core::model::{Duration, FeatureGateError, feature_gate};

/// `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// Only on a terminal, and not if NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How a text looks.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct StyleArgs {
    /// Use color: always, never, or only on a terminal
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorWhen,
    /// Use ASCII characters only
    #[arg(long)]
    pub ascii: bool,
}

/// `--pods`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PodRows {
    /// Unusual pods; fold similar ones into a count.
    #[default]
    Folded,
    /// Every pod.
    All,
}

/// A length of time, days included.
pub(super) fn length(text: &str) -> Result<Duration, ValueError> {
    let found = Duration::parse_with_days(text).filter(|length| *length >= Duration::ZERO);
    found.ok_or(ValueError::NotALength)
}

/// Reads a value whose errors name the flag themselves.
#[derive(Clone)]
pub(super) struct Worded<F>(pub F);

impl<T, E, F> TypedValueParser for Worded<F>
where
    T: Clone + Send + Sync + 'static,
    E: Display,
    F: Fn(&str) -> Result<T, E> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let text = StringValueParser::new().parse_ref(command, arg, value)?;
        (self.0)(&text).map_err(|error| Error::raw(ErrorKind::ValueValidation, format!("{error}\n")))
    }
}

/// `--feature-gates A=true,B=false`, as kube-controller-manager takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureGates(pub Vec<(String, bool)>);

impl FromStr for FeatureGates {
    type Err = FeatureGateError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let gates = text.split(',').filter(|gate| !gate.is_empty()).map(feature_gate);
        gates
            .map(|gate| gate.map(|(name, value)| (name.to_owned(), value)))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

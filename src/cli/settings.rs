//! Settings of the controller that somebody knows better than what can be read.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{FeatureGates, PastArgs, ValueError};
use kubectl_hpa_core::model::{Architecture, Duration, shell_word};

/// Settings of the controller, under the names of its flags.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Settings of the controller (by default read from its pod, or its defaults)")]
pub struct SettingsArgs {
    /// Decide by the rules of another version, for example 1.31.5; several are compared, for example 1.32,1.35,1.37
    #[arg(long, value_name = "VERSION", value_delimiter = ',')]
    pub as_version: Vec<String>,
    /// Its architecture, amd64 or arm64: numbers overflow differently
    #[arg(long, value_name = "ARCH", value_parser = architecture())]
    pub architecture: Option<Architecture>,
    /// --horizontal-pod-autoscaler-tolerance, a fraction, for example 0.1
    #[arg(long, value_name = "FRACTION", value_parser = fraction, allow_negative_numbers = true)]
    pub tolerance: Option<f64>,
    /// --horizontal-pod-autoscaler-cpu-initialization-period, for example 5m
    #[arg(long, value_name = "DURATION")]
    pub cpu_initialization_period: Option<Duration>,
    /// --horizontal-pod-autoscaler-initial-readiness-delay, for example 30s
    #[arg(long, value_name = "DURATION")]
    pub initial_readiness_delay: Option<Duration>,
    /// --horizontal-pod-autoscaler-downscale-stabilization, for example 5m
    #[arg(long, value_name = "DURATION")]
    pub downscale_stabilization: Option<Duration>,
    /// --feature-gates, for example HPAScaleToZero=true; you may paste the controller's whole list
    #[arg(long, value_name = "GATES")]
    pub feature_gates: Option<FeatureGates>,
    /// What is known of its past.
    #[command(flatten)]
    pub past: PastArgs,
}

/// The help of `--as-version` where it takes one.
pub(super) const ONE_VERSION: &str = "Decide by the rules of another version, for example 1.31.5";

impl SettingsArgs {
    /// The settings that were typed, as they can be typed again; what is known of the past is none.
    #[must_use]
    pub fn typed(&self) -> Vec<String> {
        let duration = |it: Option<Duration>| it.map(|it| it.to_string());
        let gates = self.feature_gates.iter().flat_map(|gates| &gates.0);
        let gates: Vec<String> = gates.map(|(gate, value)| format!("{gate}={value}")).collect();
        let flags = [
            ("--as-version", (!self.as_version.is_empty()).then(|| self.as_version.join(","))),
            ("--architecture", self.architecture.map(|it| it.to_string())),
            ("--tolerance", self.tolerance.map(|it| it.to_string())),
            ("--cpu-initialization-period", duration(self.cpu_initialization_period)),
            ("--initial-readiness-delay", duration(self.initial_readiness_delay)),
            ("--downscale-stabilization", duration(self.downscale_stabilization)),
            ("--feature-gates", (!gates.is_empty()).then(|| gates.join(","))),
        ];
        let typed = flags.into_iter().filter_map(|(flag, value)| Some((flag, value?)));
        typed.map(|(flag, value)| format!("{flag} {}", shell_word(&value))).collect()
    }

    /// The one version that takes the place of the controller's own; `None` where several stand side by side.
    #[must_use]
    pub fn version(&self) -> Option<&String> {
        match self.as_version.as_slice() {
            [version] => Some(version),
            _ => None,
        }
    }
}

fn architecture() -> impl TypedValueParser<Value = Architecture> {
    PossibleValuesParser::new(Architecture::ALL.map(Architecture::as_str))
        .map(|name| name.parse().unwrap_or_default())
}

fn fraction(text: &str) -> Result<f64, ValueError> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err(ValueError::NotAFraction),
    }
}

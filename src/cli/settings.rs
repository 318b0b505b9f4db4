//! Settings of the controller, where somebody knows better than what can be read.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{FeatureGates, PastArgs, ValueError};
use kubectl_hpa_core::model::{Architecture, Duration};

/// Settings of the controller, under the names of its flags.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Settings of the controller (else read from its pod, else its defaults)")]
pub struct SettingsArgs {
    /// Decide by the rules of another version, for example 1.31.5. explain compares several, for example
    /// 1.32,1.35,1.37
    #[arg(long, value_name = "VERSION", value_delimiter = ',')]
    pub as_version: Vec<String>,
    /// Its architecture, amd64 or arm64: decides how numbers overflow
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

impl SettingsArgs {
    /// Whether no setting is stated; what is known of the past is none.
    pub(super) fn is_empty(&self) -> bool {
        let Self {
            as_version,
            architecture,
            tolerance,
            cpu_initialization_period,
            initial_readiness_delay,
            downscale_stabilization,
            feature_gates,
            past: _,
        } = self;
        let durations = [cpu_initialization_period, initial_readiness_delay, downscale_stabilization];
        as_version.is_empty()
            && architecture.is_none()
            && tolerance.is_none()
            && durations.iter().all(|duration| duration.is_none())
            && feature_gates.is_none()
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

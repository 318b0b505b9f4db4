//! Values of flags.

use std::str::FromStr;

use clap::ValueEnum;

use kubectl_hpa_core::model::{FeatureGateError, feature_gate};

/// `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// `--pods`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PodRows {
    /// Unusual pods; similar ones are folded into a count.
    #[default]
    Folded,
    /// Every pod.
    All,
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

//! Values of flags.

use std::str::FromStr;

use clap::ValueEnum;

/// `-o`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// An explanation for a terminal.
    #[default]
    Text,
    /// The same with raw values and more columns.
    Wide,
    /// One JSON object; a list of several cases.
    Json,
    /// YAML; one document a case.
    Yaml,
    /// One JSON object a line.
    Jsonl,
    /// simulate: what is changed of the HPA, as a merge patch in YAML.
    Patch,
}

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
    /// The odd ones; those that are alike fold to a count.
    #[default]
    Folded,
    /// Every pod.
    All,
}

/// `--feature-gates A=true,B=false`, as kube-controller-manager takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureGates(pub Vec<(String, bool)>);

impl FromStr for FeatureGates {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let gate = |pair: &str| {
            let (name, value) =
                pair.split_once('=').ok_or_else(|| format!("`{pair}` has no `=true` or `=false`"))?;
            let value = match value {
                "true" => true,
                "false" => false,
                other => return Err(format!("`{other}` is neither true nor false")),
            };
            Ok((name.trim().to_owned(), value))
        };
        text.split(',').filter(|pair| !pair.is_empty()).map(gate).collect::<Result<_, _>>().map(Self)
    }
}

//! `kubectl hpa history`.

use std::path::PathBuf;

use clap::Args;

use super::values::length;
use super::{ColorWhen, Output, OutputParser, SettingsArgs, UsageError};
use kubectl_hpa_core::model::Duration;

/// `kubectl hpa history`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
#[command(mut_arg("as_version", |version| version.help(super::settings::ONE_VERSION)))]
pub struct HistoryArgs {
    /// Only these HPAs of the record: NAME or NAMESPACE/NAME
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// The record; - is standard input; may be repeated
    #[arg(short, long, value_name = "FILE", required = true)]
    pub file: Vec<PathBuf>,
    /// Only changes of the last part of the record, for example 1h
    #[arg(long, value_name = "DURATION", value_parser = length)]
    pub since: Option<Duration>,
    /// Output format
    #[arg(short, long, value_parser = OutputParser::history(), default_value = "text", value_name = "FORMAT")]
    pub output: Output,
    /// Use color: always, never, or only on a terminal
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorWhen,
    /// Use ASCII characters only
    #[arg(long)]
    pub ascii: bool,

    /// Settings of the controller.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

impl HistoryArgs {
    /// Refuses combinations that the parser accepts.
    ///
    /// # Errors
    /// Several versions.
    pub fn check(&self) -> Result<(), UsageError> {
        if self.settings.as_version.len() > 1 {
            return Err(UsageError::SimulatedVersions);
        }
        Ok(())
    }
}

const EXAMPLES: &str = "\
Examples:
  kubectl hpa history -f day.jsonl
  kubectl hpa history web -f day.jsonl --since 1h
  kubectl hpa history -f day.jsonl -o jsonl
  kubectl hpa explain -f day.jsonl --at 03:12";

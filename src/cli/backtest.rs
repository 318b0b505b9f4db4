//! `kubectl hpa backtest`.

use std::path::{Path, PathBuf};

use clap::{Arg, Args};

use super::values::length;
use super::{KnobArgs, Output, OutputParser, PodArgs, SettingsArgs, StyleArgs, UsageError};
use kubectl_hpa_core::model::Duration;

/// `kubectl hpa backtest`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
#[command(mut_arg("as_version", |version| version.help(super::settings::ONE_VERSION)))]
#[command(mut_args(hidden_if_recorded))]
pub struct BacktestArgs {
    /// The HPA: NAME or NAMESPACE/NAME; by default the only one of the record
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// A record, or an HPA manifest to play instead of the recorded spec; - is standard input; may be repeated
    #[arg(short, long, value_name = "FILE", required = true)]
    pub file: Vec<PathBuf>,
    /// Only the last part of the record, for example 14d
    #[arg(long, value_name = "DURATION", value_parser = length)]
    pub since: Option<Duration>,
    /// Output format
    #[arg(short, long, value_parser = OutputParser::backtest(), default_value = "text", value_name = "FORMAT")]
    pub output: Output,
    /// How the text looks.
    #[command(flatten)]
    pub style: StyleArgs,

    /// The changed settings.
    #[command(flatten)]
    pub knobs: KnobArgs,
    /// How pods start and what they use.
    #[command(flatten, next_help_heading = "Pods of the simulation")]
    pub pods: PodArgs,
    /// Settings of the controller.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

impl BacktestArgs {
    /// Refuses combinations that the parser accepts.
    ///
    /// # Errors
    /// A change of what the record has; several versions; a record that would be read twice.
    pub fn check(&self) -> Result<(), UsageError> {
        let changes = self.knobs.changes();
        let mut flags = changes.iter().map(|change| change.knob().flag());
        if let Some(flag) = flags.find(|flag| RECORDED.contains(flag)) {
            return Err(UsageError::RecordedWorld(flag));
        }
        if self.settings.as_version.len() > 1 {
            return Err(UsageError::SimulatedVersions);
        }
        if self.since.is_some() && self.file.iter().any(|file| file == Path::new("-")) {
            return Err(UsageError::SinceOfInput);
        }
        Ok(())
    }
}

/// Changes of what a record has.
const RECORDED: [&str; 6] = ["--replicas", "--pods", "--only-own-pods", "--usage", "--metric", "--load"];

fn hidden_if_recorded(arg: Arg) -> Arg {
    let is_recorded = arg.get_long().is_some_and(|long| RECORDED.iter().any(|flag| flag[2..] == *long));
    arg.hide(is_recorded)
}

const EXAMPLES: &str = "\
The recorded load is played to the HPA again: first with its own settings,
which has to give the recorded replicas, then with yours.

Examples:
  kubectl hpa backtest web -f day.jsonl
  kubectl hpa backtest web -f day.jsonl --target 70
  kubectl hpa backtest web -f day.jsonl --since 6h --min 2 --max 20
  kubectl hpa backtest web -f day.jsonl -f new-hpa.yaml -o html > page.html";

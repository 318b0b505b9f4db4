//! `kubectl hpa history`.

use std::path::PathBuf;

use clap::Args;

use super::values::length;
use super::{ConnectionArgs, Moment, Output, OutputParser, SettingsArgs, StyleArgs, SubjectArgs, UsageError};
use kubectl_hpa_core::model::Duration;

/// `kubectl hpa history`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
#[command(mut_arg("as_version", |version| version.help(super::settings::ONE_VERSION)))]
pub struct HistoryArgs {
    /// Only these HPAs: NAME or NAMESPACE/NAME; by default all HPAs of the record, or of the namespace
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Tell of the HPAs of all namespaces
    #[arg(short = 'A', long, conflicts_with = "file")]
    pub all_namespaces: bool,
    /// Read a record, a case, or objects that kubectl has printed, with their events, instead of the cluster's events; - is
    /// standard input; may be repeated
    #[arg(short, long, value_name = "FILE")]
    pub file: Vec<PathBuf>,
    /// Also read the log of kube-controller-manager, which has each change with the replicas before; - is standard input
    #[arg(long, value_name = "FILE")]
    pub controller_log: Option<PathBuf>,
    /// Only changes of the last part of what is known, for example 1h
    #[arg(long, value_name = "DURATION", value_parser = length)]
    pub since: Option<Duration>,
    /// Only changes at this time, give or take a minute, for example 03:12 (UTC), or with its date
    #[arg(long, value_name = "TIME", conflicts_with = "since")]
    pub at: Option<Moment>,
    /// Output format
    #[arg(short, long, value_parser = OutputParser::history(), default_value = "text", value_name = "FORMAT")]
    pub output: Output,
    /// How the text looks.
    #[command(flatten)]
    pub style: StyleArgs,

    /// How to reach the cluster.
    #[command(flatten)]
    pub connection: ConnectionArgs,
    /// Settings of the controller.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

impl HistoryArgs {
    /// Which HPAs: without a name all that match.
    #[must_use]
    pub fn subjects(&self) -> SubjectArgs {
        SubjectArgs::of_all(&self.names, self.all_namespaces, None)
    }

    /// Refuses combinations that the parser accepts.
    ///
    /// # Errors
    /// Several versions; a setting without a record; the flags that exclude each other.
    pub fn check(&self) -> Result<(), UsageError> {
        if self.settings.as_version.len() > 1 {
            return Err(UsageError::SimulatedVersions);
        }
        if self.file.is_empty() && !self.settings.typed().is_empty() {
            return Err(UsageError::SettingNeedsARecord);
        }
        self.connection.check()?;
        self.subjects().check()
    }
}

const EXAMPLES: &str = "\
Without a file it tells what the events in the cluster show, which the API
server deletes after one hour by default. A record shows all of its time.

Examples:
  kubectl hpa history web -n shop
  kubectl hpa history -f day.jsonl
  kubectl hpa history web -f day.jsonl --since 1h
  kubectl hpa history -f day.jsonl --at 03:12
  kubectl hpa history -f day.jsonl -o jsonl
  kubectl logs -n kube-system kube-controller-manager-a --timestamps |
    kubectl hpa history -A --controller-log -
  kubectl hpa explain -f day.jsonl --at 03:12";

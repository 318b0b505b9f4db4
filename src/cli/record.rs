//! `kubectl hpa record`.

use std::path::PathBuf;

use clap::Args;

use super::values::length;
use super::{ConnectionArgs, SubjectArgs, UsageError};
use kubectl_hpa_core::model::Duration;

/// `kubectl hpa record`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
pub struct RecordArgs {
    /// The HPAs: NAME or hpa/NAME, or the TYPE/NAME of their targets, for example deploy/NAME; by default all HPAs of the
    /// namespace
    #[arg(value_name = "NAME | TYPE/NAME")]
    pub names: Vec<String>,
    /// Record the HPAs of all namespaces
    #[arg(short = 'A', long)]
    pub all_namespaces: bool,
    /// Selector (label query), for example app=web,tier!=cache
    #[arg(short = 'l', long, value_name = "SELECTOR")]
    pub selector: Option<String>,
    /// The file, for its owner alone, packed with gzip if its name ends with .gz; a record that is there is continued; - is
    /// standard output
    #[arg(short, long, value_name = "FILE", required = true)]
    pub output: PathBuf,
    /// End after this time, for example 24h; by default at Ctrl-C
    #[arg(long = "for", value_name = "DURATION", value_parser = length)]
    pub time: Option<Duration>,

    /// How to reach the cluster.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

impl RecordArgs {
    /// Which HPAs: without a name all that match.
    #[must_use]
    pub fn subjects(&self) -> SubjectArgs {
        SubjectArgs::of_all(&self.names, self.all_namespaces, self.selector.as_deref())
    }

    /// Refuses combinations that the parser accepts.
    ///
    /// # Errors
    /// The flags that exclude each other.
    pub fn check(&self) -> Result<(), UsageError> {
        self.connection.check()?;
        self.subjects().check()
    }
}

const EXAMPLES: &str = "\
A record has what each look at the HPAs saw: history tells from it what
changed and why, and explain --at what was decided at a time.

Examples:
  kubectl hpa record web -n shop -o web.jsonl
  kubectl hpa record -A --for 24h -o day.jsonl.gz";

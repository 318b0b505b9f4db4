//! The flags of the commands that can write.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use kubectl_hpa_core::edit::Requirement;

/// Flags of the verbs that can write. Without `--apply` nothing is written.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Writing (nothing is written without --apply)")]
pub struct ApplyArgs {
    /// Show the change, ask, and write it if the decision is still the same
    #[arg(long)]
    pub apply: bool,
    /// With --apply: do not ask
    #[arg(short, long, requires = "apply")]
    pub yes: bool,
    /// With --apply: try the change without storing it
    #[arg(long, value_enum, default_value_t, value_name = "STRATEGY", requires = "apply")]
    pub dry_run: DryRunAt,
    /// With --apply: write only if this is true, for example 'desired<=20' or 'desired>=current'; may be repeated
    #[arg(long, value_name = "CONDITION", requires = "apply")]
    pub require: Vec<Requirement>,
    /// With --apply: field manager of the write
    #[arg(long, value_name = "NAME", default_value = "kubectl-hpa", requires = "apply")]
    pub field_manager: String,
    /// With --apply: write the commands that take the writes back to a new file, as a shell script
    #[arg(long, value_name = "FILE", requires = "apply", value_hint = ValueHint::FilePath)]
    pub undo_file: Option<PathBuf>,
}

/// `--dry-run`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DryRunAt {
    /// Write it.
    #[default]
    None,
    /// Only show it: nothing is sent.
    Client,
    /// Send it for the API server to try, without storing it.
    Server,
}

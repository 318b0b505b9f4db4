//! What may be written, and under which terms.

use clap::{Args, ValueEnum};

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
    /// With --apply: show the change only (client), or let the API server try it (server)
    #[arg(long, value_enum, default_value_t, value_name = "WHERE", requires = "apply")]
    pub dry_run: DryRunAt,
    /// With --apply: write only if this is true, for example 'desired<=20' or 'desired>=current'. May be repeated
    #[arg(long, value_name = "CONDITION", requires = "apply")]
    pub require: Vec<Requirement>,
    /// With --apply: field manager of the write
    #[arg(long, value_name = "NAME", default_value = "kubectl-hpa", requires = "apply")]
    pub field_manager: String,
}

/// `--dry-run`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DryRunAt {
    /// It is written.
    #[default]
    None,
    /// Nothing is sent.
    Client,
    /// It is sent, and not stored.
    Server,
}

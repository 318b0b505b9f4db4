//! The command line: flags and their values, not their effects.

mod apply;
mod backtest;
mod case;
mod completion;
mod connection;
mod error;
mod explain;
mod future;
mod history;
mod lint;
mod list;
mod mcp;
mod output;
mod past;
mod rbac;
mod record;
mod settings;
mod simulate;
mod subjects;
mod switches;
mod test;
mod unfinished;
mod values;
mod wait;

pub use apply::{ApplyArgs, DryRunAt};
pub use backtest::BacktestArgs;
pub use case::CaseArgs;
pub use completion::{CompleteArgs, CompletionArgs, Shell};
pub use connection::{ConnectionArgs, several};
pub use error::{UsageError, ValueError};
pub use explain::ExplainArgs;
pub use future::{Amount, CurveForm, FutureArgs, LoadCurve, Named, PodArgs};
pub use history::HistoryArgs;
pub use lint::{LintArgs, LintOutput};
pub use list::ListArgs;
pub use mcp::McpArgs;
pub use output::{Output, OutputParser};
pub use past::{Moment, PastArgs, ScaledFrom};
pub use rbac::RbacArgs;
pub use record::RecordArgs;
pub use settings::SettingsArgs;
pub use simulate::{KnobArgs, SimulateArgs};
pub use subjects::SubjectArgs;
pub use switches::{plain, with_verb};
pub use test::TestArgs;
pub use unfinished::{Slot, Unfinished};
pub use values::{ColorWhen, FeatureGates, PodRows, StyleArgs};
pub use wait::{Condition, WaitArgs};

use clap::{Parser, Subcommand};

/// Explain what a Kubernetes HorizontalPodAutoscaler decided, by recomputing the controller's own decision. Without a command,
/// list the HPAs.
#[derive(Debug, Parser)]
#[command(name = "kubectl-hpa", bin_name = "kubectl hpa", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Explain the decision of an HPA, live or from a case file.
    Explain(Box<ExplainArgs>),
    /// List HPAs with their state, problems first.
    List(Box<ListArgs>),
    /// Find mistakes in HPAs, live or in manifests before they are applied.
    Lint(Box<LintArgs>),
    /// Show what the HPA would do with different settings, load or pods.
    Simulate(Box<SimulateArgs>),
    /// Wait for a number of replicas, for stability or for a code of the decision.
    Wait(Box<WaitArgs>),
    /// Record what happens to HPAs, for history and explain --at.
    Record(Box<RecordArgs>),
    /// Tell when and why the replicas changed, from events, a record or a log.
    History(Box<HistoryArgs>),
    /// Play a record again with other settings, and compare.
    Backtest(Box<BacktestArgs>),
    /// Make cases of what kubectl prints.
    Case(CaseArgs),
    /// Check cases against their expectations.
    Test(TestArgs),
    /// Print the minimal rights that kubectl hpa needs, as a Role or ClusterRole.
    Rbac(RbacArgs),
    /// Print the completion script for a shell.
    Completion(CompletionArgs),
    /// Serve an assistant: a read-only MCP server on standard input and output.
    Mcp(Box<McpArgs>),
    /// Print how an assistant uses this, as a SKILL.md that fits this version.
    Skill,
    /// Complete the last word.
    #[command(name = "__complete", hide = true)]
    Complete(CompleteArgs),
}

/// The examples come before the flags, as in kubectl.
const EXAMPLES_FIRST: &str = "{about}{after-help}\n\n{usage-heading} {usage}\n\n{all-args}";

/// README has the same table.
const EXIT_CODES: &str = "\
Exit codes (for several HPAs: 1 before 5, 5 before 4, 4 before 3):
  0  decided, and unchanged if compared; with --apply: written or tried
  1  something failed or was not written, a test failed, or wait timed out
  2  the command line is wrong, and nothing was read
  3  decided differently by simulate (not --over, --sweep) or another version
  4  unknown: a read failed here, or the decision may or may not change
  5  list --fail-on or lint --fail-on found what it names";

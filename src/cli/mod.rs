//! What a person may type, and nothing of what it does.

mod apply;
mod completion;
mod connection;
mod explain;
mod output;
mod past;
mod rbac;
mod settings;
mod simulate;
mod subjects;
mod switches;
mod test;
mod unfinished;
mod values;

pub use apply::{ApplyArgs, DryRunAt};
pub use completion::{CompleteArgs, CompletionArgs, Shell};
pub use connection::ConnectionArgs;
pub use explain::ExplainArgs;
pub use output::{Output, OutputParser};
pub use past::{Moment, PastArgs, ScaledFrom};
pub use rbac::RbacArgs;
pub use settings::SettingsArgs;
pub use simulate::{KnobArgs, SimulateArgs};
pub use subjects::SubjectArgs;
pub use switches::plain;
pub use test::TestArgs;
pub use unfinished::{Slot, Unfinished};
pub use values::{ColorWhen, FeatureGates, PodRows};

use clap::{Parser, Subcommand};

/// Explains what a Kubernetes HorizontalPodAutoscaler decided, by recomputing the controller's own decision.
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
    /// Explain the decision of an autoscaler, live or from a case file.
    Explain(Box<ExplainArgs>),
    /// Say what would be decided if something were different, or with an HPA that is not there yet.
    Simulate(Box<SimulateArgs>),
    /// Hold cases against what they expect.
    Test(TestArgs),
    /// Print the least rights that this needs, as a Role or ClusterRole.
    Rbac(RbacArgs),
    /// Write the script that lets a shell complete what is typed.
    Completion(CompletionArgs),
    /// What the last word could become.
    #[command(name = "__complete", hide = true)]
    Complete(CompleteArgs),
}

const EXIT_CODES: &str = "\
Exit codes:
  0  a decision was explained, or a sweep drawn; also when the reader of the output closed it early
  1  a test failed, --apply wrote nothing, or there is nothing to explain: no such autoscaler, no connection, no right to read it, a broken case file, or a value that does not fit the autoscaler or that the API server would refuse
  2  the command line is wrong: an unknown flag, flags that do not go together, or a value that cannot be read
  3  simulate without --apply: another decision than the one of now; of an HPA that is not there yet: other replicas; explain with --upgrade-to or several versions: not all decide the same";

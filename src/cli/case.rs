//! `kubectl hpa case`.

use std::path::PathBuf;

use clap::Args;

/// `kubectl hpa case`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
pub struct CaseArgs {
    /// Output of kubectl about HPAs and what belongs to them, in files or folders (.yaml, .yml, .json, and text of kubectl in .txt); - is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Write the cases to this file, for its owner alone; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Mask the names of pods, people and control plane machines
    #[arg(long)]
    pub redact: bool,
}

const EXAMPLES: &str = "\
A case has all that a decision of one HPA depends on: explain, simulate and
test read it. What is missing is listed with the commands that print it.

Examples:
  kubectl get hpa,deploy,pods -o yaml | kubectl hpa case -
  kubectl hpa case hpa.yaml pods.json metrics.json -o case.yaml
  kubectl describe hpa web | kubectl hpa case -";

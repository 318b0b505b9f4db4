//! `kubectl hpa test`.

use std::path::PathBuf;

use clap::Args;

use super::StyleArgs;

/// `kubectl hpa test`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
pub struct TestArgs {
    /// Case files, or folders of them (.yaml, .yml, .json, .jsonl); - is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Also write the results as JUnit XML; - is standard output
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// How the text looks.
    #[command(flatten)]
    pub style: StyleArgs,
}

const EXAMPLES: &str = "\
Each case says what it expects:
  expect:
    replicas: 5                          # or atLeast and atMost
    codes: [missing-pods-assumed-idle, within-tolerance]  # in this order
    reason: All metrics below target     # of the rescale, as in its event
    conditions: [{type: ScalingLimited, status: 'False'}]
    whatIf:
      - change: [--load +50%]            # as typed for simulate
        expect: {replicas: 9}

Examples:
  kubectl hpa test cases/
  kubectl hpa test cases/*.yaml --junit report.xml";

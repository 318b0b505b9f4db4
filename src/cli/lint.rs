//! `kubectl hpa lint`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use kubectl_hpa_core::lint::Severity;

/// `kubectl hpa lint`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
pub struct LintArgs {
    /// Manifests, or folders of them (.yaml, .yml, .json); - is standard input. May be repeated
    #[arg(short, long, value_name = "FILE", required = true)]
    pub file: Vec<PathBuf>,
    /// Output format
    #[arg(short, long, value_enum, default_value_t, value_name = "FORM")]
    pub output: LintOutput,
    /// Exit with 5 if something as bad as this is found
    #[arg(long, value_name = "SEVERITY", value_parser = severity(), default_value = "error")]
    pub fail_on: Severity,
}

/// `-o` of lint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LintOutput {
    /// A line for each finding, as compilers write them, with its fix.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit's XML, for test reports.
    Junit,
    /// Workflow commands of GitHub Actions, which mark the lines of a pull request.
    Github,
}

fn severity() -> impl TypedValueParser<Value = Severity> {
    PossibleValuesParser::new(Severity::ALL.map(Severity::as_str)).map(|name| {
        let known = Severity::ALL.into_iter().find(|severity| severity.as_str() == name);
        known.unwrap_or(Severity::Error)
    })
}

const EXAMPLES: &str = "\
To ignore a finding, give the reason in an annotation of the HPA:
  kubectl-hpa.io/lint-ignore: \"min-is-max: fixed until the migration; no-request: set by a LimitRange\"

Examples:
  kubectl hpa lint -f manifests/
  helm template shop ./chart | kubectl hpa lint -f -
  kubectl hpa lint -f manifests/ --fail-on warning -o sarif > lint.sarif
  kubectl hpa explain --why replicas-in-manifest";

//! `kubectl hpa lint`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::{ConnectionArgs, StyleArgs, SubjectArgs, UsageError};
use kubectl_hpa_core::lint::Severity;

/// `kubectl hpa lint`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
#[group(id = "subject", multiple = true)]
pub struct LintArgs {
    /// HPAs of the cluster: NAME or hpa/NAME, or the TYPE/NAME of their targets, for example deploy/NAME; by default all HPAs
    /// of the namespace
    #[arg(value_name = "NAME | TYPE/NAME")]
    pub names: Vec<String>,
    /// Lint the HPAs of all namespaces
    #[arg(short = 'A', long)]
    pub all_namespaces: bool,
    /// Selector (label query), for example app=web,tier!=cache
    #[arg(short = 'l', long, value_name = "SELECTOR")]
    pub selector: Option<String>,
    /// Lint manifests, or folders of them (.yaml, .yml, .json), instead of a cluster; - is standard input; may be repeated
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["names", "all_namespaces", "selector"])]
    pub file: Vec<PathBuf>,
    /// Leave out what a line of .gitignore would, for example 'charts/' or '*.tmpl.yaml'; may be repeated. What git ignores is
    /// left out of folders anyway
    #[arg(long, value_name = "PATTERN", requires = "file")]
    pub exclude: Vec<String>,
    /// Ignore the findings that this file lists with a reason
    #[arg(long, value_name = "FILE")]
    pub ignore_file: Option<PathBuf>,
    /// Write the patches that are certain into the files, and keep their comments and order
    #[arg(long, requires = "file")]
    pub fix: bool,
    /// Output format
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub output: LintOutput,
    /// How the text looks.
    #[command(flatten)]
    pub style: StyleArgs,
    /// Exit with 5 if there is a finding of this severity or a worse one
    #[arg(long, value_name = "SEVERITY", value_parser = severity(), default_value = "error")]
    pub fail_on: Severity,

    /// How to reach the cluster.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

impl LintArgs {
    /// Which HPAs of the cluster: without a name all that match.
    #[must_use]
    pub fn subjects(&self) -> SubjectArgs {
        SubjectArgs::of_all(&self.names, self.all_namespaces, self.selector.as_deref())
    }

    /// Refuses combinations that the parser accepts.
    ///
    /// # Errors
    /// The flags that exclude each other.
    pub fn check(&self) -> Result<(), UsageError> {
        let other = self.file.iter().find(|file| self.fix && !file.is_file() && !file.is_dir());
        if let Some(other) = other {
            return Err(UsageError::FixNeedsFiles(other.display().to_string()));
        }
        self.subjects().check()
    }
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
  kubectl-hpa.io/lint-ignore: \"min-is-max: fixed until the migration\"

or in a file for --ignore-file:
  apiVersion: kubectl-hpa/v1
  kind: LintIgnore
  ignore:
  - rule: min-is-max
    kind: HorizontalPodAutoscaler
    name: web
    reason: fixed until the migration

Examples:
  kubectl hpa lint -f manifests/
  kubectl hpa lint -A
  kubectl hpa lint web -n shop
  helm template shop ./chart | kubectl hpa lint -f -
  kubectl hpa lint -f manifests/ --fail-on warning -o sarif > lint.sarif
  kubectl hpa explain --why replicas-in-manifest";

//! `kubectl hpa list`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::connection::several;
use super::{ConnectionArgs, Output, OutputParser, StyleArgs, SubjectArgs, UsageError};
use kubectl_hpa_core::model::{HpaState, ListOrder};

/// `kubectl hpa list`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
#[command(mut_arg("context", |context| several(context).help(CONTEXT)))]
#[command(mut_arg("namespace", |namespace| namespace.help("Namespace of the HPAs")))]
#[group(id = "subject", multiple = true)]
pub struct ListArgs {
    /// The HPAs: NAME or hpa/NAME, or the TYPE/NAME of their targets, for example deploy/NAME; by default all HPAs of the
    /// namespace
    #[arg(value_name = "NAME | TYPE/NAME")]
    pub names: Vec<String>,
    /// List the HPAs of all namespaces
    #[arg(short = 'A', long)]
    pub all_namespaces: bool,
    /// Selector (label query), for example app=web,tier!=cache
    #[arg(short = 'l', long, value_name = "SELECTOR")]
    pub selector: Option<String>,
    /// Read cases, or objects that kubectl has printed, from this file or folder instead of a cluster; - is standard input; may
    /// be repeated. Names, -n and -l choose some of them
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["all_namespaces", "example"])]
    pub file: Vec<PathBuf>,
    /// List an example; without a name, all of them
    #[arg(
        long, value_name = "NAME", num_args = 0..=1, default_missing_value = "",
        conflicts_with_all = ["names", "all_namespaces", "selector"]
    )]
    pub example: Option<String>,

    /// Show only HPAs in these states, for example broken,at-max
    #[arg(long, value_name = "STATES", value_delimiter = ',', value_parser = state())]
    pub only: Vec<HpaState>,
    /// Exit with 5 if an HPA is in one of these states, shown or not, for example broken
    #[arg(long, value_name = "STATES", value_delimiter = ',', value_parser = state())]
    pub fail_on: Vec<HpaState>,
    /// Watch until Ctrl-C: a live screen on a terminal, elsewhere a line for each HPA and then for each change
    #[arg(short, long, conflicts_with_all = ["file", "example", "fail_on"])]
    pub watch: bool,
    /// Sort by this column: names from A, numbers from the highest, since from the longest
    #[arg(long, value_name = "COLUMN", default_value = "state", value_parser = order())]
    pub sort: ListOrder,
    /// Output format
    #[arg(short, long, value_parser = OutputParser::list(), default_value = "text", value_name = "FORMAT")]
    pub output: Output,
    /// How the text looks.
    #[command(flatten)]
    pub style: StyleArgs,

    /// How to reach the cluster.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

impl ListArgs {
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
        if self.watch && !matches!(self.output, Output::Text | Output::Wide | Output::Jsonl) {
            return Err(UsageError::WatchForm);
        }
        self.connection.check()?;
        self.subjects().check()
    }
}

fn state() -> impl TypedValueParser<Value = HpaState> {
    PossibleValuesParser::new(HpaState::ALL.map(HpaState::as_str)).map(|name| {
        let known = HpaState::ALL.into_iter().find(|state| state.as_str() == name);
        known.unwrap_or(HpaState::Unknown)
    })
}

fn order() -> impl TypedValueParser<Value = ListOrder> {
    PossibleValuesParser::new(ListOrder::ALL.map(ListOrder::as_str)).map(|name| {
        let known = ListOrder::ALL.into_iter().find(|order| order.as_str() == name);
        known.unwrap_or_default()
    })
}

/// The help of `--context`.
const CONTEXT: &str = "Name of the kubeconfig context; may be repeated, to list several clusters";

const EXAMPLES: &str = "\
Examples:
  kubectl hpa list -n shop
  kubectl hpa list -A
  kubectl hpa list -A -l team=checkout --only broken,at-max
  kubectl hpa list web deploy/cart -n shop -o wide
  kubectl hpa list -A --fail-on broken -o csv
  kubectl hpa list -A --sort replicas -o custom-columns=NAME:.name,STATE:.state
  kubectl hpa list -A --only broken,at-max --watch
  kubectl hpa list -A --context east --context west
  kubectl hpa list --example";

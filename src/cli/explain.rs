//! `kubectl hpa explain`.

use std::path::PathBuf;

use clap::Args;

use super::connection::several;
use super::{
    ApplyArgs, ConnectionArgs, Moment, Output, OutputParser, PodRows, SettingsArgs, StyleArgs, SubjectArgs,
    UsageError,
};

/// `kubectl hpa explain`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
#[command(mut_arg("context", |context| several(context).help(CONTEXT)))]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct ExplainArgs {
    /// Which HPAs.
    #[command(flatten)]
    pub subjects: SubjectArgs,

    /// Read cases, or objects that kubectl has printed, from this file or folder instead of a cluster; - is standard input; may
    /// be repeated. Names, -n and -l choose some of them
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["all", "all_namespaces", "example", "why"])]
    pub file: Vec<PathBuf>,
    /// With -f: treat the cases of one HPA as consecutive syncs, each passing memory, status and scale to the next
    #[arg(long, conflicts_with_all = ["subject", "example", "why"])]
    pub carry: bool,
    /// With -f: explain the decision of a record at this time, for example 2026-11-21T10:42:00Z; a time without a date is in
    /// UTC, and the latest in the record
    #[arg(long, value_name = "TIME", requires = "file", conflicts_with_all = ["carry", "upgrade_to", "watch", "apply"])]
    pub at: Option<Moment>,
    /// Explain an example; without a name, list the examples, or with --upgrade-to take all of them
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["subject", "why"])]
    pub example: Option<String>,
    /// Explain a code, the word at the right edge of a step; without a code, list them
    #[arg(long, value_name = "CODE", num_args = 0..=1, default_missing_value = "", conflicts_with = "subject")]
    pub why: Option<String>,

    /// Also show the decision without each of its causes, one at a time
    #[arg(long, conflicts_with = "why")]
    pub blame: bool,
    /// Watch until Ctrl-C: a live screen on a terminal, one line per change elsewhere; after one full window the
    /// controller's memory is known
    #[arg(short, long, conflicts_with_all = ["file", "example", "why", "save", "apply"])]
    pub watch: bool,
    /// With --watch: print only replica changes, of one or many HPAs: when, from what to what, why, and the code
    #[arg(long, requires = "watch", conflicts_with_all = ["file", "example"])]
    pub changes: bool,
    /// List the HPAs that this version decides differently, or leaves at 0 replicas later, for example 1.37
    #[arg(long, value_name = "VERSION", conflicts_with = "why")]
    pub upgrade_to: Option<String>,
    /// Output format
    #[arg(short, long, value_parser = OutputParser::explain(), default_value = "text", value_name = "FORMAT")]
    pub output: Output,
    /// Choose the pods that get a row of their own
    #[arg(long, value_enum, default_value_t, value_name = "ROWS")]
    pub pods: PodRows,
    /// How the text looks.
    #[command(flatten)]
    pub style: StyleArgs,

    /// Also save the case to a file, without secrets; - prints only the case
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "why"])]
    pub save: Option<PathBuf>,
    /// With --save: mask the names of pods, people and control plane machines
    #[arg(long)]
    pub redact: bool,

    /// Flags for writing the replicas of the target, through its scale.
    #[command(flatten)]
    pub apply: ApplyArgs,
    /// How to reach the cluster.
    #[command(flatten)]
    pub connection: ConnectionArgs,
    /// Settings of the controller.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

impl ExplainArgs {
    /// Whether the decisions of several versions are compared.
    #[must_use]
    pub fn compares(&self) -> bool {
        self.upgrade_to.is_some() || self.settings.as_version.len() > 1
    }

    /// Whether several clusters can be meant: only the list of an upgrade says which each row is of.
    fn is_of_clusters(&self) -> bool {
        self.upgrade_to.is_some() && self.save.is_none()
    }

    /// Whether each flag has what it needs.
    ///
    /// # Errors
    /// The missing flag or value, in one line.
    pub fn check(&self) -> Result<(), UsageError> {
        let compares = self.compares();
        let is_live = self.file.is_empty() && self.example.is_none() && self.why.is_none();
        let lists = self.example.as_deref() == Some("");
        let needs = [
            (!self.apply.apply || is_live, UsageError::ApplyNeedsACluster),
            (!self.apply.apply || !self.subjects.is_query(), UsageError::ApplyNeedsNames),
            (!self.watch || self.changes || !self.subjects.is_list(), UsageError::WatchNeedsOne),
            (
                !self.watch || matches!(self.output, Output::Text | Output::Wide | Output::Jsonl),
                UsageError::WatchForm,
            ),
            (
                !compares || !(self.apply.apply || self.carry || self.blame || self.watch),
                UsageError::ComparedVersions,
            ),
            (
                self.upgrade_to.is_none() || self.settings.as_version.len() <= 1,
                UsageError::UpgradeFromSeveral,
            ),
            (self.output != Output::Csv || self.upgrade_to.is_some(), UsageError::CsvNeedsAnUpgrade),
            (!self.carry || !self.file.is_empty(), UsageError::CarryNeedsAFile),
            (!self.connection.is_several() || self.is_of_clusters(), UsageError::SeveralContexts),
            (!self.redact || self.save.is_some(), UsageError::RedactNeedsSave),
            (!lists || self.save.is_none(), UsageError::NeedsACase("--save")),
            (
                !lists || self.output == Output::Text || self.upgrade_to.is_some(),
                UsageError::NeedsACase("-o"),
            ),
            (!lists || !self.blame, UsageError::NeedsACase("--blame")),
            (
                !lists || self.settings.typed().is_empty() || self.upgrade_to.is_some(),
                UsageError::NeedsACase("a setting of the controller"),
            ),
            (self.why.is_none() || self.output == Output::Text, UsageError::WhyIsText),
            (self.save.is_none() || !self.subjects.is_list(), UsageError::SaveNeedsOne),
        ];
        let missing = needs.into_iter().find(|(is_met, _)| !is_met);
        missing.map_or(Ok(()), |(_, error)| Err(error))?;
        self.connection.check()?;
        self.subjects.check()
    }
}

/// The help of `--context`.
const CONTEXT: &str =
    "Name of the kubeconfig context; with --upgrade-to it may be repeated for several clusters";

const EXAMPLES: &str = "\
Examples:
  kubectl hpa explain web -n shop
  kubectl hpa explain deploy/web -n shop -o json
  kubectl hpa explain -n shop --all
  kubectl hpa explain web api deploy/cart -n shop
  kubectl hpa explain -A -l team=checkout -o name
  kubectl hpa explain web -n shop --watch
  kubectl hpa explain web -n shop --watch --changes -o jsonl
  kubectl hpa explain -A --watch --changes
  kubectl hpa explain web -n shop --save case.yaml
  kubectl hpa explain web -n shop --apply --require 'desired<=20'
  kubectl hpa explain -f case.yaml
  kubectl get hpa,deploy,pods -n shop -o yaml | kubectl hpa explain -f -
  kubectl hpa explain web -n shop --as-version 1.32,1.35,1.37
  kubectl hpa explain -A --upgrade-to 1.37
  kubectl hpa explain --example missing-samples
  kubectl hpa explain --example missing-samples --blame
  kubectl hpa explain --why within-tolerance";

//! `kubectl hpa simulate`.

use std::path::PathBuf;

use clap::{Arg, Args, Command};

use super::{
    ApplyArgs, ColorWhen, ConnectionArgs, Output, OutputParser, SettingsArgs, SubjectArgs, UsageError,
};

/// `kubectl hpa simulate`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
pub struct SimulateArgs {
    /// Which HPAs.
    #[command(flatten)]
    pub subjects: SubjectArgs,
    /// Change cases from a file instead; or use an HPA manifest, stored or not. With --replicas, --usage and --request it needs
    /// no cluster. - is standard input. May be repeated
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["subject", "example"])]
    pub file: Vec<PathBuf>,
    /// Change a recorded case
    #[arg(long, value_name = "CASE", conflicts_with = "subject")]
    pub example: Option<String>,

    /// Try a range of values, for example target=40..90:5 or usage.cpu=50%..150%:10%; twice for a table
    /// of both
    #[arg(long, value_name = "KNOB=FROM..TO:STEP")]
    pub sweep: Vec<String>,

    /// Output format
    #[arg(short, long, value_parser = OutputParser::simulate(), default_value = "text", value_name = "FORM")]
    pub output: Output,
    /// When to use color
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorWhen,
    /// Use ASCII characters only
    #[arg(long)]
    pub ascii: bool,

    /// What is changed.
    #[command(flatten)]
    pub knobs: KnobArgs,
    /// What may be written: what is changed of the HPA.
    #[command(flatten)]
    pub apply: ApplyArgs,
    /// With --apply: write minReplicas and maxReplicas even if the decision is not known
    #[arg(long, requires = "apply", help_heading = "Writing (nothing is written without --apply)")]
    pub allow_unknown: bool,
    /// How to reach the cluster.
    #[command(flatten)]
    pub connection: ConnectionArgs,
    /// Settings of the controller.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

impl SimulateArgs {
    /// What the parser cannot say in one line.
    ///
    /// # Errors
    /// What is missing.
    pub fn check(&self) -> Result<(), UsageError> {
        if self.sweep.len() > 2 {
            return Err(UsageError::TooManySweeps(self.sweep.len()));
        }
        if self.settings.as_version.len() > 1 {
            return Err(UsageError::SimulatedVersions);
        }
        let is_patch = self.output == Output::Patch;
        if !self.sweep.is_empty() && (self.apply.apply || is_patch) {
            return Err(UsageError::SweepAndWrite);
        }
        if self.apply.apply && is_patch {
            return Err(UsageError::PatchAndApply);
        }
        if self.apply.apply && self.example.is_some() {
            return Err(UsageError::ApplyOfAnExample);
        }
        if self.apply.apply && self.subjects.is_query() {
            return Err(UsageError::ApplyNeedsNames);
        }
        if self.apply.apply && self.file.is_empty() && !self.knobs.is_of_hpa() {
            return Err(UsageError::NothingToApply);
        }
        if let Some(flag) = self.knobs.of_world().filter(|_| self.apply.apply) {
            return Err(UsageError::ApplyWithAChangedWorld(flag));
        }
        self.subjects.check()?;
        // Whether a file is a manifest, which is a change by itself, is known once it is read.
        if self.file.is_empty() && !self.has_change() {
            let flags = KnobArgs::flags();
            return Err(UsageError::NoChange(flags));
        }
        Ok(())
    }

    fn has_change(&self) -> bool {
        !self.knobs.is_empty() || !self.sweep.is_empty() || !self.settings.is_empty()
    }
}

/// What is changed, each as it was typed. They are made in the order of this list.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Changes, made in this order")]
pub struct KnobArgs {
    /// Take a metric out of the spec
    #[arg(long, value_name = "NAME")]
    pub remove_metric: Vec<String>,
    /// Add a metric: cpu=60, memory=500Mi, or an entry of spec.metrics in JSON
    #[arg(long, value_name = "METRIC")]
    pub add_metric: Vec<String>,
    /// Turn every Resource metric into a ContainerResource metric of this container
    #[arg(long, value_name = "CONTAINER")]
    pub container: Option<String>,
    /// Target of the one utilization, for example 80; or of a metric, for example cpu=80 or requests-per-second=500m
    #[arg(long, value_name = "[NAME=]TARGET", allow_negative_numbers = true)]
    pub target: Vec<String>,
    /// spec.minReplicas
    #[arg(long, value_name = "REPLICAS", allow_negative_numbers = true)]
    pub min: Option<String>,
    /// spec.maxReplicas
    #[arg(long, value_name = "REPLICAS", allow_negative_numbers = true)]
    pub max: Option<String>,
    /// spec.behavior.scaleUp: 'Percent=10/60s,Pods=4/60s,select=Min,window=300s,tolerance=0.05', or disabled
    #[arg(long, value_name = "RULES")]
    pub scale_up: Option<String>,
    /// spec.behavior.scaleDown, in the same form
    #[arg(long, value_name = "RULES")]
    pub scale_down: Option<String>,
    /// Replicas of the target, asked for and there; the pods stay as they are
    #[arg(long, value_name = "REPLICAS", allow_negative_numbers = true)]
    pub replicas: Option<String>,
    /// Pods: 'web-1=not-ready', '+3 pending', '-2'; states are ready, not-ready, starting, pending, no-sample,
    /// median-sample, failed, deleting, gone
    #[arg(long, value_name = "PODS", allow_hyphen_values = true)]
    pub pods: Vec<String>,
    /// Leave out pods that are not the target's own
    #[arg(long)]
    pub only_own_pods: bool,
    /// What every pod requests: cpu=500m, or CONTAINER/cpu=500m
    #[arg(long, value_name = "RESOURCE=QUANTITY")]
    pub request: Vec<String>,
    /// What every pod uses: cpu=90% of its request, cpu=150m, or the value of a Pods metric
    #[arg(long, value_name = "NAME=USAGE")]
    pub usage: Vec<String>,
    /// The value of an Object or External metric, for example queue=300
    #[arg(long, value_name = "NAME=VALUE")]
    pub metric: Vec<String>,
    /// All usage and all metrics at once, for example +50%, -20% or 2x; each value is rounded up to a milli-unit
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true)]
    pub load: Option<String>,
    /// As if the controller had just been restarted
    #[arg(long)]
    pub no_memory: bool,
}

impl KnobArgs {
    /// All flags that change something, as `--min, --max`.
    fn flags() -> String {
        let command = Self::augment_args(Command::new(""));
        let flags = command.get_arguments().filter_map(Arg::get_long).map(|flag| format!("--{flag}"));
        flags.collect::<Vec<_>>().join(", ")
    }

    fn is_empty(&self) -> bool {
        !self.is_of_hpa() && self.of_world().is_none()
    }

    /// Whether something of the HPA is changed.
    fn is_of_hpa(&self) -> bool {
        let lists = [&self.remove_metric, &self.add_metric, &self.target];
        let single = [&self.container, &self.min, &self.max, &self.scale_up, &self.scale_down];
        lists.iter().any(|list| !list.is_empty()) || single.iter().any(|value| value.is_some())
    }

    /// The first flag that changes something else than the HPA.
    fn of_world(&self) -> Option<&'static str> {
        let flags = [
            ("--replicas", self.replicas.is_some()),
            ("--pods", !self.pods.is_empty()),
            ("--only-own-pods", self.only_own_pods),
            ("--request", !self.request.is_empty()),
            ("--usage", !self.usage.is_empty()),
            ("--metric", !self.metric.is_empty()),
            ("--load", self.load.is_some()),
            ("--no-memory", self.no_memory),
        ];
        flags.into_iter().find(|(_, is_set)| *is_set).map(|(flag, _)| flag)
    }
}

const EXAMPLES: &str = "\
Examples:
  kubectl hpa simulate web -n shop --target 80
  kubectl hpa simulate web -n shop --load +50% --max 40
  kubectl hpa simulate web -n shop --max 40 --apply
  kubectl hpa simulate web -n shop --target 80 -o patch > patch.yaml
  kubectl hpa simulate -f hpa.yaml
  kubectl hpa simulate -f hpa.yaml --replicas 4 --usage cpu=90% --request cpu=500m
  kubectl hpa simulate -f case.yaml --scale-down 'Percent=10/60s,window=60s' -o json
  kubectl hpa simulate --example held-by-window --target 40
  kubectl hpa simulate --example held-by-window --sweep target=40..90:5";

//! `kubectl hpa simulate`.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Arg, Args, Command};

use super::connection::several;
use super::values::Worded;
use super::{
    ApplyArgs, ConnectionArgs, FutureArgs, Output, OutputParser, SettingsArgs, StyleArgs, SubjectArgs,
    UsageError,
};
use kubectl_hpa_core::whatif::{Axis, Change, Knob, MOST_POINTS};

/// `kubectl hpa simulate`.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, help_template = super::EXAMPLES_FIRST)]
#[command(mut_arg("context", |context| several(context).help(CONTEXT)))]
#[command(mut_arg("names", |names| names.help(NAMES)))]
#[command(mut_arg("as_version", |version| version.help(super::settings::ONE_VERSION)))]
#[command(mut_args(needing_over))]
pub struct SimulateArgs {
    /// Which HPAs.
    #[command(flatten)]
    pub subjects: SubjectArgs,
    /// Read cases, objects that kubectl has printed, or an HPA manifest from this file; - is standard input; may be repeated. A
    /// manifest needs a cluster, or objects that kubectl has printed, or --replicas, --usage and --request. With --all or -l
    /// there is one row for each case. Names, -n and -l choose some of them
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["all_namespaces", "example"])]
    pub file: Vec<PathBuf>,
    /// Simulate an example; without a name, all of them
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "", conflicts_with = "subject")]
    pub example: Option<String>,

    /// Try a range of values, for example target=40..90:5, usage.cpu=50%..150%:10% or, in the forms of --load, load=-50%..+100%:25%;
    /// twice for a table of both. With --over each value is simulated over time. The exit code is never 3
    #[arg(long, value_name = "KNOB=FROM..TO:STEP", value_parser = Worded(Axis::parse))]
    pub sweep: Vec<Axis>,

    /// Output format
    #[arg(short, long, value_parser = OutputParser::simulate(), default_value = "text", value_name = "FORMAT")]
    pub output: Output,
    /// How the text looks.
    #[command(flatten)]
    pub style: StyleArgs,

    /// What is changed.
    #[command(flatten)]
    pub knobs: KnobArgs,
    /// What is played.
    #[command(flatten)]
    pub future: FutureArgs,
    /// What may be written: what is changed of the HPA.
    #[command(flatten)]
    pub apply: ApplyArgs,
    /// With --apply: write minReplicas and maxReplicas even if the decision is unknown
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
    /// Whether many HPAs are answered in one table, a row each: all that match, or all examples. A sweep, a play and a patch
    /// are of one HPA each.
    #[must_use]
    pub fn is_of_fleet(&self) -> bool {
        let is_many = self.subjects.is_query() || self.example.as_deref() == Some("");
        is_many && self.sweep.is_empty() && self.future.over.is_none() && self.output != Output::Patch
    }

    /// Refuses combinations that the parser accepts.
    ///
    /// # Errors
    /// The missing flag or value.
    pub fn check(&self) -> Result<(), UsageError> {
        if self.sweep.len() > 2 {
            return Err(UsageError::TooManySweeps(self.sweep.len()));
        }
        let points = self.sweep.iter().map(|axis| axis.values.len()).product();
        if points > MOST_POINTS {
            return Err(UsageError::TooManyPoints(points));
        }
        if self.connection.is_several() && !(self.is_of_fleet() && self.file.is_empty()) {
            return Err(UsageError::SeveralContexts);
        }
        self.connection.check()?;
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
        if (self.apply.apply || is_patch) && !self.settings.as_version.is_empty() {
            return Err(UsageError::WrittenAsVersion(if is_patch { "-o patch" } else { "--apply" }));
        }
        if self.apply.apply && self.example.is_some() {
            return Err(UsageError::ApplyOfAnExample);
        }
        if self.apply.apply && self.subjects.is_query() {
            return Err(UsageError::ApplyNeedsNames);
        }
        let knobs: Vec<Knob> = self.knobs.changes().iter().map(Change::knob).collect();
        if self.apply.apply && self.file.is_empty() && !knobs.iter().any(|knob| knob.is_of_hpa()) {
            return Err(UsageError::NothingToApply);
        }
        if let Some(knob) = knobs.iter().find(|knob| self.apply.apply && !knob.is_of_hpa()) {
            return Err(UsageError::ApplyWithAChangedWorld(knob.flag()));
        }
        self.check_future()?;
        self.subjects.check()?;
        // A manifest is a change by itself, but whether a file is one is known only after reading it.
        let is_set = !self.settings.typed().is_empty() || self.settings.feature_gates.is_some();
        let is_played = self.future.over.is_some();
        if self.file.is_empty() && knobs.is_empty() && self.sweep.is_empty() && !is_set && !is_played {
            let flags = KnobArgs::flags();
            return Err(UsageError::NoChange(flags));
        }
        Ok(())
    }

    fn check_future(&self) -> Result<(), UsageError> {
        let is_played = self.future.over.is_some();
        let is_swept = !self.sweep.is_empty();
        if self.output == Output::Csv && !is_played && !is_swept && !self.is_of_fleet() {
            return Err(UsageError::FormNeedsOver("csv"));
        }
        let tables = [("--sweep", is_swept), ("-A, -l, --all or --example", self.is_of_fleet())];
        let is_wide = self.output == Output::Wide && !is_played;
        if let Some((flag, _)) = tables.into_iter().find(|(_, is_asked)| *is_asked && is_wide) {
            return Err(UsageError::WideShowsNoMore(flag));
        }
        let refused = [("--apply", self.apply.apply), ("-o patch", self.output == Output::Patch)];
        if let Some((flag, _)) = refused.into_iter().find(|(_, is_set)| *is_set && is_played) {
            return Err(UsageError::OverWith(flag));
        }
        if self.future.versus.is_some() && !self.sweep.is_empty() {
            return Err(UsageError::VersusAndSweep);
        }
        Ok(())
    }
}

/// What is changed, in the order in which it is.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Changes (made in this order)")]
pub struct KnobArgs {
    /// Remove a metric from the spec
    #[arg(long, value_name = "NAME", value_parser = knob(Knob::RemoveMetric))]
    pub remove_metric: Vec<Change>,
    /// Add a metric: cpu=60, memory=500Mi, or an entry of spec.metrics in JSON
    #[arg(long, value_name = "METRIC", value_parser = knob(Knob::AddMetric))]
    pub add_metric: Vec<Change>,
    /// Measure only this container: turn every Resource metric into a ContainerResource metric
    #[arg(long, value_name = "CONTAINER", value_parser = knob(Knob::Container))]
    pub container: Option<Change>,
    /// New target (of the only utilization metric), for example 80; or of a metric, for example cpu=80 or rps=500m
    #[arg(long, value_name = "[NAME=]TARGET", allow_negative_numbers = true, value_parser = knob(Knob::Target))]
    pub target: Vec<Change>,
    /// Set spec.minReplicas
    #[arg(long, value_name = "REPLICAS", allow_negative_numbers = true, value_parser = knob(Knob::Min))]
    pub min: Option<Change>,
    /// Set spec.maxReplicas
    #[arg(long, value_name = "REPLICAS", allow_negative_numbers = true, value_parser = knob(Knob::Max))]
    pub max: Option<Change>,
    /// Set spec.behavior.scaleUp: disabled, or for example Percent=10/60s,Pods=4/60s,select=Min,window=300s,tolerance=0.05
    #[arg(long, value_name = "RULES", value_parser = knob(Knob::ScaleUp))]
    pub scale_up: Option<Change>,
    /// Set spec.behavior.scaleDown, in the same form
    #[arg(long, value_name = "RULES", value_parser = knob(Knob::ScaleDown))]
    pub scale_down: Option<Change>,
    /// Set the replicas of the target, in its spec and status; the pods stay as they are
    #[arg(long, value_name = "REPLICAS", allow_negative_numbers = true, value_parser = knob(Knob::Replicas))]
    pub replicas: Option<Change>,
    /// Change pods: web-1=not-ready, '+3 pending' or -2; states are ready, not-ready, starting, pending, no-sample,
    /// median-sample, failed, deleting and gone
    #[arg(long, value_name = "PODS", allow_hyphen_values = true, value_parser = knob(Knob::Pods))]
    pub pods: Vec<Change>,
    /// Leave out pods that do not belong to the target
    #[arg(long)]
    pub only_own_pods: bool,
    /// Set what every pod requests: cpu=500m, or CONTAINER/cpu=500m
    #[arg(long, value_name = "RESOURCE=QUANTITY", value_parser = knob(Knob::Request))]
    pub request: Vec<Change>,
    /// Set what every pod uses: cpu=90% (of its request), cpu=150m, or the value of a Pods metric; of one pod: cpu@POD=150m
    #[arg(long, value_name = "NAME=USAGE", value_parser = knob(Knob::Usage))]
    pub usage: Vec<Change>,
    /// Set the value of an Object or External metric, for example queue=300 or 'queue{region=eu}=300'
    #[arg(long, value_name = "NAME=VALUE", value_parser = knob(Knob::Metric))]
    pub metric: Vec<Change>,
    /// All usage and all metrics at once, for example +50%, -20% or 2x; each value is rounded up to a milli-unit
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true, value_parser = knob(Knob::Load))]
    pub load: Option<Change>,
    /// Forget the controller's memory, as after a restart
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

    /// What is changed.
    #[must_use]
    pub fn changes(&self) -> Vec<Change> {
        let lists = [&self.remove_metric, &self.add_metric, &self.target];
        let lists = lists.into_iter().chain([&self.pods, &self.request, &self.usage, &self.metric]);
        let single = [&self.container, &self.min, &self.max, &self.scale_up, &self.scale_down];
        let single = single.into_iter().chain([&self.replicas, &self.load]);
        let switches = [(Knob::OnlyOwnPods, self.only_own_pods), (Knob::NoMemory, self.no_memory)];
        // A switch has no value that could be invalid.
        let on = switches.into_iter().filter(|(_, is_on)| *is_on);
        let on = on.filter_map(|(knob, _)| Change::new(knob, "").ok());
        let mut changes: Vec<Change> = lists.flatten().chain(single.flatten()).cloned().chain(on).collect();
        changes.sort_by_key(Change::knob);
        changes
    }
}

/// A change that can be meant of some case.
fn knob(knob: Knob) -> impl TypedValueParser<Value = Change> {
    Worded(move |text: &str| {
        let change = Change::new(knob, text)?;
        change.check().map(|()| change)
    })
}

/// How pods start matters only where they do.
fn needing_over(arg: Arg) -> Arg {
    let is_of_pods = ["start_delay", "ready_delay", "base_usage", "seed"].contains(&arg.get_id().as_str());
    if is_of_pods { arg.requires("over") } else { arg }
}

/// The help of the names.
const NAMES: &str = "The HPAs: NAME or hpa/NAME, or the TYPE/NAME of their targets, for example deploy/NAME; by default the \
                     only HPA of the namespace";

/// The help of `--context`.
const CONTEXT: &str =
    "Name of the kubeconfig context; with -A, -l or --all it may be repeated for several clusters";

const EXAMPLES: &str = "\
Examples:
  kubectl hpa simulate web -n shop --target 80
  kubectl hpa simulate web -n shop --load +50% --max 40
  kubectl hpa simulate web -n shop --max 40 --apply
  kubectl hpa simulate web -n shop --target 80 -o patch > patch.yaml
  kubectl hpa simulate -A --target 70
  kubectl hpa simulate -A -l team=checkout --max 40 -o csv
  kubectl hpa simulate -f hpa.yaml
  kubectl hpa simulate -f hpa.yaml --replicas 4 --usage cpu=90% --request cpu=1
  kubectl hpa simulate -f case.yaml --scale-down 'Percent=10/60s,window=60s'
  kubectl hpa simulate --example held-by-window --target 40
  kubectl hpa simulate --example held-by-window --sweep target=40..90:5
  kubectl hpa simulate web -n shop --over 1h --load-curve ramp:100%..300%/10m";

//! Why a change is refused, in words.

use thiserror::Error;

use super::milli::of_milli;
use super::pod_state::{MOST, POD_STATES};
use crate::model::{SelectorError, shell_word};

/// A change that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChangeError {
    /// The flag changes nothing.
    #[error("unknown change \"{0}\": expected a flag of simulate with its value, for example --load +50%")]
    UnknownFlag(String),
    /// What a flag is set to cannot be.
    #[error("{flag}{space}{typed}: {problem}", space = if .typed.is_empty() { "" } else { " " })]
    Refused {
        /// The flag.
        flag: &'static str,
        /// Its value as it was typed.
        typed: String,
        /// What is wrong with it.
        problem: Problem,
    },
}

/// What is wrong with the value of a flag. Names are listed as they are printed, with commas between them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    // What is typed is of another form.
    /// Not `NAME=VALUE`.
    #[error("expected NAME=VALUE")]
    NotAPair,
    /// Not the name of a metric.
    #[error("invalid name \"{0}\": expected for example queue, queue{{region=eu}} or rps@Service/web")]
    NotAMetricName(String),
    /// Not a count of replicas.
    #[error("invalid replicas \"{0}\": expected a whole number from 0 to 2147483647")]
    NotReplicas(String),
    /// Not a quantity.
    #[error("invalid quantity \"{0}\": expected for example 500m, 2 or 1.5Gi")]
    NotAQuantity(String),
    /// Not a percentage.
    #[error("invalid percentage \"{0}\": expected a whole number, for example 80")]
    NotAPercentage(String),
    /// Neither a percentage nor a quantity.
    #[error("invalid target \"{0}\": expected for example 80, 500m or 1.5Gi")]
    NotATarget(String),
    /// An entry of `spec.metrics` that cannot be read, with the reader's words.
    #[error("invalid metric: {0}; expected an entry of spec.metrics in JSON, or NAME=TARGET for a resource")]
    NotAMetric(String),
    /// Not a scaling rule.
    #[error(
        "invalid rule \"{0}\": expected Percent=N/PERIOD, Pods=N/PERIOD, select=Max|Min|Disabled, window=DURATION, \
         tolerance=FRACTION, or disabled alone"
    )]
    NotARule(String),
    /// Not the rate of a policy.
    #[error("invalid rate \"{0}\": expected a number and a period, for example 10/60s")]
    NotARate(String),
    /// Not a `selectPolicy`.
    #[error("invalid policy \"{0}\": expected Max, Min or Disabled")]
    NotAPolicy(String),
    /// Not a whole number of seconds.
    #[error("invalid period \"{0}\": expected whole seconds, for example 60s or 5m")]
    NotAPeriod(String),
    /// Not a change of pods.
    #[error("invalid change of pods \"{0}\": expected NAME=STATE, \"+N STATE\" or -N; {states}", states = states())]
    NotAPodChange(String),
    /// Not a number of pods that are added or removed.
    #[error("invalid number of pods \"{0}\": expected 1 to {MOST}")]
    NotAPodCount(String),
    /// Not a state of a pod.
    #[error("invalid pod state \"{0}\"; {states}", states = states())]
    NotAPodState(String),
    /// Pods are added as gone.
    #[error("a pod that is gone cannot be added")]
    AddsGone,
    /// Pods are added with the median of the others' samples.
    #[error("an added pod already has a sample, copied from another pod")]
    AddsMedianSample,
    /// Usage below zero.
    #[error("invalid usage: expected 0 to {}m", i64::MAX)]
    NegativeUsage,
    /// Not a change of load.
    #[error("invalid load change \"{0}\": expected +50%, -20% or 2x")]
    NotALoad(String),
    /// A load below 100% without a sign: it could be meant as more or as less. With the same load as a factor.
    #[error("{not_a_load}; did you mean +{0} or {1}x?", not_a_load = Self::NotALoad(.0.clone()))]
    LoadWithoutSign(String, String),

    // What is typed could be done and is hardly meant.
    /// A quantity beyond int64 milli-units.
    #[error("\"{0}\" overflows the controller's int64: at most 9223372036854775807 milli-units")]
    Uncountable(String),
    /// A metric in the short form, `NAME=VALUE`, of a resource other than cpu and memory.
    #[error(
        "only cpu and memory have a short form; expected an entry of spec.metrics in JSON, for example \
         '{{\"type\":\"External\",\"external\":{{\"metric\":{{\"name\":\"{0}\"}},\"target\":{{\"type\":\"AverageValue\",\
         \"averageValue\":\"{1}\"}}}}}}'"
    )]
    NoShortForm(String, String),
    /// A resource that is written in capitals, and the change with the right name.
    #[error("no resource is called {0}; did you mean {1}?")]
    ResourceInCapitals(String, String),
    /// A container in the place of a resource, and the quantity.
    #[error("{0} is a container; name its resource, for example {0}/cpu={1}")]
    ContainerForResource(String, String),
    /// A resource that nothing requests, and the quantity.
    #[error("no resource is called {0}; expected for example cpu={1}")]
    NoSuchResource(String, String),
    /// Usage far above what is used now: its unit was forgotten.
    #[error(
        "{typed} without a unit is {typed}{unit}, but no pod uses more than {most} now; for example {name}={typed}% \
         of the request, {name}={typed}{small}, or {name}={milli}m if you mean {typed}{unit}",
        unit = units(.name).0, small = units(.name).1, most = of_milli(*.most)
    )]
    NoUnit {
        /// The resource.
        name: String,
        /// The amount as it was typed.
        typed: String,
        /// The amount in milli-units.
        milli: i64,
        /// What the pod uses that uses most, in milli-units.
        most: i64,
    },

    // The case does not have what is to be changed.
    /// The scale of the target is not known.
    #[error("the scale of the target could not be read")]
    NoScale,
    /// The target's selector is invalid, or a typed one.
    #[error(transparent)]
    Selector(#[from] SelectorError),
    /// The pods are not known.
    #[error("the pods could not be read")]
    NoPods,
    /// The samples of a Pods metric are not known.
    #[error("the metric could not be read")]
    NoSamples,
    /// No pod of the name, and the names that there are.
    #[error("the target selects no pod \"{0}\"; its pods are {1}")]
    NoSuchPod(String, String),
    /// Pods are added, and there is none to copy.
    #[error("there is no pod to copy")]
    NoPodToCopy,
    /// More pods are removed than there are.
    #[error("the target selects only {0} pods")]
    TooFewPods(usize),
    /// The pods of a target of this kind have owners of which nothing is known.
    #[error("the pods' owners do not show which pods belong to the {0}")]
    OwnersUnknown(String),
    /// A request is to be changed, and no pod is there that could have it.
    #[error("the target has no pod, so no request of a container is known")]
    NoPodKnown,
    /// A metric is to be of a container that no pod has; the containers that there are.
    #[error("no pod has this container; the pods have {0}")]
    NoPodHasContainer(String),
    /// No container of the name, and the names that there are.
    #[error("no container is called {0:?}; the pods have {1}")]
    NoSuchContainer(String, String),
    /// A request, `NAME=VALUE`, of pods with several containers, and their names.
    #[error("name the container: CONTAINER/{0}; the pods have {1}")]
    WhichContainer(String, String),
    /// Usage as a percentage of a request that a container does not have.
    #[error("container {container} of pod {pod} has no {resource} request")]
    NoRequest {
        /// The container.
        container: Box<str>,
        /// Its pod.
        pod: Box<str>,
        /// The resource.
        resource: Box<str>,
    },
    /// Usage of a metric that has no samples.
    #[error("no pod has a sample of {0}, so there is no usage to change")]
    NoSampleOfMetric(String),
    /// Usage of pods that have no sample: of the metric, and the pods as they are typed.
    #[error("no pod {1:?} has a sample of {0}; --pods {pods} gives it one", pods = shell_word(&format!("{}=ready", .1)))]
    NoSampleOfPods(String, String),
    /// Usage of what is no metric, and the metrics that there are.
    #[error("no pod has a sample of {0:?}; the spec has {1}")]
    NoSampleOf(String, String),
    /// No Object or External metric of the name, and the metrics that there are.
    #[error("no Object or External metric is called {0:?}; the spec has {1}")]
    NoSuchValue(String, String),
    /// Another flag sets the values of the metric: its name, its type, and that flag as it is typed.
    #[error("{0} is {article} {1} metric; use {2}", article = article(.1))]
    OtherFlag(Box<str>, Box<str>, Box<str>),
    /// No metric of the name, and the metrics that there are.
    #[error("no metric is called {0:?}; the spec has {1}")]
    NoSuchMetric(String, String),
    /// Several metrics of the name, and the metrics that there are.
    #[error("several metrics are called {0:?}; the spec has {1}")]
    SeveralMetrics(String, String),
    /// The only metric is removed.
    #[error("it is the only metric; the API server would replace it by cpu at 80%")]
    OnlyMetric,
    /// A metric is added that is there.
    #[error("the spec already has such a metric; --target changes its target")]
    MetricExists,
    /// No metric can become one of a container; the metrics that there are.
    #[error("there is no Resource metric to convert; the spec has {0}")]
    NoResourceMetric(String),
    /// A metric whose source is missing has no target.
    #[error("the metric has no target")]
    NoTarget,
    /// A target without a name, and several metrics have a utilization.
    #[error("several metrics have a utilization; use NAME=VALUE with one of {0}")]
    SeveralUtilizations(String),
    /// A target without a name, and no metric has a utilization; the metrics that there are.
    #[error("no metric has a utilization; use NAME=VALUE with one of {0}")]
    NoUtilization(String),
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['E', 'O']) { "an" } else { "a" }
}

fn states() -> String {
    let [others @ .., last] = POD_STATES;
    format!("STATE is {} or {last}", others.join(", "))
}

/// What an amount of a resource is without a unit, and the unit that is more likely.
fn units(resource: &str) -> (&'static str, &'static str) {
    match resource {
        "cpu" => (" cores", "m"),
        "memory" => (" bytes", "Mi"),
        _ => ("", "m"),
    }
}

//! The differences between versions of the controller, in one table; nothing else looks at a version.

#[macro_use]
mod rule;

mod gates;
mod older;
mod release;
mod rows;
#[cfg(test)]
mod tests;
mod version;
mod words;

pub use rule::Rule;
pub use version::versions;
pub use words::{AmbiguousText, GapWords, NoSampleWords, ObjectErrorOrder, Wrapping};

use crate::model::{SelectorWords, ToleranceTest};

rules! {
    /// What wakes a target at 0 replicas (1.36, `shouldComputeMetricsForZeroReplicas`, PR 135118).
    from_zero: FromZero,
    /// How a ratio is compared with the tolerance (1.33, `Tolerances.isWithin`, PR 130797).
    tolerance_test: ToleranceTest,
    /// What becomes of a ContainerResource metric when a sample lacks the container (1.33, `getContainerMetrics`,
    /// PR 127193).
    unmeasured_container: UnmeasuredContainer,
    /// What a pod requests that lacks the container of a ContainerResource metric (1.35,
    /// `calculatePodRequestsFromContainers`, PR 133415).
    absent_container: AbsentContainer,
    /// Whether the requests of restartable init containers count (1.29, `calculatePodRequests`, PR 120001).
    sidecar_requests: bool,
    /// Whether a replica count from a Value target and the sum of External values for it end at the largest integer
    /// (1.35, `getUsageRatioReplicaCount` and `GetExternalMetricReplicas`, PR 126979), or wrap.
    total_capped: bool,
    /// Whether a sum of External values for an AverageValue target that goes below zero counts as an overflow, and the
    /// count is capped at the largest integer (1.34, `GetExternalPerPodMetricReplicas`).
    average_capped: bool,
    /// Whether missing pods count as 0 at a ratio of exactly 1, if their metric is a value (until 1.28,
    /// `calcPlainMetricReplicas`, PR 117845).
    fills_values_at_target: bool,
    /// What missing pods count as when scaling down, for a utilization (1.26, `GetResourceReplicas`, PR 112178).
    missing_share: MissingShare,
    /// Which scale events the rates look at (1.26, `calculateScaleUpLimitWithScalingRules` and
    /// `calculateScaleDownLimitWithBehaviors`, PR 109058).
    rate_events: RateEvents,
    /// How many times the current replicas a scale up may reach without `spec.behavior`: twice in every release
    /// (`scaleUpLimitFactor`, which upstream's own tests set to 8). `None`: any number, as in no release.
    scale_up_factor: Option<u32>,
    /// Whether requests are read before it is known that a sample is left (until 1.26, `GetResourceReplicas`).
    requests_first: bool,
    /// Whether an Object target without the value that its type names fails (1.29.0, 1.28.3, 1.27.7 and 1.26.10,
    /// `computeStatusForObjectMetric`, PR 121015). Without this the controller reads a nil pointer and ends.
    checks_object_target: bool,
    /// Whether HPAs that select the same pods stop each other. Since 1.26 they do: AmbiguousSelector, before any metric is
    /// read. 1.37 only words the message anew (1.26, `validateAndParseSelector`, PR 112011; 1.37, PR 139142).
    ambiguous: Option<AmbiguousText>,
    /// How an Object metric's error names its object (1.37, `GetObjectMetricReplicas`).
    object_error: ObjectErrorOrder,
    /// How the error of a metric's selector is worded (1.26, apimachinery's `LabelSelectorAsSelector`; 1.34, its
    /// `field.Error.ErrorBody`).
    selector_words: SelectorWords,
    /// Whether messages go through Go's formatting a second time, which turns each verb into `%!x(MISSING)` (until
    /// 1.32.0, 1.31.6, 1.30.10 and 1.29.14, `setCondition` and `validateAndParseSelector`).
    formats_twice: bool,
    /// Whether the error of an invalid metric is returned by a reconcile that goes on without it (1.27,
    /// `computeReplicasForMetrics`).
    returns_partial_error: bool,
    /// Whether a reconcile that fails clears or renews `status.currentMetrics` (1.29,
    /// `setCurrentReplicasAndMetricsInStatus`, PR 121039), or leaves them as they were.
    renews_metrics_on_failure: bool,
    /// Whether the status names the object of an AverageValue target (1.33, `computeStatusForObjectMetric`,
    /// PR 124555).
    names_average_object: bool,
    /// Whether the status gives memory in powers of two (1.34, `buildQuantity`, PR 132351).
    binary_memory: bool,
    /// Whether ContainerResource utilization calls itself so (1.27, `computeStatusForResourceMetricGeneric`,
    /// PR 116046).
    names_container_metric: bool,
    /// Whether the error of an average value speaks of usage (1.26, `computeStatusForResourceMetricGeneric`), or of
    /// utilization.
    speaks_of_usage: bool,
    /// Which errors of metrics are wrapped once more (1.25, `computeReplicasForMetric`).
    wrapping: Wrapping,
    /// What is said when no sample is left (1.27, `GetResourceReplicas`, PR 114740).
    no_sample_words: NoSampleWords,
    /// What is said of a missing request (1.26, `calculatePodRequests`).
    gap_words: GapWords,
    /// Whether the API server stores HPAs in autoscaling/v1, so that a utilization of cpu comes last of the metrics (until
    /// 1.27, `install.Install` of the API group).
    stored_in_v1: bool,
    /// Whether the event recorder counts Normal and Warning events about an object apart before it drops some (1.32,
    /// client-go's `getSpamKey`).
    drops_types_apart: bool,
    /// Gate `HPAScaleToZero`: alpha and off since 1.16, beta and on since 1.37 (PR 139648). The controller asks
    /// for it since 1.36.
    scale_to_zero: bool,
    /// Gate `HPAConfigurableTolerance`: alpha and off since 1.33, beta and on since 1.35 (PR 133128), locked on since
    /// 1.37 (PR 140107).
    configurable_tolerance: bool,
    /// Gate `PodLevelResources`: beta and on since 1.34, before which the controller does not ask for it (PR 132430).
    pod_level_resources: bool,
    /// Gate `HPAContainerMetrics`: on since 1.27, where the controller began to ask for it (PR 116043), locked since
    /// 1.30 (PR 123482).
    container_metrics: bool,
    /// Gate `HPAOptimizedSelectorStore` (since 1.37, on, PR 139142): the search for other HPAs ends at the second one.
    ambiguous_limit: bool,
    /// Gate `HPAGeneration` (since 1.37, on, PR 138228): the status keeps `observedGeneration`.
    observed_generation: bool,
}

/// What wakes a target at 0 replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FromZero {
    /// `minReplicas: 0`, whoever scaled the target down.
    MinReplicas,
    /// The ScaledToZero condition.
    Condition,
}

/// What becomes of a ContainerResource metric when a sample lacks the container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnmeasuredContainer {
    /// The whole metric fails.
    FailsMetric,
    /// The pod is missing.
    MissingPod,
}

/// What a pod requests that lacks the container of a ContainerResource metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbsentContainer {
    /// Nothing.
    Zero,
    /// The whole metric fails.
    FailsMetric,
}

/// What missing pods count as when scaling down, for a utilization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingShare {
    /// Their request.
    Request,
    /// Their request, or as much more as the target is above 100 percent.
    RequestOrTarget,
}

/// Which scale events the rates look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateEvents {
    /// Those of the direction of travel.
    OwnDirection,
    /// Those of both directions.
    Both,
}

/// A version for which there are no rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The text is not a version.
    #[error("`{0}` is not a Kubernetes version; expected one like v{NEWEST}.1")]
    NotAVersion(Box<str>),
    /// Older than the oldest row.
    #[error("Kubernetes {0} is older than {OLDEST}, the oldest controller whose rules are known; {otherwise}", otherwise = older::otherwise(.0))]
    TooOld(Box<str>),
    /// The controller would refuse to start with it.
    #[error("feature gate {gate} cannot be set to {value}: it is locked since Kubernetes {row}")]
    Locked {
        /// The gate.
        gate: &'static str,
        /// What was asked.
        value: bool,
        /// Since when.
        row: &'static str,
    },
}

/// The oldest version with rules.
pub const OLDEST: &str = "1.23";
/// The newest row; newer versions use it.
pub const NEWEST: &str = "1.37";

/// The feature gates that have a bearing on a decision or on its status.
pub const GATES: [&str; 8] = [
    "HPAScaleToZero",
    "HPAConfigurableTolerance",
    "PodLevelResources",
    "HPAContainerMetrics",
    "HPAOptimizedSelectorStore",
    "HPAGeneration",
    "AllAlpha",
    "AllBeta",
];

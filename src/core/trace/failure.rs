//! Why a metric gave no proposal.

use crate::snapshot::ReadError;

/// Why a metric gave no proposal. `status` has the controller's words for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The metrics API answered with an error.
    Api {
        /// Which API.
        api: MetricsApi,
        /// Its error.
        error: ReadError,
    },
    /// The metrics API answered with an empty list.
    NoSamples(MetricsApi),
    /// An object's metric must have exactly one value; it had this many.
    NotOneValue(usize),
    /// The selector matches no pod.
    NoPods,
    /// Like [`Self::NoPods`], while counting ready pods for a Value target.
    NoPodsToCount,
    /// The controller's list of pods failed (checked here up to 1.25).
    PodsUnlisted(ReadError),
    /// Like [`Self::PodsUnlisted`], while counting ready pods for a Value target.
    PodsUncounted(ReadError),
    /// The first sample that lacks the container: the pod of this name (up to 1.32).
    UnmeasuredContainer(Box<str>),
    /// ContainerResource metrics are switched off (gate `HPAContainerMetrics`, 1.27 to 1.29).
    SwitchedOff,
    /// The target lacks the value that its type names, and the controller crashes on it (up to 1.25, and in the first
    /// patches of 1.26, 1.27 and 1.28).
    Crash,
    /// No sample is left without those of unready and ignored pods.
    NoUsableSamples,
    /// Pods lack the request that a utilization needs; the controller names one of them.
    RequestGaps(Vec<RequestGap>),
    /// The requests of all pods with samples add up to zero, in either pass.
    NoKnownPods,
    /// The target sets none of the fields that this source needs.
    NoTarget,
    /// `metric.selector` is invalid; upstream's error.
    MetricSelector(Box<str>),
}

impl Failure {
    /// The answer of the API, if it is that.
    #[must_use]
    pub const fn error(&self) -> Option<&ReadError> {
        match self {
            Self::Api { error, .. } | Self::PodsUnlisted(error) | Self::PodsUncounted(error) => Some(error),
            Self::RequestGaps(_)
            | Self::NoSamples(_)
            | Self::NotOneValue(_)
            | Self::NoPods
            | Self::NoPodsToCount
            | Self::UnmeasuredContainer(_)
            | Self::SwitchedOff
            | Self::Crash
            | Self::NoUsableSamples
            | Self::NoKnownPods
            | Self::NoTarget
            | Self::MetricSelector(_) => None,
        }
    }
}

/// One of the three metrics APIs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricsApi {
    /// metrics.k8s.io.
    Resource,
    /// custom.metrics.k8s.io.
    Custom,
    /// external.metrics.k8s.io.
    External,
}

/// A pod without the request that a utilization needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestGap {
    /// The pod's place in the snapshot.
    pub pod: usize,
    /// What is missing.
    pub kind: RequestGapKind,
}

/// What is missing in a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestGapKind {
    /// A container has no request; its place in the pod.
    Container(usize),
    /// The pod has pod-level requests, but not for this resource.
    PodLevel,
    /// The pod has no container of the metric's name.
    NoSuchContainer,
}

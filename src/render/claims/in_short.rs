//! Why an HPA is in its state, in at most six words, as data: a row of the list.

use serde::Serialize;

use super::{At, Stuck, Unscheduled, Way};
use crate::render::units::{clock, count, lacking};
use kubectl_hpa_core::model::Instant;

/// Why an HPA is in its state.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum InShort {
    // What only the controller meets.
    /// `--controllers` leaves the HPA controller out.
    LeftOut,
    /// No controller is at work.
    NotAtWork,
    /// More than one is, and they may decide differently.
    SeveralControllers,
    /// It lacks a right.
    LacksRight { verb: String, resource: String },
    /// Its last update was refused.
    UpdateRefused,
    /// Its last sync could not read the scale.
    LastSyncWithoutScale,
    /// Its last sync got no value of a metric.
    LastSyncWithoutValue,
    /// Its last sync failed.
    LastSyncFailed,

    // What stops it.
    /// The kind of the target has no scale.
    CannotScale { kind: String },
    /// `spec.scaleTargetRef.apiVersion` cannot be parsed.
    InvalidApiVersion,
    /// The API serves no such kind.
    UnknownKind,
    /// The target does not exist.
    NoTarget,
    /// The read of its scale failed.
    ScaleFailed { status: Option<String> },
    /// The write of its scale fails; `may`: it is not known whether one is needed.
    WriteFails { status: String, may: bool },
    /// The scale has no selector.
    NoSelector,
    /// It cannot be parsed.
    InvalidSelector,
    /// Other HPAs match the same pods.
    AmbiguousSelector,
    /// The controller cannot list pods.
    PodsUnlisted,
    /// No pod of `pods` runs; with the reasons that are the same for all that wait.
    NoPodRuns { pods: usize, unscheduled: bool, reasons: Vec<String> },
    /// A metrics API failed.
    MetricsApi { status: String },
    /// It returned an empty list.
    NothingReturned,
    /// It returned several values.
    NotOneValue { values: usize },
    /// No pod matches.
    NoPods,
    /// A sample lacks the container.
    SampleWithoutContainer,
    /// The gate `HPAContainerMetrics` is off.
    ContainerMetricsOff,
    /// The controller crashes.
    Crash,
    /// No sample counts.
    NoSampleCounts,
    /// Pods without the container.
    WithoutContainer { pods: usize, container: String },
    /// Pods without a request.
    WithoutRequest { pods: usize, resource: String },
    /// The requests add up to 0.
    RequestsZero,
    /// The target has no value.
    NoTargetValue,
    /// The selector of the metric cannot be parsed.
    InvalidMetricSelector,

    // Pods that hold or move the replicas.
    /// Pods for which a usage is assumed have no node.
    Unscheduled(Unscheduled),
    /// They do not run.
    Stuck(Stuck),
    /// Pods without a sample of a metric.
    Missing { pods: usize, metric: String },
    /// Unready pods; `counted` as 0, else left out.
    Unready { pods: usize, counted: bool },
    /// Other pods than the replicas count.
    Counts { pods: usize, replicas: i32 },
    /// Pods of others match.
    OfOthers { pods: usize },
    /// Samples of pods that do not match.
    ForeignSamples { samples: usize },
    /// `status.replicas` is another number.
    StatusReplicas,

    // What is wanted, and what keeps the replicas from it.
    /// The wish of the metrics.
    Wanted { wanted: i32, kept_by: Option<Keeps> },
    /// Something may keep replicas that are not within the bounds.
    Kept { by: Keeps },
    /// More than maxReplicas.
    AboveMax,
    /// Fewer than minReplicas.
    BelowMin,
    /// At maxReplicas, with nothing that wants more.
    NoRoom,
    /// The metric that decides is above its target.
    AboveTarget,
    /// It is below.
    BelowTarget,
    /// It is within the tolerance; `missing`: pods without a sample do not take it out.
    WithinTolerance { missing: bool },
    /// It is on its target.
    OnTarget,
    /// As many replicas as are wanted.
    AsWanted,

    // Zero.
    /// No replica is wanted.
    NoneWanted,
    /// KEDA's zero.
    ZeroOfKeda,
    /// The HPA's, with its gate off.
    ZeroWithGateOff,
    /// Any other.
    Zero,

    // What is not known.
    /// The last sync found no such kind.
    KindNotFound,
    /// It was not given.
    NotGiven { status: String },
    /// It was not read.
    NotRead { status: Option<String> },
    /// The last status, by the reason of its condition.
    ByStatus { reason: Option<String>, failed: bool },
}

/// A brake between the wanted and the decided replicas.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(in crate::render) enum Keeps {
    /// Only the controller meets it.
    Controller(Box<InShort>),
    /// Another HPA that selects the same pods; `earlier`: perhaps by a selector that it had.
    Rival { hpa: String, earlier: bool },
    /// The controller may not be at work.
    Doubt,
    /// A memory that is not known.
    Memory,
    /// From the HPA's own zero.
    Floor,
    /// selectPolicy Disabled.
    Disabled { direction: Way },
    /// A window, until then if that is known.
    Window { until: Option<At> },
    /// A rate, until then if that is known.
    Rate { until: Option<At> },
    /// minReplicas.
    Min,
}

impl InShort {
    /// For people.
    pub fn text(&self, now: Instant) -> String {
        let words = match self {
            Self::LeftOut => "switched off by --controllers",
            Self::NotAtWork => "no controller is at work",
            Self::SeveralControllers => "several controllers decide",
            Self::LacksRight { verb, resource } => return format!("no right to {verb} {resource}"),
            Self::UpdateRefused => "its last update was refused",
            Self::LastSyncWithoutScale => "its last sync could not read",
            Self::LastSyncWithoutValue => "its last sync got no value",
            Self::LastSyncFailed => "its last sync failed",

            Self::CannotScale { kind } => return format!("{kind} has no scale subresource"),
            Self::InvalidApiVersion => "scaleTargetRef.apiVersion is invalid",
            Self::UnknownKind => "the target's kind is unknown",
            Self::NoTarget => "the target does not exist",
            Self::ScaleFailed { status: Some(status) } => return format!("scale of target: {status}"),
            Self::ScaleFailed { status: None } => "the scale cannot be read",
            Self::WriteFails { status, may: false } => return format!("write failed: {status}"),
            Self::WriteFails { status, may: true } => return format!("a write would fail: {status}"),
            Self::NoSelector => "the scale has no selector",
            Self::InvalidSelector => "the selector is invalid",
            Self::AmbiguousSelector => "another HPA selects the same pods",
            Self::PodsUnlisted => "the controller cannot list pods",
            Self::NoPodRuns { pods: 0, .. } => "no pod exists",
            Self::NoPodRuns { pods: 1, unscheduled: true, .. } => "the only pod has no node",
            Self::NoPodRuns { unscheduled: true, .. } => "no pod has a node",
            Self::NoPodRuns { pods, reasons, .. } => return none_runs(*pods, reasons),
            Self::MetricsApi { status } => return format!("metrics API: {status}"),
            Self::NothingReturned => "the metrics API returned nothing",
            Self::NotOneValue { values } => return format!("{}, one expected", count(*values, "value")),
            Self::NoPods => "no pods match",
            Self::SampleWithoutContainer => "a sample lacks the container",
            Self::ContainerMetricsOff => "gate HPAContainerMetrics is off",
            Self::Crash => "kube-controller-manager crashes on it",
            Self::NoSampleCounts => "no sample counts",
            Self::WithoutContainer { pods, container } => {
                return lacking(*pods, &format!("container {container}"));
            }
            Self::WithoutRequest { pods, resource } => return lacking(*pods, &format!("{resource} request")),
            Self::RequestsZero => "requests add up to 0",
            Self::NoTargetValue => "the target has no usable value",
            Self::InvalidMetricSelector => "the metric's selector is invalid",

            Self::Unscheduled(pods) => return pods.words().map_or_else(String::new, |(_, say)| say),
            Self::Stuck(stuck) => return stuck.text(),
            Self::Missing { pods, metric } => return lacking(*pods, &format!("{metric} sample")),
            Self::Unready { pods, counted } => {
                let verb = match (*pods, *counted) {
                    (1, true) => "counts as 0",
                    (_, true) => "count as 0",
                    (1, false) => "is left out",
                    (_, false) => "are left out",
                };
                return format!("{} {verb}", count(*pods, "unready pod"));
            }
            Self::Counts { pods, replicas } => {
                return format!("{} for {replicas} replicas", count(*pods, "pod"));
            }
            Self::OfOthers { pods } => return format!("{} of others", count(*pods, "pod")),
            Self::ForeignSamples { samples } => {
                return format!("{} of no selected pod", count(*samples, "sample"));
            }
            Self::StatusReplicas => "status.replicas differs",

            Self::Wanted { wanted, kept_by: Some(keeps) } => {
                return format!("{wanted} wanted; {}", keeps.text(now));
            }
            Self::Wanted { wanted, kept_by: None } => return format!("{wanted} wanted"),
            Self::Kept { by } => return by.text(now),
            Self::AboveMax => "above maxReplicas",
            Self::BelowMin => "below minReplicas",
            Self::NoRoom => "no room to scale up",
            Self::AboveTarget => "above target",
            Self::BelowTarget => "below target",
            Self::WithinTolerance { missing: true } => "within tolerance; pods without sample",
            Self::WithinTolerance { missing: false } => "within the tolerance",
            Self::OnTarget => "on target",
            Self::AsWanted => "as many as wanted",

            Self::NoneWanted => "no replica wanted",
            Self::ZeroOfKeda => "at 0 KEDA decides",
            Self::ZeroWithGateOff => "at 0; gate HPAScaleToZero is off",
            Self::Zero => "target is at 0 replicas",

            Self::KindNotFound => "kind not found yet",
            Self::NotGiven { status } => return status.clone(),
            Self::NotRead { status: Some(status) } => return format!("not read: {status}"),
            Self::NotRead { status: None } => "not read",
            Self::ByStatus { reason: Some(reason), .. } => return format!("by status: {reason}"),
            Self::ByStatus { reason: None, failed: true } => "by status: a metric failed",
            Self::ByStatus { reason: None, failed: false } => "by status",
        };
        words.to_owned()
    }
}

fn none_runs(pods: usize, reasons: &[String]) -> String {
    let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("/")) };
    match pods {
        1 => format!("the only pod does not run{reasons}"),
        pods => format!("none of {pods} pods runs{reasons}"),
    }
}

impl Keeps {
    fn text(&self, now: Instant) -> String {
        match self {
            Self::Controller(why) => why.text(now),
            Self::Rival { hpa, earlier: false } => format!("HPA {hpa} selects the same pods"),
            Self::Rival { hpa, earlier: true } => format!("HPA {hpa} may have selected them"),
            Self::Doubt => "it may not be at work".to_owned(),
            Self::Memory => "memory not known".to_owned(),
            Self::Floor => "straight to minReplicas".to_owned(),
            Self::Disabled { direction } => format!("{direction} is disabled"),
            Self::Window { until: Some(until) } => format!("window until {}", clock(now, until.0)),
            Self::Window { until: None } => "held by window".to_owned(),
            Self::Rate { until: Some(until) } => format!("rate until {}", clock(now, until.0)),
            Self::Rate { until: None } => "rate limit".to_owned(),
            Self::Min => "minReplicas".to_owned(),
        }
    }
}

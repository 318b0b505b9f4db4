//! What a screen claims, as data: each sentence of Why is one [`Claim`], its words are made from nothing else
//! (`words.rs`), and `-o json` gives it with its values. `tests/claims.md` says of each code what must hold over the API
//! objects and the controller's numbers.

mod advice;
mod advice_words;
mod answer;
mod answer_words;
mod basis;
mod in_short;
mod note;
mod outlook;
mod reading;
mod rescale;
mod self_check;
mod values;
mod words;

pub(in crate::render) use advice::{AdviceClaim, Advised, Asked, Outcome, Selects, Setter, Share, When};
pub(in crate::render) use answer::{Answer, Because, Following, Seen, Stuck, Then, Turns, Unscheduled};
pub(in crate::render) use basis::{Basis, Count, Events, SetBy, Stated};
pub(in crate::render) use in_short::{InShort, Keeps};
pub(in crate::render) use note::{Note, ProposalNote};
pub(in crate::render) use outlook::{Bound, Event, Holds, Leads, Load, OutlookClaim};
pub(in crate::render) use reading::{
    Assumed, Conclusion, FillEnd, Filled, Lead, Reading, Tendency, Tolerance,
};
pub(in crate::render) use rescale::RescaleClaim;
pub(in crate::render) use self_check::{Check, CheckCode, Guessed, ages};
pub(in crate::render) use values::{Amount, At, Ratio, Span, Way};
pub(in crate::render) use words::unready_as_zero;

use serde::Serialize;

use kubectl_hpa_core::model::Policy;
use kubectl_hpa_core::trace::{Direction, PolicyTrace};

/// One sentence.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum Claim {
    // The target.
    /// `spec.scaleTargetRef.apiVersion` cannot be parsed.
    TargetApiVersionInvalid { error: String },
    /// The API serves no such kind.
    TargetKindUnknown { target: String, error: String },
    /// The kind has no scale.
    TargetCannotScale { target: String, kind: String },
    /// The controller could not read the scale.
    ScaleUnreadable { target: String, error: String, absent: bool },
    /// What follows from a scale that cannot be read.
    NothingWithoutScale,

    // What only the reader could not read.
    /// A scale that can be read, of a kind that the controller's last sync did not find.
    KindNotFound { target: String },
    /// The reader could not read it.
    NotReadHere { what: String, error: String },
    /// Nobody gave it; the command prints it.
    NotGiven { what: String, command: String },
    /// There is only the text of `kubectl describe`; the command prints more.
    OnlyDescribed { command: String },
    /// There is only the table of `kubectl top pods`; the command prints samples.
    OnlyRounded { command: String },
    /// So the decision is not recomputed.
    NotRecomputed,

    // Zero.
    /// KEDA keeps the target at zero.
    ZeroOfKeda { min_replicas: i32, scaled_object: String },
    /// The HPA waits for KEDA.
    WaitsForKeda,
    /// The HPA's gate is off, so no zero is its own.
    ZeroWithGateOff,
    /// The HPA waits for somebody.
    WaitsForReplica,
    /// Zero of an HPA whose metrics all need pods.
    ZeroWithoutMetric,
    /// Zero while minReplicas is more.
    ZeroBelowMin { min_replicas: i32 },
    /// The condition ScaledToZero, which does not claim the zero.
    ZeroNotOwn { condition: Option<String> },
    /// Such a zero is a pause.
    ZeroIsPause,
    /// A last zero: with the gate off it is a pause.
    ZeroIsLast,
    /// From its own zero.
    ZeroToMin { min_replicas: i32 },

    // The selector.
    /// The scale has no selector.
    SelectorMissing { target: String },
    /// Who has to write it.
    SelectorIsWrittenByOwner,
    /// It cannot be parsed.
    SelectorInvalid { target: String, error: String },
    /// Other HPAs claim the pods.
    SelectorAmbiguous { selector: String, hpas: Vec<String> },
    /// What follows.
    AmbiguousRunsNone { hpa: Option<String>, replicas: Option<i32> },
    /// The controller could not list pods.
    PodsUnlisted { error: String },

    // Metrics that give nothing.
    /// An API answered with an error.
    MetricApiError {
        metrics: Vec<String>,
        status: String,
        api: &'static str,
        message: Option<String>,
        path: Option<String>,
    },
    /// An API had nothing, because no pod runs.
    NothingToMeasure { metric: String, selector: String, pods: PodStates },
    /// An API had nothing of these pods.
    NoSamples { metric: String, api: &'static str, selector: Option<String> },
    /// Several values, or none, of an Object metric.
    NotOneValue { metric: String, values: usize },
    /// The selector matches no pod.
    NoPods { metric: String, selector: String },
    /// No ready pod to multiply by.
    NoPodsToCount { metric: String, selector: String },
    /// The controller could not list pods for a metric.
    PodsUnlistedFor { metric: String, error: String },
    /// A sample without the container.
    SampleWithoutContainer { metric: String, pod: String },
    /// No pod has the container.
    ContainerMissing { container: String, containers: Vec<String> },
    /// The gate of container metrics is off.
    ContainerMetricsOff { metric: String },
    /// The controller crashes on it.
    ControllerCrash { metric: String },
    /// It goes on crashing.
    CrashGoesOn,
    /// No pod has a sample that counts.
    NoUsableSamples { metric: String, missing: usize, unready: usize, ignored: usize },
    /// Which requests a utilization needs.
    RequestsNeeded { resource: String, container: Option<String>, selector: String },
    /// Requests that a utilization needs, and where they are missing.
    RequestsMissing {
        resource: String,
        container: Option<String>,
        selector: String,
        containers: Vec<PodsWithout>,
        pod_level: usize,
        no_container: usize,
    },
    /// Requests of nothing.
    RequestsAddUpToZero { metric: String },
    /// A target without a value for the source.
    TargetWithoutValue { metric: String, target_type: &'static str },
    /// A metric's selector.
    MetricSelectorInvalid { metric: String, error: String },
    /// The only metric gives nothing.
    OnlyMetric,
    /// None of them gives anything.
    NoMetricWorks { metrics: usize },
    /// A metric that works and would scale down.
    AloneWouldBe { metric: String, replicas: i32 },
    /// While one fails, never down.
    NeverDown,
    /// Some fail, so only up.
    OnlyUp { metrics: Vec<String> },
    /// They have no value at zero, which is as it should be.
    NoValueAtZero { metrics: Vec<String> },

    // Bounds before any metric.
    /// More replicas than the most.
    AboveMax { replicas: i32, max_replicas: i32 },
    /// Fewer replicas than the least.
    BelowMin { replicas: i32, min_replicas: i32 },
    /// What follows.
    BoundsFirst,

    // The deciding metric.
    /// What it reads, and what follows.
    Reads { lead: Lead, metric: String, reading: Reading, then: Conclusion },
    /// The pods that were filled in, and what that makes of the ratio.
    FilledIn { counted: usize, missing: Option<Filled>, unready: Option<usize>, ratio: Ratio, then: FillEnd },
    /// They were filled in, and it is as before.
    FilledInVain { missing: usize, unready: usize },
    /// Pods without a sample, at a ratio of exactly 1.
    LeftOutAtOne { missing: usize },
    /// The same without them.
    SameWithoutThem { ratio: Ratio, tolerance: Tolerance },
    /// By how many pods the ratio is multiplied, and that the replicas go against the load.
    Multiplied { ready: usize, replicas: i32, ignored: Option<usize>, rises: Option<bool> },
    /// status.replicas, by which a value is divided, and the pods that match where it is not spec.replicas.
    StatusReplicas {
        status: i32,
        spec: i32,
        pods: Option<usize>,
        ended: usize,
        deleting: usize,
        revisions: Vec<RevisionPods>,
    },
    /// Ready pods that are being deleted, which a value is multiplied by, too.
    DeletingCount { pods: usize },
    /// Pods that are counted and are not the target's.
    OtherOwners { pods: usize, selector: String, owners: Vec<String> },
    /// A tolerance that this controller does not read.
    ToleranceIgnored { field: &'static str },

    // Windows, rates and bounds.
    /// Whatever the controller remembers.
    EitherWay { window: Option<Span>, replicas: i32 },
    /// What it remembers counts, and is not known.
    MemoryUnknown { window: Span, least: Option<i32>, most: Option<i32>, latest: Option<Latest> },
    /// The status shows that the window counts.
    WindowByStatus { window: Span },
    /// An empty memory.
    MemoryEmpty { until: At, then: Option<Hold> },
    /// The highest recommendation, without spec.behavior.
    HighestCounts { window: Span, replicas: i32, since: At, until: At, effect: Highest, then: Option<Hold> },
    /// A stabilized direction of spec.behavior.
    Stabilized {
        direction: Way,
        window: Span,
        replicas: i32,
        since: At,
        until: At,
        beyond: bool,
        then: Option<Hold>,
    },
    /// maxReplicas cuts it off.
    LimitedByMax { max_replicas: i32 },
    /// minReplicas lifts it.
    LimitedByMin { min_replicas: i32 },
    /// It stays at minReplicas.
    StaysAtMin { min_replicas: i32, is_normal: bool },
    /// The doubling of an HPA without spec.behavior.
    AtMostDoubled { replicas: i32 },
    /// selectPolicy Disabled.
    DirectionDisabled { direction: Way },
    /// The only policy.
    OnePolicy { policy: Allowance, clamped: Option<i32>, replicas: i32, stays: Option<Stay> },
    /// Several policies.
    Policies { direction: Way, policies: usize, strictest: bool, replicas: i32, stays: Option<Stay> },

    // What only the controller meets.
    /// kube-controller-manager runs without this controller.
    ControllerLeftOut,
    /// Nobody holds the lease.
    LeaseExpired { holder: Option<String> },
    /// No status since the HPA was made.
    NeverSynced,
    /// No status since the controller started.
    NoSyncSinceStart { started: Option<At> },
    /// Several controllers without leader election.
    SeveralControllers { controllers: Vec<String> },
    /// What its status and events say of it.
    ControllerSays { what: String, readable_here: bool },
    /// The same, and whether it comes again is open.
    MayComeAgain { what: String, error: String, replicas: Option<i32> },
    /// A rival that may be known or not.
    RivalMayBeKnown { hpas: Vec<String> },
    /// A rival of which an earlier selector may be known.
    EarlierRivalMayBeKnown { hpas: Vec<String> },
    /// A rival that the controller does not know.
    RivalNotCompared { hpas: Vec<String>, last: Option<LastSet> },
    /// Another HPA of the same target.
    SameTarget { hpas: Vec<String>, last: Option<LastSet> },
    /// What would be decided otherwise.
    Otherwise { with: &'static str, least: i32, most: i32 },
    /// The API server refused the write.
    WriteRefused { error: String },
    /// It refuses the write, if there is one.
    WriteWouldBeRefused { error: String },
}

/// The states of pods none of which runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct PodStates {
    pub matched: usize,
    pub waiting_for_node: usize,
    pub gated: usize,
    /// By the reason for which a container waits.
    pub stuck: Vec<StuckPods>,
    /// For any other reason.
    pub pending: usize,
    pub failed: usize,
    pub succeeded: usize,
}

/// The reason for which a container waits, and in how many pods.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct StuckPods {
    pub reason: String,
    pub pods: usize,
}

/// A container, and how many pods lack its request.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct PodsWithout {
    pub container: String,
    pub pods: usize,
}

/// A revision of the target, and how many pods it has.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct RevisionPods {
    pub revision: String,
    pub pods: usize,
}

/// When the replicas change at the latest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct Latest {
    pub replicas: i32,
    pub at: At,
    /// Where they rest, not only where they go first.
    pub rests: bool,
    pub falls: bool,
}

/// What holds the replicas once the window does not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub(in crate::render) enum Hold {
    /// selectPolicy Disabled.
    Disabled { direction: Way },
    /// `minReplicas` or `maxReplicas`.
    Bound { field: &'static str, replicas: i32 },
    /// The rate after earlier rescales.
    Rate { until: At },
}

/// What the highest recommendation does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) enum Highest {
    /// It holds the replicas.
    Holds,
    /// maxReplicas trims it.
    Trimmed(i32),
    /// The replicas rise to it.
    Raises,
}

/// A policy with what it allows, if the rescales that it counts are known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct Allowance {
    pub direction: Way,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub value: i32,
    pub period_seconds: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period_start: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allows: Option<i32>,
    #[serde(skip)]
    pub trace: PolicyTrace,
}

impl Allowance {
    pub fn of(trace: PolicyTrace, way: Direction, is_counted: bool) -> Self {
        let Policy { kind, value, period_seconds } = trace.policy;
        Self {
            direction: Way(way),
            kind: kind.as_str(),
            value,
            period_seconds,
            period_start: is_counted.then_some(trace.period_start.0),
            allows: is_counted.then_some(trace.allows.0),
            trace,
        }
    }
}

/// How long the rates keep the replicas.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::render) enum Stay {
    /// A percentage of 0 is 0.
    Always,
    /// Until an instant that is known.
    Until(At),
    /// For now.
    ForNow,
}

/// The last rescale of another HPA.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct LastSet {
    pub hpa: String,
    pub from: i32,
    pub to: i32,
    pub at: At,
}

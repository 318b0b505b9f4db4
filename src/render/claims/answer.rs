//! The answer of a screen as data: what becomes of the replicas, and why in a few words. The words are in
//! `answer_words.rs`.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Amount, At, Latest, Way};
use crate::render::page::Role;

/// The second line of a screen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(in crate::render) struct Answer {
    /// How calm it is.
    #[serde(skip)]
    pub role: Role,
    /// The replicas, where they are known.
    pub replicas: Option<i32>,
    /// Their change.
    pub then: Then,
    /// Why; each with its words in JSON.
    #[serde(skip)]
    pub because: Vec<Because>,
}

/// The change of the replicas.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum Then {
    /// They stay, and the controller has decided so.
    Stays,
    /// They become others; `only_now` if they go on from there.
    Scales { to: i32, only_now: bool },
    /// They may become any of these, or one of two.
    Between { least: i32, most: i32, either: bool },
    /// The metrics want so many; what is decided is not known.
    Wanted { wanted: i32 },
    /// The write of others failed.
    WriteFails { to: i32 },
    /// The write of others fails, if these are not what there is.
    WriteMayFail { least: i32, most: i32 },
    /// The controller cannot decide.
    CannotDecide,
    /// The controller crashes.
    Crashes,
    /// The target is at zero, and the controller leaves it there.
    SwitchedOff,
    /// Nothing is known.
    NotKnown,
    /// Not known either, but for the last status; no replicas where no sync has come to a decision.
    LastDecided { decided: Option<i32>, written: Option<At> },
}

/// Half a sentence of why.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum Because {
    // What only the controller meets.
    /// `--controllers` leaves the HPA controller out.
    ControllerLeftOut,
    /// Nobody renews the Lease.
    NoController { since: Option<At> },
    /// The HPA has no status.
    NoSyncSeen { since: Option<At> },
    /// The status is older than the controller's start.
    NoSyncSinceStart { started: Option<At> },
    /// A controller at work would decide so.
    WouldBe { least: i32, most: i32 },
    /// The controller lacks a right.
    LacksRight { verb: String, resource: String },
    /// Its last write was refused.
    UpdateRefused { size: Option<i32>, status: String },
    /// Its last sync could not read the scale.
    LastSyncWithoutScale,
    /// Its last sync got no value.
    LastSyncWithoutValue { metric: String },
    /// Others select the same pods.
    SameSelector { hpas: Vec<String> },
    /// Others may have selected the same pods.
    EarlierSelector { hpas: Vec<String> },

    // What was not read, or cannot be.
    /// The kind of the target has no scale.
    TargetCannotScale { kind: String },
    /// The read of the scale fails for the controller, perhaps as the target is absent.
    ScaleUnreadable { absent: bool },
    /// The reader's own read failed.
    NotReadHere { what: String },
    /// The condition of the last status that says the most.
    LastStatus { condition: String, status: String, reason: String },
    /// The condition is False since then.
    FailingSince { since: At },
    /// The API server refused the replicas.
    WriteRefused { status: String },

    // Zero, selectors and metrics that stop the controller.
    /// KEDA's zero.
    ZeroOfKeda,
    /// Its gate is off.
    ZeroWithGateOff,
    /// Any other zero.
    ZeroReplicas,
    /// The selector is missing or cannot be parsed.
    InvalidSelector,
    /// Other HPAs match the same pods.
    AmbiguousSelector,
    /// The controller cannot list pods.
    PodsUnlisted,
    /// It crashes on this HPA.
    ControllerCrash,
    /// None of several metrics works.
    NoMetricWorks { metrics: usize, apis: Vec<&'static str> },
    /// The only metric does not work; `says` is how, in words.
    MetricFails { metric: String, failure: &'static str, says: String },
    /// Some of them fail.
    MetricsFail { metrics: Vec<String> },

    // What holds or moves the replicas.
    /// The wish of the metrics, or of one of them; `pods` if those are others than the replicas.
    Wanted { replicas: i32, by: Option<String>, pods: Option<usize> },
    /// The same wish, and when it is met if the load stays.
    WantedAt { replicas: i32, at: At },
    /// The later changes, if the load stays.
    Follows { steps: Vec<Following> },
    /// More than maxReplicas.
    AboveMax { max_replicas: i32 },
    /// Fewer than minReplicas.
    BelowMin { min_replicas: i32 },
    /// Held by maxReplicas; `at` where they are there already.
    Max { max_replicas: i32, at: bool },
    /// Held by minReplicas.
    Min { min_replicas: i32, at: bool },
    /// From its own zero.
    StraightToMin { min_replicas: i32 },
    /// selectPolicy Disabled.
    Disabled { direction: Way },
    /// The bound at which the replicas are keeps them as well.
    AlsoAt { bound: &'static str, replicas: i32 },
    /// The direction that is disabled keeps them as well.
    AlsoDisabled { direction: Way },
    /// Its window does.
    AlsoWindow { direction: Way },
    /// A percentage of no replicas.
    PercentOfZero,
    /// When the window closes, with what is known of the memory.
    AtLatest(Latest),
    /// The window ends, and nothing moves.
    StaysAfterWindow { replicas: i32, until: At },
    /// A recommendation in the window.
    WindowHas { replicas: i32, until: At },

    // What lies behind it.
    /// The selector matches `pods` that others own, all of one kind if `owner` names it, and `loose` ones without an owner.
    MatchesOthers { pods: usize, owner: Option<String>, loose: usize },
    /// The container that alone wants more, and its share of its requests; `hidden_by` the only other container, if it is one.
    Hidden { metric: String, container: String, percent: i64, hidden_by: Option<String> },
    /// Another writer changed what the controller had written.
    SetByOthers { wrote: i32, found: i32 },
    /// The metrics turned the replicas again and again.
    Flaps { ups: i32, downs: i32, since: At },

    // What leaves the memory open.
    /// Another decision came of the same inputs.
    Contradiction,
    /// A change of the replicas without an event.
    ResizedByWhom { at: At },
    /// A rescale whose size before is not known.
    SizeBeforeUnknown { at: At, by: Option<String>, set: Option<At> },
    /// An event is not there.
    EventMissing,
    /// Events may not show each rescale.
    EventsIncomplete,
    /// Nothing more is known.
    MemoryUnknown,

    // What the deciding metric says.
    /// The bounds in which it decides.
    Bounds { min_replicas: i32, max_replicas: i32 },
    /// Pods without a sample and pods that are not ready; `turns` the direction that they reverse.
    Assumed {
        metric: String,
        missing: usize,
        unready: usize,
        unscheduled: Unscheduled,
        stuck: Stuck,
        turns: Turns,
        held: bool,
    },
    /// As many pods count as these, which are not the replicas.
    Counts { metric: String, pods: usize, replicas: i32, held: bool },
    /// Samples of pods that the selector does not match.
    ForeignSamples { metric: String, samples: usize },
    /// A proposal of status.replicas.
    KeepsStatusReplicas { metric: String, replicas: i32 },
    /// status.replicas divides.
    DividedByStatusReplicas { metric: String },
    /// Inside the tolerance.
    WithinTolerance { metric: String },
    /// The ratio is 1.
    OnTarget { metric: String },
    /// The reading, and the product that is rounded up to the replicas.
    Reads { metric: String, now: Seen, target: Option<Seen>, exact: Option<f64>, replicas: i32 },
}

/// Replicas that follow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(in crate::render) struct Following {
    pub replicas: i32,
    pub at: At,
}

/// Of the unready pods, those that have no node; only where that is all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(in crate::render) struct Unscheduled {
    /// They wait for one.
    pub waiting: usize,
    /// A gate keeps them from it.
    pub gated: usize,
}

/// The pods for which a usage is assumed, if each of them has a container that waits, and no sample.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(in crate::render) struct Stuck {
    pub pods: usize,
    /// Why the containers wait.
    pub reasons: BTreeSet<String>,
}

/// Which direction is reversed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::render) enum Turns {
    No,
    /// A rise becomes a fall.
    UpIntoDown,
    /// A fall becomes a rise.
    DownIntoUp,
    /// Past one end of the tolerance, and back.
    Otherwise,
}

/// A value that a metric shows or is to show. Amounts are in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::render) enum Seen {
    /// A share of the requests.
    Percent(i32),
    PerPod(Amount),
    PerReplica(Amount),
    Value(Amount),
}

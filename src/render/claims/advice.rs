//! Advice as data: what to do and why, the command that shows or does it, and what would come of it. The words are in
//! `advice_words.rs`.

use serde::Serialize;

use super::{At, Span, Way};
use kubectl_hpa_core::model::Replicas;

/// A piece of advice.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::render) struct Advised {
    pub claim: AdviceClaim,
    /// Quoted for a shell.
    pub command: Option<String>,
    pub outcome: Option<Outcome>,
}

/// The effect of a piece of advice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::render) struct Outcome {
    pub when: When,
    /// The replicas as they are, if they are known.
    pub from: Option<i32>,
    /// Lowest and highest replicas that the next sync would decide.
    pub next: (Replicas, Replicas),
    /// Where they would settle if the load stays, if that is another number.
    pub settles: Option<i32>,
}

/// On which condition it would come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::render) enum When {
    /// The advice is carried out.
    Done,
    /// The pods without a sample have one like the others.
    Sampled,
    /// They have one like the others, and all of them are ready.
    Readied,
    /// The pods that are not ready are, with the samples that they have.
    Ready,
}

/// What to do.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum AdviceClaim {
    /// Give the target a replica; `stops_again` if its next zero counts as a pause, too; `setter` is who set the zero.
    WakeUp { stops_again: bool, setter: Option<Setter> },
    /// Name what owns the pods in the place of the target, which has none.
    ScaleOwner { pods: usize, owners: Vec<String>, target: String, selector: String },
    /// Name a target that has a scale; `meant` is the kind of `apps/v1` that is called so.
    NameScalable { meant: Option<&'static str> },
    /// Create the target, or name one that there is.
    CreateTarget { target: String, scaled_object: Option<String> },
    /// Have a controller at work; `left_out` if one is started without the HPA controller.
    StartController { left_out: bool },
    /// Give the controller a right.
    GrantRight { user: String, verb: String, resource: String, group: Option<String> },
    /// Make selectors disjoint, the HPA's own first; or of the HPA that selected the same pods `earlier`, have it forgotten.
    /// `possibly`: it is not known whether it did.
    SeparateSelectors { earlier: Option<String>, possibly: Option<bool>, hpas: Vec<Selects> },
    /// Give containers a request, or measure one that has it.
    MeasureOneContainer {
        resource: String,
        lacking: Vec<String>,
        container: String,
        scaled_object: Option<String>,
    },
    /// Give containers a request.
    SetRequests { resource: String, lacking: Vec<String> },
    /// Select the target's own pods alone.
    SelectOwnPods { foreign: usize, pods: usize, target: String, owners: Vec<String>, selector: String },
    /// Remove replicas from what others apply.
    LeaveReplicasOut { wrote: i32, found: i32, setter: Setter },
    /// Ask whoever makes the metrics.
    AskMetricsApi { apis: Vec<Asked> },
    /// Find out why no pod runs.
    StartPods { pods: usize },
    /// Find out why pods do not exist.
    CreatePods { absent: usize, ended: usize, target: String },
    /// Measure a container that there is.
    NameContainer {
        container: String,
        containers: Vec<String>,
        /// The request that they lack as well.
        lacks: Option<String>,
        scaled_object: Option<String>,
    },
    /// Find nodes; `reason` if all of the pods have the same.
    MakeRoom { pods: usize, since: Option<At>, reason: Option<&'static str> },
    /// See to scheduling gates.
    CheckSchedulingGates { pods: usize, since: Option<At> },
    /// Find out why containers wait: their names and reasons, those of the first pod before the others.
    StartContainers { pods: usize, containers: Vec<String>, reasons: Vec<String> },
    /// Find out why pods have never been Ready.
    GetReady { pods: usize },
    /// Delete finished pods.
    DeleteFinishedPods { pods: usize, owners: Vec<String>, selector: String, resource: Option<String> },
    /// Use a longer window.
    WidenWindow { ups: i32, downs: i32, since: At, window: Span, scaled_object: Option<String> },
    /// Set a higher maxReplicas.
    RaiseMax { wanted: i32, scaled_object: Option<String> },
    /// Fix metrics, or remove them if the HPA may be without them.
    FixOrRemoveMetric { metrics: Vec<String>, removable: bool, scaled_object: Option<String> },
    /// Find out why pods have no samples, or wait for those of pods that have `started` just now.
    RestoreSamples { metric: String, pods: usize, started: Option<At> },
    /// Divide a total instead of multiplying by it.
    DivideTotal { metric: String, value: String, scaled_object: Option<String> },
    /// Measure the container that does the work.
    LeaveOutSidecars { metric: String, container: String, shares: Vec<Share>, scaled_object: Option<String> },
    /// Set a policy.
    AllowFasterScaleUp { scaled_object: Option<String> },
    /// Set a tolerance of the HPA's own.
    NarrowTolerance { direction: Way, scaled_object: Option<String> },
    /// Set a shorter window; `window` is the controller's if the HPA has none of its own.
    ShortenWindow { direction: Way, window: Option<Span>, scaled_object: Option<String> },
}

/// An HPA with the selector of its target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(in crate::render) struct Selects {
    pub hpa: String,
    pub selector: String,
}

/// Who set the replicas that the controller did not write.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(in crate::render) enum Setter {
    /// The field manager that owns them.
    Manager {
        name: String,
        at: Option<At>,
    },
    /// Somebody: no event of the controller tells of it.
    Somebody,
    NotKnown,
}

/// The reason of a metric that fails.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum Asked {
    /// A trigger of a `ScaledObject`, the n-th.
    Keda { metric: String, scaled_object: String, trigger: Option<u32> },
    /// metrics-server, which has no sample of these pods.
    NoSamples,
    /// An API that nothing serves, or whose server does not answer.
    NotServed { api: &'static str },
    /// An API whose server has no such metric.
    NoMetric { api: &'static str },
    /// An API that the controller may not read.
    Forbidden { api: &'static str },
    /// An API that answers without a value.
    Empty { api: &'static str },
    /// An API that gives another error.
    Fails { api: &'static str },
}

/// The share of its request that a container uses.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(in crate::render) struct Share {
    pub container: String,
    pub percent: i64,
}

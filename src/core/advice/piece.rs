//! A piece of advice.

use super::AdviceCode;
use crate::model::{Instant, Replicas, ResourceName};
use crate::snapshot::SetReplicas;
use crate::trace::Direction;
use crate::whatif::Change;

/// What to do, how to try it, and what would come of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What to do.
    pub remedy: Remedy,
    /// The changes with which `kubectl hpa simulate` shows it; empty where there are none.
    pub changes: Vec<Change>,
    /// What would come of it; `None` where metrics would not decide, or what they would say is not known.
    pub then: Option<Then>,
}

/// The effect of a piece of advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Then {
    /// Lowest and highest replicas that the next sync would decide.
    pub next: (Replicas, Replicas),
    /// Where they would settle if the load stays; `None` where that is the same, or not known.
    pub settles: Option<Replicas>,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Give the target a replica.
    WakeUp,
    /// Name what owns the pods as the target.
    ScaleOwner {
        /// Their places.
        pods: Vec<usize>,
    },
    /// Name a target that has a scale.
    NameScalable {
        /// The kind of `apps/v1` that was meant, where it shows.
        meant: Option<&'static str>,
    },
    /// Create the target, or name one that there is.
    CreateTarget,
    /// Have a controller at work.
    StartController {
        /// True if one is started without the HPA controller.
        is_left_out: bool,
    },
    /// Give the controller the right that it lacks.
    GrantRight {
        /// The fault's place in what the controller's words show.
        fault: usize,
    },
    /// Make the selectors of the HPAs disjoint.
    SeparateSelectors,
    /// Measure a container that has its request, or give one to those that have none.
    MeasureOneContainer {
        /// The metric's place in the spec.
        metric: usize,
        /// The containers without a request.
        lacking: Vec<Box<str>>,
        /// One that has its request in every pod.
        container: Box<str>,
    },
    /// Give these containers a request.
    SetRequests {
        /// The metric's place in the spec.
        metric: usize,
        /// The containers without a request.
        lacking: Vec<Box<str>>,
    },
    /// Select the target's own pods alone.
    SelectOwnPods {
        /// The places of the pods of other owners.
        foreign: Vec<usize>,
    },
    /// Leave `spec.replicas` out of what others apply.
    LeaveReplicasOut {
        /// Who set the target's replicas.
        by: ReplicasSetter,
    },
    /// Ask the APIs of metrics as the controller does.
    AskMetricsApi {
        /// The places in the spec of the first metric of each API and error.
        metrics: Vec<usize>,
    },
    /// Find out why no pod runs.
    StartPods,
    /// Find out why there are fewer pods than replicas.
    CreatePods {
        /// How many there are fewer than replicas.
        absent: usize,
        /// How many have ended.
        ended: usize,
    },
    /// Measure a container that there is.
    NameContainer {
        /// The metric's place in the spec.
        metric: usize,
        /// The containers that have what the metric needs in every pod; else all of the first pod.
        there: Vec<Box<str>>,
        /// The request that each of them lacks as well.
        lacks: Option<ResourceName>,
    },
    /// Find nodes for the pods that wait for one.
    MakeRoom {
        /// The places of the target's own pods that wait, the one that has waited longest first.
        waiting: Vec<usize>,
    },
    /// See to the scheduling gates that hold pods back.
    CheckSchedulingGates {
        /// The places of the target's own pods that are held back, the one that has been for longest first.
        gated: Vec<usize>,
    },
    /// Find out why containers wait.
    StartContainers {
        /// The places of the target's own pods that have one that does, the one that started first before the others.
        stuck: Vec<usize>,
    },
    /// Find out why pods have never been Ready.
    GetReady {
        /// The places of the target's own pods that have not, the one that started first before the others.
        unready: Vec<usize>,
    },
    /// Delete finished pods, or take them out of the selector.
    DeleteFinishedPods {
        /// Their places.
        finished: Vec<usize>,
        /// The resource of which they have no request, if a metric fails for that.
        lacking: Option<ResourceName>,
    },
    /// Let the highest recommendation count for longer.
    WidenWindow(Flapping),
    /// Set a higher `spec.maxReplicas`.
    RaiseMax,
    /// Fix these metrics, or remove them; nothing would come of it if they cannot be removed.
    FixOrRemoveMetric {
        /// Their places in the spec.
        metrics: Vec<usize>,
    },
    /// Find out why pods have no samples.
    RestoreSamples {
        /// The metric's place in the spec.
        metric: usize,
        /// Their places.
        missing: Vec<usize>,
    },
    /// Compare the total with an AverageValue target, so that it is divided instead of multiplied.
    DivideTotal {
        /// The metric's place in the spec.
        metric: usize,
    },
    /// Measure the main container alone: the others dilute the utilization of whole pods.
    LeaveOutSidecars {
        /// The metric's place in the spec.
        metric: usize,
        /// The container with the largest request.
        container: Box<str>,
    },
    /// Set a policy of `spec.behavior.scaleUp`.
    AllowFasterScaleUp,
    /// Set a tolerance of the HPA's own.
    NarrowTolerance(Direction),
    /// Set a shorter stabilization window.
    ShortenWindow(Direction),
}

/// Who set the target's replicas to what the controller did not write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplicasSetter {
    /// The field manager that owns them.
    Manager(SetReplicas),
    /// Somebody: no event of the controller tells of such a rescale.
    Somebody,
    /// Nothing shows it.
    NotKnown,
}

impl Advice {
    /// Advice that nothing is known to come of.
    pub(super) fn new(remedy: Remedy) -> Self {
        Self { remedy, changes: Vec::new(), then: None }
    }

    /// Its code.
    #[must_use]
    pub const fn code(&self) -> AdviceCode {
        match self.remedy {
            Remedy::WakeUp => AdviceCode::WakeUp,
            Remedy::ScaleOwner { .. } => AdviceCode::ScaleOwner,
            Remedy::NameScalable { .. } => AdviceCode::NameScalable,
            Remedy::CreateTarget => AdviceCode::CreateTarget,
            Remedy::StartController { .. } => AdviceCode::StartController,
            Remedy::GrantRight { .. } => AdviceCode::GrantRight,
            Remedy::SeparateSelectors => AdviceCode::SeparateSelectors,
            Remedy::MeasureOneContainer { .. } => AdviceCode::MeasureOneContainer,
            Remedy::SetRequests { .. } => AdviceCode::SetRequests,
            Remedy::SelectOwnPods { .. } => AdviceCode::SelectOwnPods,
            Remedy::LeaveReplicasOut { .. } => AdviceCode::LeaveReplicasOut,
            Remedy::AskMetricsApi { .. } => AdviceCode::AskMetricsApi,
            Remedy::StartPods => AdviceCode::StartPods,
            Remedy::CreatePods { .. } => AdviceCode::CreatePods,
            Remedy::NameContainer { .. } => AdviceCode::NameContainer,
            Remedy::MakeRoom { .. } => AdviceCode::MakeRoom,
            Remedy::CheckSchedulingGates { .. } => AdviceCode::CheckSchedulingGates,
            Remedy::StartContainers { .. } => AdviceCode::StartContainers,
            Remedy::GetReady { .. } => AdviceCode::GetReady,
            Remedy::DeleteFinishedPods { .. } => AdviceCode::DeleteFinishedPods,
            Remedy::WidenWindow(_) => AdviceCode::WidenWindow,
            Remedy::RaiseMax => AdviceCode::RaiseMax,
            Remedy::FixOrRemoveMetric { .. } => AdviceCode::FixOrRemoveMetric,
            Remedy::RestoreSamples { .. } => AdviceCode::RestoreSamples,
            Remedy::DivideTotal { .. } => AdviceCode::DivideTotal,
            Remedy::LeaveOutSidecars { .. } => AdviceCode::LeaveOutSidecars,
            Remedy::AllowFasterScaleUp => AdviceCode::AllowFasterScaleUp,
            Remedy::NarrowTolerance(_) => AdviceCode::NarrowTolerance,
            Remedy::ShortenWindow(_) => AdviceCode::ShortenWindow,
        }
    }
}

/// How often the count went up and down, by the SuccessfulRescale events that name a metric as the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flapping {
    /// How many times up.
    pub ups: i32,
    /// How many times down.
    pub downs: i32,
    /// The first of these rescales.
    pub since: Instant,
    /// The scale-down window as it is, in seconds.
    pub window: i32,
}

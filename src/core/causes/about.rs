//! What a cause is.

use crate::trace::Direction;
use crate::whatif::Removal;

/// What a cause is. Counts are of pods, places are those in `spec.metrics`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// No controller is at work.
    NobodyAtWork,
    /// Only the controller fails: the fault at this place of what its words show.
    ControllerFault(usize),
    /// Other HPAs of which the controller may or may not know.
    Rivals,
    /// The scale cannot be read.
    Scale,
    /// The scale's selector, or the pods it should list.
    Selector,
    /// Other HPAs claim the same pods.
    OtherHpas(usize),
    /// The target has 0 replicas, which counts as a pause.
    Zero(ZeroOf),
    /// The controller crashes on the HPA.
    Crash,
    /// No pod runs, so nothing can be measured.
    IdlePods,
    /// The first metric that cannot be read.
    FailedMetric(usize),
    /// The API server refused the new scale.
    RefusedWrite,
    /// A memory of the controller that is not known.
    UnknownMemory,
    /// From the HPA's own zero to `spec.minReplicas`.
    Floor,
    /// `spec.maxReplicas`.
    Max,
    /// `spec.minReplicas`.
    Min,
    /// `selectPolicy: Disabled`.
    Disabled(Direction),
    /// The policies of a direction.
    Rate(Direction),
    /// Without `spec.behavior`: at most twice the replicas, or 4.
    Doubling,
    /// A recommendation in the stabilization window of a direction.
    Window(Direction),
    /// Pods without a sample.
    MissingPods(usize),
    /// Unready pods.
    UnreadyPods(usize),
    /// Selected pods that are not the target's own.
    ForeignPods(usize),
    /// Pods beyond the replicas.
    SurplusPods(usize),
    /// Replicas of which there is no pod.
    AbsentPods(usize),
    /// Samples of pods that the selector does not match.
    ForeignSamples(usize),
    /// `status.replicas` is another number than `spec.replicas`.
    StatusReplicas,
    /// The tolerance.
    Tolerance,
    /// What the deciding metric reads.
    Load(usize),
}

/// Whose a zero is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZeroOf {
    /// KEDA's: a `ScaledObject` owns the HPA.
    Keda,
    /// The HPA's own, which this controller does not take for one.
    NotTold,
    /// The HPA's own, without a metric that has a value at zero.
    OwnWithoutMetric,
    /// Nobody knows whose: not the HPA's.
    Others,
}

impl ZeroOf {
    /// The owner for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Keda => "keda",
            Self::NotTold => "gate-off",
            Self::OwnWithoutMetric => "own",
            Self::Others => "others",
        }
    }
}

impl About {
    /// The cause for programs and tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NobodyAtWork => "controller-idle",
            Self::ControllerFault(_) => "controller-fault",
            Self::Rivals => "rivals",
            Self::Scale => "scale",
            Self::Selector => "selector",
            Self::OtherHpas(_) => "other-hpas",
            Self::Zero(_) => "zero",
            Self::Crash => "crash",
            Self::IdlePods => "idle-pods",
            Self::FailedMetric(_) => "failed-metric",
            Self::RefusedWrite => "refused-write",
            Self::UnknownMemory => "unknown-memory",
            Self::Floor => "own-zero",
            Self::Max => "max-replicas",
            Self::Min => "min-replicas",
            Self::Disabled(_) => "disabled",
            Self::Rate(_) => "rate",
            Self::Doubling => "scale-up-cap",
            Self::Window(_) => "window",
            Self::MissingPods(_) => "missing-pods",
            Self::UnreadyPods(_) => "unready-pods",
            Self::ForeignPods(_) => "foreign-pods",
            Self::SurplusPods(_) => "surplus-pods",
            Self::AbsentPods(_) => "absent-pods",
            Self::ForeignSamples(_) => "foreign-samples",
            Self::StatusReplicas => "status-replicas",
            Self::Tolerance => "tolerance",
            Self::Load(_) => "load",
        }
    }

    /// How the world is made without it, the first way that changes the decision; empty if it cannot be taken away.
    #[must_use]
    pub fn removals(self) -> Vec<Removal> {
        match self {
            Self::NobodyAtWork
            | Self::ControllerFault(_)
            | Self::Rivals
            | Self::Scale
            | Self::Selector
            | Self::Zero(_)
            | Self::Crash
            | Self::IdlePods
            | Self::RefusedWrite
            | Self::UnknownMemory
            | Self::Floor => Vec::new(),
            Self::OtherHpas(number) => vec![Removal::OtherHpas(number)],
            Self::FailedMetric(place) => vec![Removal::Metric(place)],
            Self::Max => vec![Removal::Max],
            Self::Min => vec![Removal::Min],
            Self::Disabled(direction) | Self::Rate(direction) => vec![Removal::Rate(direction)],
            Self::Doubling => vec![Removal::ScaleUpCap],
            Self::Window(direction) => vec![Removal::Window(direction)],
            Self::MissingPods(pods) => vec![Removal::Filling(pods), Removal::MissingPods(pods)],
            Self::UnreadyPods(pods) => vec![Removal::Unreadiness(pods), Removal::UnreadyPods(pods)],
            Self::ForeignPods(pods) => vec![Removal::ForeignPods(pods)],
            Self::SurplusPods(pods) => vec![Removal::SurplusPods(pods)],
            Self::AbsentPods(pods) => vec![Removal::AbsentPods(pods)],
            Self::ForeignSamples(samples) => vec![Removal::ForeignSamples(samples)],
            Self::StatusReplicas => vec![Removal::StatusReplicas],
            Self::Tolerance => vec![Removal::Tolerance],
            Self::Load(place) => vec![Removal::Load(place)],
        }
    }

    /// The place of the metric that it is about.
    #[must_use]
    pub const fn metric(self) -> Option<usize> {
        match self {
            Self::FailedMetric(place) | Self::Load(place) => Some(place),
            _ => None,
        }
    }

    /// How many pods, or samples of pods, it is about.
    #[must_use]
    pub const fn pods(self) -> Option<usize> {
        match self {
            Self::MissingPods(number)
            | Self::UnreadyPods(number)
            | Self::ForeignPods(number)
            | Self::SurplusPods(number)
            | Self::AbsentPods(number)
            | Self::ForeignSamples(number) => Some(number),
            _ => None,
        }
    }

    /// True if it is what the controller assumes of pods, or how many it counts.
    #[must_use]
    pub const fn is_of_pods(self) -> bool {
        self.pods().is_some() || matches!(self, Self::StatusReplicas)
    }

    /// The direction that it is about.
    #[must_use]
    pub const fn direction(self) -> Option<Direction> {
        match self {
            Self::Disabled(direction) | Self::Rate(direction) | Self::Window(direction) => Some(direction),
            _ => None,
        }
    }

    /// True if the controller cannot do what the HPA asks for.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            Self::NobodyAtWork
                | Self::ControllerFault(_)
                | Self::Rivals
                | Self::Scale
                | Self::Selector
                | Self::OtherHpas(_)
                | Self::Crash
                | Self::IdlePods
                | Self::FailedMetric(_)
                | Self::RefusedWrite
        )
    }
}

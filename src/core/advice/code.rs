//! Every piece of advice has a code: stable, kebab-case, the key to its long text.

/// A kind of advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AdviceCode {
    /// A target that somebody scaled to zero is not scaled until it has a replica again.
    WakeUp,
    /// Something else than the target runs the pods.
    ScaleOwner,
    /// The target is of a kind that no HPA can scale.
    NameScalable,
    /// The target is not there.
    CreateTarget,
    /// No controller is at work.
    StartController,
    /// The controller lacks a right.
    GrantRight,
    /// Pods that two HPAs select are nobody's.
    SeparateSelectors,
    /// A container without a request stops a utilization of whole pods.
    MeasureOneContainer,
    /// No container has the request in every pod.
    SetRequests,
    /// The selector matches pods of other owners.
    SelectOwnPods,
    /// Something else sets the replicas as well.
    LeaveReplicasOut,
    /// A metrics API does not give what every metric of the HPA needs.
    AskMetricsApi,
    /// No pod runs, so nothing can be measured.
    StartPods,
    /// The target has fewer pods than replicas.
    CreatePods,
    /// A metric of one container names one that no pod has.
    NameContainer,
    /// A metric that fails keeps the others from scaling down.
    FixOrRemoveMetric,
    /// Pods wait for a node.
    MakeRoom,
    /// Scheduling gates hold pods back.
    CheckSchedulingGates,
    /// Containers wait, and their pods do not run.
    StartContainers,
    /// Pods have never been Ready, and do not count.
    GetReady,
    /// Pods of finished Jobs count as missing.
    DeleteFinishedPods,
    /// Pods without samples hold the count.
    RestoreSamples,
    /// The count goes up and down again and again.
    WidenWindow,
    /// A total against a Value target is multiplied with the pods that it brings.
    DivideTotal,
    /// Containers that idle hide that the main one is above the target.
    LeaveOutSidecars,
    /// The metrics want more than `spec.maxReplicas`.
    RaiseMax,
    /// Without `spec.behavior` the count at most doubles in a sync.
    AllowFasterScaleUp,
    /// The tolerance covers a ratio that is well off its target.
    NarrowTolerance,
    /// A window longer than the default holds the count.
    ShortenWindow,
}

impl AdviceCode {
    /// All codes, what matters most first.
    pub const ALL: &'static [Self] = &[
        Self::WakeUp,
        Self::ScaleOwner,
        Self::NameScalable,
        Self::CreateTarget,
        Self::StartController,
        Self::GrantRight,
        Self::SeparateSelectors,
        Self::MeasureOneContainer,
        Self::SetRequests,
        Self::NameContainer,
        Self::SelectOwnPods,
        Self::LeaveReplicasOut,
        Self::AskMetricsApi,
        Self::StartPods,
        Self::CreatePods,
        Self::FixOrRemoveMetric,
        Self::MakeRoom,
        Self::CheckSchedulingGates,
        Self::StartContainers,
        Self::GetReady,
        Self::DeleteFinishedPods,
        Self::RestoreSamples,
        Self::WidenWindow,
        Self::DivideTotal,
        Self::LeaveOutSidecars,
        Self::RaiseMax,
        Self::AllowFasterScaleUp,
        Self::NarrowTolerance,
        Self::ShortenWindow,
    ];

    /// The code as people and programs write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WakeUp => "wake-up",
            Self::ScaleOwner => "scale-owner",
            Self::NameScalable => "name-scalable",
            Self::CreateTarget => "create-target",
            Self::StartController => "start-controller",
            Self::GrantRight => "grant-right",
            Self::SeparateSelectors => "separate-selectors",
            Self::MeasureOneContainer => "measure-one-container",
            Self::SetRequests => "set-requests",
            Self::SelectOwnPods => "select-own-pods",
            Self::LeaveReplicasOut => "leave-replicas-out",
            Self::AskMetricsApi => "ask-metrics-api",
            Self::StartPods => "start-pods",
            Self::CreatePods => "create-pods",
            Self::FixOrRemoveMetric => "fix-or-remove-metric",
            Self::RestoreSamples => "restore-samples",
            Self::DivideTotal => "divide-total",
            Self::LeaveOutSidecars => "leave-out-sidecars",
            Self::AllowFasterScaleUp => "allow-faster-scale-up",
            Self::NarrowTolerance => "narrow-tolerance",
            Self::NameContainer => "name-container",
            Self::MakeRoom => "make-room",
            Self::CheckSchedulingGates => "check-scheduling-gates",
            Self::StartContainers => "start-containers",
            Self::GetReady => "get-ready",
            Self::DeleteFinishedPods => "delete-finished-pods",
            Self::WidenWindow => "widen-window",
            Self::RaiseMax => "raise-max",
            Self::ShortenWindow => "shorten-window",
        }
    }
}

impl std::fmt::Display for AdviceCode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

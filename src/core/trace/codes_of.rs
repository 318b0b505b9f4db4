//! Which code a branch has.

use super::{
    Calculation, Choice, Code, Decision, Direction, Failure, Filler, Gate, Group, Guard, HoldReason, Ignored,
    Limit, LimitReason, Limited, Measure, MetricTrace, MetricsApi, Missing, Outcome, Pass, PerPod, Proposal,
    Ready, Refill, RequestGapKind, ScaleFailure, SelectorVerdict, Stabilization, Stabilized, TotalBasis,
    Unready, Verdict,
};
use crate::model::{Ratio, SelectPolicy};

impl Gate {
    /// Its code.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::NoScale(ScaleFailure::ApiVersion(_)) => Code::ApiVersionInvalid,
            Self::NoScale(ScaleFailure::Mapping(_)) => Code::KindUnknown,
            Self::NoScale(ScaleFailure::Get(_)) => Code::ScaleUnreadable,
            Self::Unknown(_) => Code::Unread,
            Self::Disabled => Code::ScalingDisabled,
            Self::AboveMax => Code::AboveMax,
            Self::BelowMin => Code::BelowMin,
            Self::Metrics => Code::WithinBounds,
            Self::MetricsFromZero => Code::OwnZero,
        }
    }
}

impl SelectorVerdict {
    /// Its code; a good selector has none.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Good => None,
            Self::Missing => Some(Code::SelectorMissing),
            Self::Invalid(_) => Some(Code::SelectorInvalid),
            Self::Ambiguous(_) => Some(Code::SelectorAmbiguous),
            Self::Unlisted(_) => Some(Code::PodsUnlisted),
            Self::Unknown(_) => Some(Code::Unread),
        }
    }
}

impl Group {
    /// The code of the reason for which a pod is in it.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Ready(Ready::HasSample) => Code::PodHasSample,
            Self::Ready(Ready::SettledEarly) => Code::PodSettledEarly,
            Self::Ready(Ready::Settled) => Code::PodSettled,
            Self::Ready(Ready::WasReadyOnce) => Code::PodWasReadyOnce,
            Self::Unready(Unready::Pending) => Code::PodPending,
            Self::Unready(Unready::NoReadyCondition) => Code::PodNoReadyCondition,
            Self::Unready(Unready::NoStartTime) => Code::PodNoStartTime,
            Self::Unready(Unready::Initializing { .. }) => Code::PodInitializing,
            Self::Unready(Unready::SampleTooEarly { .. }) => Code::PodSampleTooEarly,
            Self::Unready(Unready::NeverReady) => Code::PodNeverReady,
            Self::Missing(Missing::NoSample) => Code::PodNoSample,
            Self::Missing(Missing::NoSuchUsage) => Code::PodNoSuchUsage,
            Self::Ignored(Ignored::Deleting) => Code::PodDeleting,
            Self::Ignored(Ignored::Failed) => Code::PodFailed,
        }
    }
}

impl Failure {
    /// True if the API that has samples of pods returned none.
    #[must_use]
    pub fn lacks_samples_of_pods(&self) -> bool {
        matches!(self, Self::NoSamples(MetricsApi::Resource | MetricsApi::Custom))
    }

    /// Its code.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Api { .. } => Code::MetricsApiError,
            Self::NoSamples(_) => Code::NoSamples,
            Self::NotOneValue(_) => Code::NotOneValue,
            Self::NoPods => Code::NoPods,
            Self::NoPodsToCount => Code::NoPodsToCount,
            Self::PodsUnlisted(_) | Self::PodsUncounted(_) => Code::PodsUnlisted,
            Self::UnmeasuredContainer(_) => Code::UnmeasuredContainer,
            Self::SwitchedOff => Code::ContainerMetricsOff,
            Self::Crash => Code::ControllerCrash,
            Self::NoUsableSamples => Code::NoUsableSamples,
            Self::RequestGaps(gaps) => gaps.first().map_or(Code::MissingRequest, |gap| gap.kind.code()),
            Self::NoKnownPods => Code::NoKnownPods,
            Self::NoTarget => Code::NoTarget,
            Self::MetricSelector(_) => Code::MetricSelectorInvalid,
        }
    }
}

impl RequestGapKind {
    /// Its code.
    #[must_use]
    pub fn code(self) -> Code {
        match self {
            Self::Container(_) => Code::MissingRequest,
            Self::PodLevel => Code::MissingPodRequest,
            Self::NoSuchContainer => Code::NoSuchContainer,
        }
    }
}

impl Proposal {
    /// The code of its first comparison with the target.
    #[must_use]
    pub fn code(&self) -> Code {
        match &self.calculation {
            Calculation::PerPod(PerPod { measure: Measure::Utilization(_), first, .. }) => {
                utilization(*first)
            }
            Calculation::PerPod(PerPod { measure: Measure::Value(_), first, .. }) => value(first.ratio),
            Calculation::Total(total) => value(total.ratio),
            Calculation::PerReplica(per_replica) => value(per_replica.ratio),
        }
    }

    /// The code of the step from the (last) ratio to the proposal.
    #[must_use]
    pub fn ending(&self) -> Code {
        match &self.calculation {
            Calculation::PerPod(PerPod { guard: Some(guard), .. }) => guard.code(),
            Calculation::PerPod(PerPod { refill: None, .. }) => Code::ReadyPodsMultiplied,
            Calculation::PerPod(PerPod { refill: Some(_), .. }) => Code::SampledPodsMultiplied,
            Calculation::Total(total) => match total.basis {
                TotalBasis::WithinTolerance => Code::WithinTolerance,
                TotalBasis::ReadyPods(_) => Code::ReadyPodsMultiplied,
                TotalBasis::FromZero => Code::RatioFromZero,
            },
            Calculation::PerReplica(per_replica) if per_replica.within => Code::WithinTolerance,
            Calculation::PerReplica(_) => Code::DividedByTarget,
        }
    }
}

fn utilization(pass: Pass) -> Code {
    match side(pass.ratio) {
        std::cmp::Ordering::Greater => Code::UtilizationAboveTarget,
        std::cmp::Ordering::Equal => Code::UtilizationAtTarget,
        std::cmp::Ordering::Less => Code::UtilizationBelowTarget,
    }
}

fn value(ratio: Ratio) -> Code {
    match side(ratio) {
        std::cmp::Ordering::Greater => Code::ValueAboveTarget,
        std::cmp::Ordering::Equal => Code::ValueAtTarget,
        std::cmp::Ordering::Less => Code::ValueBelowTarget,
    }
}

/// The side of 1 on which a ratio is. One that is not a number comes of a value of 0 that is divided by 0 replicas: 0 is
/// below the target.
fn side(ratio: Ratio) -> std::cmp::Ordering {
    ratio.0.partial_cmp(&1.0).unwrap_or(std::cmp::Ordering::Less)
}

impl MetricTrace {
    fn codes(&self, codes: &mut Vec<Code>) {
        let groups = self.groups.as_ref();
        let mut pods: Vec<Code> =
            groups.into_iter().flat_map(|groups| &groups.pods).map(|member| member.group.code()).collect();
        // Once each: a code says what happened, and 10,000 pods would say it 10,000 times.
        pods.sort_unstable();
        pods.dedup();
        codes.append(&mut pods);
        codes.extend(groups.filter(|groups| !groups.foreign.is_empty()).map(|_| Code::PodForeign));
        match &self.verdict {
            Verdict::Failed(failure) => codes.push(failure.code()),
            Verdict::Unknown(_) => codes.push(Code::Unread),
            Verdict::Proposal(proposal) => {
                codes.push(proposal.code());
                codes.extend(proposal.refill().map(Refill::codes).into_iter().flatten().flatten());
                codes.push(proposal.ending());
            }
        }
    }
}

impl Proposal {
    /// The second pass, if there was one.
    #[must_use]
    pub fn refill(&self) -> Option<&Refill> {
        match &self.calculation {
            Calculation::PerPod(per_pod) => per_pod.refill.as_ref(),
            Calculation::Total(_) | Calculation::PerReplica(_) => None,
        }
    }
}

impl Refill {
    /// What missing pods, and unready ones, count as.
    #[must_use]
    pub fn codes(&self) -> [Option<Code>; 2] {
        let missing = match self.missing {
            Some(Filler::Zero) => Some(Code::MissingPodsAssumedIdle),
            Some(Filler::Request | Filler::Share(_)) => Some(Code::MissingPodsAssumedFull),
            Some(Filler::Target(_)) => Some(Code::MissingPodsAssumedAtTarget),
            // A second pass without unready pods was entered for missing ones: at a ratio of exactly 1 upstream fills
            // in nothing for them.
            None => (!self.unready_as_zero).then_some(Code::MissingPodsLeftOut),
        };
        [missing, self.unready_as_zero.then_some(Code::UnreadyPodsAssumedIdle)]
    }
}

impl Guard {
    /// Its code.
    #[must_use]
    pub fn code(self) -> Code {
        match self {
            Self::WithinTolerance => Code::WithinTolerance,
            Self::DirectionFlip => Code::DirectionFlip,
            Self::CountFlip => Code::CountFlip,
        }
    }
}

impl Choice {
    /// Its code, for a number of metrics.
    #[must_use]
    pub fn code(&self, metrics: usize) -> Code {
        // Before the number of metrics: that the count may only rise matters more than who won.
        if self.invalid > 0 {
            Code::InvalidMetricAllowsUp
        } else if metrics == 1 {
            Code::OnlyMetric
        } else {
            Code::HighestProposalWins
        }
    }
}

impl Stabilized {
    /// Its code.
    #[must_use]
    pub fn code(&self) -> Code {
        match (&self.how, self.after.cmp(&self.before)) {
            (_, std::cmp::Ordering::Equal) => Code::NotStabilized,
            (_, std::cmp::Ordering::Greater) => Code::ScaleDownStabilized,
            (Stabilization::Legacy(_) | Stabilization::Behavior(_), std::cmp::Ordering::Less) => {
                Code::ScaleUpStabilized
            }
        }
    }
}

impl Limited {
    /// Its code.
    #[must_use]
    pub fn code(&self) -> Code {
        let disabled = match &self.how {
            Limit::Behavior(Some(limit)) if limit.select == SelectPolicy::Disabled => Some(limit.direction),
            Limit::Behavior(_) | Limit::Legacy { .. } => None,
        };
        match (self.reason, disabled) {
            (LimitReason::DesiredWithinRange | LimitReason::ScaleUpLimit, Some(Direction::Up)) => {
                Code::ScaleUpDisabled
            }
            (LimitReason::DesiredWithinRange | LimitReason::ScaleDownLimit, Some(Direction::Down)) => {
                Code::ScaleDownDisabled
            }
            (LimitReason::DesiredWithinRange, None) => Code::WithinRange,
            (LimitReason::ScaleUpLimit, _) => Code::ScaleUpLimit,
            (LimitReason::ScaleDownLimit, _) => Code::ScaleDownLimit,
            (LimitReason::TooManyReplicas, _) => Code::TooManyReplicas,
            (LimitReason::TooFewReplicas, _) => Code::TooFewReplicas,
        }
    }
}

impl Outcome {
    /// Its code.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::NoScale => Code::ScaleUnreadable,
            Self::Hold { reason: HoldReason::AllMetricsInvalid, .. } => Code::AllMetricsInvalid,
            Self::Hold { reason: HoldReason::InvalidMetricBlocksDown, .. } => Code::InvalidMetricBlocksDown,
            Self::Hold { reason: HoldReason::Disabled, .. } => Code::ScalingDisabled,
            Self::Hold { reason: HoldReason::Crash, .. } => Code::ControllerCrash,
            Self::Hold { reason: HoldReason::Decided | HoldReason::Selector, .. } => Code::Unchanged,
            Self::Scale { failed: Some(_), .. } => Code::RescaleFailed,
            Self::Scale { from, to, .. } if to > from => Code::ScaledUp,
            Self::Scale { .. } => Code::ScaledDown,
            Self::Unknown(_) => Code::Unread,
        }
    }
}

impl Decision {
    /// The codes of everything that happened, in order: stages, metrics, pods. Each code of a pod comes once.
    #[must_use]
    pub fn codes(&self) -> Vec<Code> {
        let mut codes = vec![self.gate.code()];
        codes.extend(self.selector.as_ref().and_then(SelectorVerdict::code));
        for metric in &self.metrics {
            metric.codes(&mut codes);
        }
        codes.extend(self.choice.map(|choice| choice.code(self.metrics.len())));
        codes.extend(self.stabilized.as_ref().map(Stabilized::code));
        codes.extend(self.limited.as_ref().map(Limited::code));
        codes.extend(self.floor.map(|_| Code::RaisedToMin));
        codes.push(self.outcome.code());
        codes
    }
}

//! One metric's calculation.

use super::{Failure, Group, GroupedPod, PodGroups, Unread};
use crate::model::{Milli, Percent, Ratio, Replicas, Tolerances};

/// The result of one entry of `spec.metrics`.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricTrace {
    /// Its place in the spec.
    pub index: usize,
    /// The pods and their groups, if the metric got that far.
    pub groups: Option<PodGroups>,
    /// The proposal, or why there is none.
    pub verdict: Verdict,
}

impl MetricTrace {
    /// The same without its pods.
    #[must_use]
    pub fn without_groups(&self) -> Self {
        Self { index: self.index, groups: None, verdict: self.verdict.clone() }
    }

    /// What it wants, where it could be read.
    #[must_use]
    pub const fn proposal(&self) -> Option<&Proposal> {
        match &self.verdict {
            Verdict::Proposal(proposal) => Some(proposal),
            Verdict::Failed(_) | Verdict::Unknown(_) => None,
        }
    }
}

/// A proposal, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The metric proposes a replica count.
    Proposal(Proposal),
    /// The metric is invalid for this reconcile.
    Failed(Failure),
    /// What the controller read is not known, so neither is the result.
    Unknown(Unread),
}

/// A metric's proposal with its arithmetic.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The tolerances that the ratio was compared with.
    pub tolerances: Tolerances,
    /// How it was calculated.
    pub calculation: Calculation,
    /// The proposed replicas.
    pub replicas: Replicas,
}

/// The three ways to a proposal.
#[derive(Clone, Debug, PartialEq)]
pub enum Calculation {
    /// Usage per pod: Resource, ContainerResource and Pods metrics.
    PerPod(PerPod),
    /// One value against a Value target: Object and External metrics.
    Total(Total),
    /// One value against an AverageValue target: Object and External metrics.
    PerReplica(PerReplica),
}

impl Proposal {
    /// Whether the current replicas are kept because the first ratio is within the tolerance: then the filled-in pods
    /// made no difference.
    #[must_use]
    pub fn rests_on_first_pass(&self) -> bool {
        match &self.calculation {
            // Upstream decides by the last ratio. That the first one was within the tolerance, too, means that the
            // filled-in pods made no difference.
            Calculation::PerPod(it) => it.guard.is_some() && self.tolerances.holds(it.first.ratio),
            Calculation::Total(_) | Calculation::PerReplica(_) => false,
        }
    }
}

impl Proposal {
    /// True if a rule keeps the replicas that there are: the tolerance, or a direction that turns.
    #[must_use]
    pub fn keeps(&self) -> bool {
        match &self.calculation {
            Calculation::PerPod(it) => it.guard.is_some(),
            Calculation::Total(it) => it.basis == TotalBasis::WithinTolerance,
            Calculation::PerReplica(it) => it.within,
        }
    }

    /// True if the replicas are kept because the pods that are filled in turn the direction.
    #[must_use]
    pub fn turns(&self) -> bool {
        let Calculation::PerPod(it) = &self.calculation else { return false };
        matches!(it.guard, Some(Guard::DirectionFlip | Guard::CountFlip))
    }
}

impl Calculation {
    /// The first and the last ratio: they differ if a second pass filled pods in.
    #[must_use]
    pub fn ratios(&self) -> (Ratio, Ratio) {
        match self {
            Self::PerPod(it) => (it.first.ratio, it.last().ratio),
            Self::Total(total) => (total.ratio, total.ratio),
            Self::PerReplica(per_replica) => (per_replica.ratio, per_replica.ratio),
        }
    }

    /// The last ratio, and the number of pods that it is multiplied with, where the controller multiplies.
    #[must_use]
    pub fn multiplied(&self) -> Option<(Ratio, usize)> {
        match self {
            Self::PerPod(it) => Some((it.last().ratio, it.last().multiplier)),
            Self::Total(Total { ratio, basis: TotalBasis::ReadyPods(pods), .. }) => Some((*ratio, *pods)),
            Self::Total(_) | Self::PerReplica(_) => None,
        }
    }
}

/// Upstream `GetResourceReplicas` (utilization) and `calcPlainMetricReplicas` (values).
#[derive(Clone, Debug, PartialEq)]
pub struct PerPod {
    /// What is measured.
    pub measure: Measure,
    /// The pass over ready pods; the status reports this one.
    pub first: Pass,
    /// The pass with missing and unready pods filled in, if there are any that matter.
    pub refill: Option<Refill>,
    /// Why the current replicas are kept although the ratio is not 1.
    pub guard: Option<Guard>,
}

impl PerPod {
    /// The pass that counts.
    #[must_use]
    pub fn last(&self) -> &Pass {
        self.refill.as_ref().map_or(&self.first, |refill| &refill.pass)
    }
}

/// What a per-pod metric measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Percent of the request, against this target.
    Utilization(Percent),
    /// Mean value, against this target.
    Value(Milli),
}

/// One pass over the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pass {
    /// Sum of the samples; wraps as int64.
    pub usage: Milli,
    /// Sum of the requests of the same pods; zero if requests do not matter.
    pub requests: Milli,
    /// How many samples went into the sums.
    pub samples: usize,
    /// `usage × 100 / requests`, truncated, for a utilization.
    pub utilization: Option<Percent>,
    /// `usage / samples`, truncated.
    pub mean: Milli,
    /// Utilization or mean over the target.
    pub ratio: Ratio,
    /// The number of pods that the ratio is multiplied by: ready pods in the first pass, all samples in the second.
    pub multiplier: usize,
}

/// The second pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refill {
    /// What missing pods count as; `None` if there are none or the first ratio is exactly 1.
    pub missing: Option<Filler>,
    /// Whether unready pods count as 0.
    pub unready_as_zero: bool,
    /// The pass over all samples, real and assumed.
    pub pass: Pass,
}

impl Refill {
    /// The amount that a pod counts for in this pass; `None` if it is left out of it.
    #[must_use]
    pub fn counted(&self, pod: &GroupedPod) -> Option<Milli> {
        match pod.group {
            Group::Ready(_) => pod.sample,
            Group::Missing(_) => self.missing.map(|filler| filler.of(pod.request)),
            Group::Unready(_) => self.unready_as_zero.then_some(Milli(0)),
            Group::Ignored(_) => None,
        }
    }
}

/// What a missing pod counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filler {
    /// 0, when scaling up.
    Zero,
    /// Its request, when scaling down, for a utilization, up to 1.25.
    Request,
    /// This percentage of its request (100, or the target if that is higher), when scaling down, for a utilization,
    /// since 1.26.
    Share(Percent),
    /// The target, when scaling down, for a value.
    Target(Milli),
}

impl Filler {
    /// The amount that a missing pod with this request counts as.
    #[must_use]
    pub fn of(self, request: Option<Milli>) -> Milli {
        match self {
            Self::Zero => Milli(0),
            Self::Request => request.unwrap_or_default(),
            Self::Share(percentage) => request.unwrap_or_default().share(percentage),
            Self::Target(target) => target,
        }
    }
}

/// Why the controller keeps the current replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The (last) ratio is within the tolerance.
    WithinTolerance,
    /// The second ratio is on the other side of 1.
    DirectionFlip,
    /// The ratio points in one direction, but multiplied by the number of pods it leads in the other.
    CountFlip,
}

/// Upstream `getUsageRatioReplicaCount`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Total {
    /// The value; for an External metric the sum of all series, capped at int64.
    pub usage: Milli,
    /// How many values went into it.
    pub series: usize,
    /// The target.
    pub target: Milli,
    /// Usage over target.
    pub ratio: Ratio,
    /// What the ratio was multiplied by.
    pub basis: TotalBasis,
}

/// What the ratio of a Value target is multiplied by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TotalBasis {
    /// Nothing: within the tolerance.
    WithinTolerance,
    /// The pods that are running and ready.
    ReadyPods(usize),
    /// Nothing: from zero replicas the ratio itself is the proposal.
    FromZero,
}

/// Upstream `GetObjectPerPodMetricReplicas` and `GetExternalPerPodMetricReplicas`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerReplica {
    /// The value; for an External metric the sum of all series, where a negative sum counts as int64's maximum.
    pub usage: Milli,
    /// How many values went into it.
    pub series: usize,
    /// The target per replica.
    pub target: Milli,
    /// `scale.status.replicas`: the basis of this calculation.
    pub replicas: Replicas,
    /// Usage over target × replicas.
    pub ratio: Ratio,
    /// Whether the ratio is within the tolerance.
    pub within: bool,
    /// Usage per replica, rounded up: what the status reports.
    pub mean: Milli,
    /// Whether the result is capped at the largest integers: for an External metric, since 1.34.
    pub is_capped: bool,
}

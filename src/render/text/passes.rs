//! The passes of a ledger.

use kubectl_hpa_core::explanation::Metric;
use kubectl_hpa_core::trace::{Calculation, Pass, PerPod, PodGroups, Refill};

/// The passes, one per column.
pub(super) struct Passes<'a> {
    pub first: Option<&'a Pass>,
    pub second: Option<&'a Refill>,
    /// Every sample that there is counts, in one pass: a column of samples says it all.
    pub plain: bool,
}

impl<'a> Passes<'a> {
    pub fn of(metric: Metric<'a>, groups: &PodGroups) -> Self {
        let per_pod: Option<&PerPod> = metric.proposal().and_then(|proposal| match &proposal.calculation {
            Calculation::PerPod(per_pod) => Some(per_pod),
            Calculation::Total(_) | Calculation::PerReplica(_) => None,
        });
        let first = per_pod.map(|per_pod| &per_pod.first);
        let second = per_pod.and_then(|per_pod| per_pod.refill.as_ref());
        let all_count = groups.pods.iter().all(|member| member.counted() == member.sample);
        Self { first, second, plain: second.is_none() && all_count && groups.foreign.is_empty() }
    }

    /// Whether the ledger has a second pass.
    pub fn has_second(&self) -> bool {
        self.second.is_some()
    }

    /// Whether samples of other pods are part of the sums.
    pub fn counts_foreign(&self) -> bool {
        self.first.is_some_and(|first| first.utilization.is_none())
    }
}

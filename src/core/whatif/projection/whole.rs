//! Whether every pod counts, so that it is known who shares the load.

use crate::model::{MetricSpec, TargetType};
use crate::snapshot::{Pod, Snapshot};
use crate::trace::{Calculation, Decision, MetricTrace, Proposal, TotalBasis, Verdict};

/// Whether there are as many pods as replicas and all of them count: while the target still follows, or where pods of somebody
/// else count, nobody knows who will share the load.
pub(in crate::whatif) fn is_whole(snapshot: &Snapshot, decision: &Decision) -> bool {
    let Ok(scale) = &snapshot.scale else { return false };
    let is_all = |pods: usize| i32::try_from(pods) == Ok(scale.replicas.0);
    let are_ready = |metric: &MetricTrace| ready_pods(metric).is_none_or(is_all);
    let mut groups = decision.metrics.iter().filter_map(|metric| metric.groups.as_ref());
    let needs_no_pod =
        |metric: &MetricSpec| metric.outlives_pods() && metric.target.kind == TargetType::AverageValue;
    // A bound decides before any metric is read: then no pod may be about to go. And for other metrics than cpu a pod counts
    // that is not Ready.
    let is_read = decision.choice.is_some();
    let mut pods = snapshot.pods.iter().flatten().filter(|pod| !is_read || pod.is_active());
    let is_own_and_ready =
        |pod: &Pod| pod.is_active() && pod.is_running_and_ready() && !pod.is_of_another(&snapshot.hpa.target);
    let are_own = is_all(pods.clone().count()) && pods.all(is_own_and_ready);
    scale.observed == scale.replicas
        && groups.all(|groups| groups.foreign.is_empty() && is_all(groups.ready))
        && all_count(decision)
        && decision.metrics.iter().all(are_ready)
        && (are_own || snapshot.hpa.metrics.iter().all(needs_no_pod))
}

/// The ready pods that the value of a metric is multiplied with.
fn ready_pods(metric: &MetricTrace) -> Option<usize> {
    match &metric.verdict {
        Verdict::Proposal(Proposal { calculation: Calculation::Total(total), .. }) => match total.basis {
            TotalBasis::ReadyPods(ready) => Some(ready),
            TotalBasis::FromZero | TotalBasis::WithinTolerance => None,
        },
        Verdict::Proposal(_) | Verdict::Failed(_) | Verdict::Unknown(_) => None,
    }
}

/// Whether no pod is missing or unready for any metric.
pub(super) fn all_count(decision: &Decision) -> bool {
    let mut groups = decision.metrics.iter().filter_map(|metric| metric.groups.as_ref());
    groups.all(|groups| groups.missing == 0 && groups.unready == 0)
}

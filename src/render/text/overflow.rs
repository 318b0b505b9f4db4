//! Sums that wrap: the controller adds int64 without looking.

use super::passes::Passes;
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::{Milli, ResourceName, Source};
use kubectl_hpa_core::snapshot::Pod;
use kubectl_hpa_core::trace::{GroupedPod, PodGroups};

/// Beside a sum that has wrapped.
pub(super) const MARK: &str = "int64 overflows";
/// What that means, once.
pub(super) const NOTE: &str = "int64 overflows: the controller adds thousandths as int64 without a check, so a sum of more than 9223372036854775807 wraps around, and the controller decides on the result.";

/// Which of a ledger's sums have wrapped.
pub(super) struct Overflow {
    pub usage: bool,
    pub requests: bool,
}

impl Overflow {
    pub fn of(groups: &PodGroups, passes: &Passes<'_>) -> Self {
        let foreign = groups.foreign.iter().filter(|_| passes.counts_foreign());
        let foreign = total(foreign.map(|foreign| foreign.sample));
        let members = || groups.pods.iter();
        let requested = |counts: &dyn Fn(&GroupedPod) -> Option<Milli>| {
            total(members().filter(|member| counts(member).is_some()).filter_map(|member| member.request))
        };
        let first = passes.first.map(|pass| {
            let usage = total(members().filter_map(GroupedPod::counted)) + foreign;
            differs(pass.usage, usage)
        });
        let second = passes.second.map(|refill| {
            let usage = total(members().filter_map(|member| refill.counted(member))) + foreign;
            differs(refill.pass.usage, usage)
        });
        let with_requests = passes.first.is_some_and(|pass| pass.utilization.is_some());
        let requests = [
            passes.first.is_some_and(|pass| differs(pass.requests, requested(&GroupedPod::counted))),
            passes.second.is_some_and(|refill| {
                differs(refill.pass.requests, requested(&|member| refill.counted(member)))
            }),
        ];
        Self {
            usage: first.unwrap_or_default() || second.unwrap_or_default(),
            requests: with_requests && requests.contains(&true),
        }
    }
}

fn total(amounts: impl Iterator<Item = Milli>) -> i128 {
    amounts.map(|amount| i128::from(amount.0)).sum()
}

fn differs(shown: Milli, exact: i128) -> bool {
    i128::from(shown.0) != exact
}

/// Whether anything in a metric's ledger has wrapped.
pub(super) fn wraps(explanation: &Explanation, metric: Metric<'_>, groups: &PodGroups) -> bool {
    let sums = Overflow::of(groups, &Passes::of(metric, groups));
    let mut members = groups.pods.iter().zip(explanation.pods());
    sums.usage || sums.requests || members.any(|(member, pod)| !of_member(metric, member, pod).is_empty())
}

/// What of a pod's own sums has wrapped: those over its containers.
pub(super) fn of_member(metric: Metric<'_>, member: &GroupedPod, pod: &Pod) -> &'static str {
    let Source::Resource(resource) = &metric.spec.source else { return "" };
    let sample = member.sample.zip(used(pod, resource));
    let request = member.request.filter(|_| pod.pod_requests.is_none());
    let requests = pod.containers.iter().filter_map(|container| container.requests.get(resource));
    let sample = sample.is_some_and(|(sample, exact)| differs(sample, exact));
    let request = request.is_some_and(|request| differs(request, total(requests)));
    match (sample, request) {
        (true, true) => "sample and request: int64 overflows",
        (true, false) => "sample: int64 overflows",
        (false, true) => "request: int64 overflows",
        (false, false) => "",
    }
}

fn used(pod: &Pod, resource: &ResourceName) -> Option<i128> {
    let containers = &pod.usage.as_ref()?.containers;
    Some(total(containers.iter().filter_map(|container| container.usage.get(resource))))
}

//! The share of the request as a share of the limit, for those who know the pods by their limits.

use crate::render::options::Options;
use crate::render::page::{Page, Role};
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::{Percent, Source};
use kubectl_hpa_core::snapshot::Pod;
use kubectl_hpa_core::trace::{Calculation, Group, Measure};

pub(super) fn section(page: &mut Page, explanation: &Explanation, options: &Options) {
    if !options.is_wide() {
        return;
    }
    for text in explanation.metrics().filter_map(|metric| limit_of(explanation, metric)) {
        page.note("Limits", Role::Quiet, &text);
    }
}

/// Nothing where a pod that counts has no limit, or where its limit is what it requests.
fn limit_of(explanation: &Explanation, metric: Metric<'_>) -> Option<String> {
    let Calculation::PerPod(per_pod) = &metric.proposal()?.calculation else { return None };
    let Measure::Utilization(Percent(target)) = per_pod.measure else { return None };
    let members = metric.trace.groups.as_ref()?.pods.iter().zip(explanation.pods());
    let ready = members.filter(|(member, _)| matches!(member.group, Group::Ready(_)));
    let limits = ready.map(|(_, pod)| limit(pod, &metric.spec.source)).collect::<Option<Vec<i64>>>()?;
    let limits: i64 = limits.into_iter().fold(0, i64::saturating_add);
    let (usage, requests) = (per_pod.first.usage.0, per_pod.first.requests.0);
    let target_of_limits = i64::from(target).saturating_mul(requests).checked_div(limits)?;
    let now = usage.saturating_mul(100).checked_div(limits)?;
    let utilization = per_pod.first.utilization?.0;
    (limits != requests).then(|| {
        format!(
            "the target of {target}% of the request is {target_of_limits}% of the limit; the current {utilization}% is {now}% of it. The controller only looks at requests."
        )
    })
}

/// The limit of what a metric measures, all containers or one.
fn limit(pod: &Pod, source: &Source) -> Option<i64> {
    let (resource, only) = match source {
        Source::Resource(resource) => (resource, None),
        Source::ContainerResource { resource, container } => (resource, Some(container)),
        Source::Pods(_) | Source::Object { .. } | Source::External(_) => return None,
    };
    let measured = pod.containers.iter().filter(|it| only.is_none_or(|only| **only == *it.name));
    measured.map(|container| container.limits.get(resource).map(|it| it.0)).sum()
}

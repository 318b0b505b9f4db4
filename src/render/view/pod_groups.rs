//! The pods of one metric, row by row.

use serde::Serialize;

use super::number::Moment;
use crate::render::phrases::group;
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::Duration;
use kubectl_hpa_core::snapshot::{ConditionStatus, Owner, Phase, Pod, PodUsage, Reading};
use kubectl_hpa_core::trace::{Code, GroupedPod, PodGroups, Proposal, Refill};

/// The pods, in the order of the snapshot, and samples of others.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PodGroupsView<'a> {
    ready: usize,
    unready: usize,
    missing: usize,
    ignored: usize,
    pods: Vec<PodView<'a>>,
    foreign: Vec<ForeignView<'a>>,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PodView<'a> {
    name: &'a str,
    group: &'static str,
    code: &'static str,
    #[serialize_always]
    request_milli: Option<i64>,
    #[serialize_always]
    sample_milli: Option<i64>,
    sample_at: Option<Moment>,
    sample_window: Option<String>,
    #[serialize_always]
    pass1_milli: Option<i64>,
    #[serialize_always]
    pass2_milli: Option<i64>,
    phase: &'static str,
    deleting: bool,
    started_at: Option<Moment>,
    ready: Option<ReadyView>,
    owner: Option<OwnerView<'a>>,
}

#[derive(Clone, Debug, Serialize)]
struct ReadyView {
    status: &'static str,
    since: Moment,
}

#[derive(Clone, Debug, Serialize)]
struct OwnerView<'a> {
    kind: &'a str,
    name: &'a str,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ForeignView<'a> {
    name: &'a str,
    code: &'static str,
    sample_milli: i64,
}

impl<'a> PodGroupsView<'a> {
    pub fn of(explanation: &'a Explanation, metric: Metric<'a>, groups: &'a PodGroups) -> Self {
        let of_usage = explanation.snapshot().readings.get(metric.trace.index) == Some(&Reading::Usage);
        let members = groups.pods.iter().zip(explanation.pods());
        let refill = metric.proposal().and_then(Proposal::refill);
        let foreign = groups.foreign.iter().map(|foreign| ForeignView {
            name: explanation.foreign_name(metric, foreign.index).unwrap_or_default(),
            code: Code::PodForeign.as_str(),
            sample_milli: foreign.sample.0,
        });
        Self {
            ready: groups.ready,
            unready: groups.unready,
            missing: groups.missing,
            ignored: groups.ignored,
            pods: members.map(|(member, pod)| PodView::of(member, pod, refill, of_usage)).collect(),
            foreign: foreign.collect(),
        }
    }
}

impl<'a> PodView<'a> {
    fn of(member: &GroupedPod, pod: &'a Pod, refill: Option<&Refill>, of_usage: bool) -> Self {
        let usage: Option<&PodUsage> = pod.usage.as_ref().filter(|_| of_usage);
        let owner = |owner: &'a Owner| OwnerView { kind: &owner.kind, name: &owner.name };
        Self {
            name: &pod.name,
            group: group::name(&member.group),
            code: member.group.code().as_str(),
            request_milli: member.request.map(|request| request.0),
            sample_milli: member.sample.map(|sample| sample.0),
            sample_at: usage.map(|usage| Moment(usage.at)),
            sample_window: usage.map(|usage| usage.window).map(|window: Duration| window.to_string()),
            pass1_milli: member.counted().map(|value| value.0),
            pass2_milli: refill.and_then(|refill| refill.counted(member)).map(|value| value.0),
            phase: phase(pod.phase),
            deleting: pod.deleting,
            started_at: pod.started.map(Moment),
            ready: pod.ready.map(|it| ReadyView { status: status(it.status), since: Moment(it.since) }),
            owner: pod.owner.as_ref().map(owner),
        }
    }
}

const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Pending => "Pending",
        Phase::Running => "Running",
        Phase::Succeeded => "Succeeded",
        Phase::Failed => "Failed",
        Phase::Unknown => "Unknown",
    }
}

const fn status(status: ConditionStatus) -> &'static str {
    match status {
        ConditionStatus::True => "True",
        ConditionStatus::False => "False",
        ConditionStatus::Unknown => "Unknown",
    }
}

//! One metric of the spec, with what became of it.

use serde::Serialize;

use super::calculation::ProposalView;
use super::pod_groups::PodGroupsView;
use super::source::{SourceView, TargetView};
use crate::render::phrases::{failure, gaps, unread};
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::snapshot::{ReadError, Reading};
use kubectl_hpa_core::trace::{Failure, RequestGap, Unread, Verdict};

/// One metric.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MetricView<'a> {
    index: usize,
    source: SourceView<'a>,
    target: TargetView,
    verdict: &'static str,
    proposal: Option<ProposalView>,
    failure: Option<FailureView<'a>>,
    unknown: Option<UnreadView<'a>>,
    /// The values of an Object or External metric, in the order of the API's list.
    values_milli: Option<Vec<i64>>,
    #[serde(rename = "census")]
    groups: Option<PodGroupsView<'a>>,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FailureView<'a> {
    code: &'static str,
    text: String,
    error: Option<&'a ReadError>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    request_gaps: Vec<GapView>,
}

#[derive(Clone, Debug, Serialize)]
struct GapView {
    pod: String,
    code: &'static str,
    place: String,
}

/// What could not be read here, and what would help.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
pub(super) struct UnreadView<'a> {
    text: String,
    permission: Option<String>,
    error: Option<&'a ReadError>,
}

impl<'a> MetricView<'a> {
    pub fn of(explanation: &'a Explanation, metric: Metric<'a>) -> Self {
        let (verdict, failed, unknown) = match &metric.trace.verdict {
            Verdict::Proposal(_) => ("proposal", None, None),
            Verdict::Failed(it) => ("failed", Some(FailureView::of(explanation, metric, it)), None),
            Verdict::Unknown(it) => ("unknown", None, Some(UnreadView::of(it))),
        };
        Self {
            index: metric.trace.index,
            source: SourceView::of(&metric.spec.source),
            target: TargetView::of(metric.spec),
            verdict,
            proposal: metric.proposal().map(ProposalView::of),
            failure: failed,
            unknown,
            values_milli: values(explanation, metric),
            groups: metric.trace.groups.as_ref().map(|groups| PodGroupsView::of(explanation, metric, groups)),
        }
    }
}

fn values(explanation: &Explanation, metric: Metric<'_>) -> Option<Vec<i64>> {
    match explanation.snapshot().readings.get(metric.trace.index)? {
        Reading::Object(Ok(values)) | Reading::External(Ok(values)) => {
            Some(values.iter().map(|it| it.0).collect())
        }
        Reading::Usage
        | Reading::Pods(_)
        | Reading::Object(Err(_))
        | Reading::External(Err(_))
        | Reading::Absent => None,
    }
}

impl<'a> FailureView<'a> {
    fn of(explanation: &'a Explanation, metric: Metric<'_>, failure: &'a Failure) -> Self {
        let gap = |gap: &RequestGap| GapView {
            pod: explanation.pods().get(gap.pod).map_or_else(String::new, |pod| pod.name.to_string()),
            code: gap.kind.code().as_str(),
            place: gaps::brief(explanation, metric, gap),
        };
        let request_gaps = match failure {
            Failure::RequestGaps(gaps) => gaps.iter().map(gap).collect(),
            _ => Vec::new(),
        };
        Self {
            code: failure.code().as_str(),
            text: failure::brief(failure),
            error: failure.error(),
            request_gaps,
        }
    }
}

impl<'a> UnreadView<'a> {
    pub fn of(it: &'a Unread) -> Self {
        let error = match it {
            Unread::Refused(error) => Some(error),
            Unread::NotInCase => None,
        };
        Self { text: unread::what(it), permission: unread::permission(it), error }
    }
}

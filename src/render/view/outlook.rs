//! What would change a decision.

use serde::Serialize;

use super::claims::{Told, outlook};
use super::memory::IntervalView;
use super::number::Moment;
use crate::render::claims::OutlookClaim;
use crate::render::phrases::outlook::event;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::whatif::{Next, Threshold, Thresholds};

/// Load, or time alone.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OutlookView {
    thresholds: Vec<ThresholdsView>,
    next: Option<ChangeView>,
    /// The replicas change at the first sync after this at the latest, whatever the controller remembers.
    latest: Option<Moment>,
    /// Where the replicas rest whatever the controller remembers, if the load stays, and by when at the latest.
    rests: Option<RestView>,
    /// The lines of the screen, each as what it claims.
    claims: Vec<Told<OutlookClaim>>,
}

#[derive(Clone, Debug, Serialize)]
struct RestView {
    replicas: i32,
    by: Moment,
}

/// Of one metric.
#[serde_with::skip_serializing_none]
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ThresholdsView {
    metric: usize,
    usage_milli: i64,
    samples: Option<usize>,
    lower: Option<ThresholdView>,
    higher: Option<ThresholdView>,
    held: Option<HeldView>,
}

/// Fewer are wanted, and a window or a rate holds them at first.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct HeldView {
    usage_milli: i64,
    wanted: i32,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ThresholdView {
    usage_milli: i64,
    replicas: IntervalView,
}

#[derive(Clone, Debug, Serialize)]
struct ChangeView {
    at: Moment,
    cause: String,
    replicas: i32,
}

impl OutlookView {
    pub fn of(explanation: &Explanation) -> Self {
        let next = explanation.outlook().next.as_ref();
        let rest = explanation.projection().rest;
        Self {
            thresholds: explanation.outlook().thresholds.iter().map(ThresholdsView::of).collect(),
            next: next.map(|change| ChangeView::of(explanation, change)),
            latest: explanation.outlook().latest.map(|change| Moment(change.at)),
            rests: rest.map(|it| RestView { replicas: it.replicas.0, by: Moment(it.by) }),
            claims: outlook(explanation),
        }
    }
}

impl ThresholdsView {
    fn of(it: &Thresholds) -> Self {
        let view = |threshold: Threshold| ThresholdView {
            usage_milli: threshold.usage.0,
            replicas: IntervalView::of(threshold.replicas),
        };
        Self {
            metric: it.index,
            usage_milli: it.usage.0,
            samples: it.samples,
            lower: it.lower.map(view),
            higher: it.higher.map(view),
            held: it.held.map(|(usage, wanted)| HeldView { usage_milli: usage.0, wanted: wanted.0 }),
        }
    }
}

impl ChangeView {
    fn of(explanation: &Explanation, change: &Next) -> Self {
        Self {
            at: Moment(change.at),
            cause: event(explanation, change.cause).text(),
            replicas: change.replicas.0,
        }
    }
}

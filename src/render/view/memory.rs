//! The controller's memory, in the shape of a case file.

use serde::Serialize;

use super::number::Moment;
use crate::render::phrases::memory_source;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::memory_bounds::MemoryBounds;
use kubectl_hpa_core::model::{Evidence, Memory, Recommendation, Replicas, ScaleEvent};

/// Recommendations and scale events, in slot order.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MemoryView {
    evidence: Option<Evidence>,
    recommendations: Vec<RecommendationView>,
    scale_up_events: Vec<ScaleEventView>,
    scale_down_events: Vec<ScaleEventView>,
}

/// One recommendation.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct RecommendationView {
    pub replicas: i32,
    pub at: Moment,
}

impl RecommendationView {
    pub const fn of(it: Recommendation) -> Self {
        Self { replicas: it.replicas.0, at: Moment(it.at) }
    }
}

#[derive(Clone, Copy, Debug, Serialize)]
struct ScaleEventView {
    change: i32,
    at: Moment,
    outdated: bool,
}

impl MemoryView {
    /// The memory as it is known before the decision: a placeholder for an unknown memory is not shown.
    pub fn before(explanation: &Explanation) -> Self {
        let nothing = Memory::default();
        let known = if explanation.memory_is_known() { &explanation.snapshot().memory } else { &nothing };
        Self::of(known, Some(explanation.snapshot().memory_evidence))
    }

    /// The memory after the decision; of an unknown one what this decision adds to it.
    pub fn after(explanation: &Explanation) -> Self {
        let mut after = explanation.decision().memory.clone();
        if !explanation.memory_is_known() {
            let before = &explanation.snapshot().memory;
            after.recommendations.retain(|it| !before.recommendations.contains(it));
            after.scale_ups.retain(|it| it.at == explanation.now() && !before.scale_ups.contains(it));
            after.scale_downs.retain(|it| it.at == explanation.now() && !before.scale_downs.contains(it));
        }
        Self::of(&after, None)
    }

    fn of(memory: &Memory, evidence: Option<Evidence>) -> Self {
        let events = |events: &[ScaleEvent]| {
            let event = |event: &ScaleEvent| ScaleEventView {
                change: event.change,
                at: Moment(event.at),
                outdated: event.outdated,
            };
            events.iter().map(event).collect()
        };
        let recommendations = memory.recommendations.iter();
        Self {
            evidence,
            recommendations: recommendations.map(|it| RecommendationView::of(*it)).collect(),
            scale_up_events: events(&memory.scale_ups),
            scale_down_events: events(&memory.scale_downs),
        }
    }
}

/// What the answer rests on where the memory is not known.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MemoryBoundsView {
    sources: Vec<&'static str>,
}

/// The bounds under their first names, for programs that know no other.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RecallView {
    reliance: Vec<&'static str>,
}

impl From<&MemoryBoundsView> for RecallView {
    fn from(bounds: &MemoryBoundsView) -> Self {
        Self { reliance: bounds.sources.clone() }
    }
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct IntervalView {
    lowest: i32,
    highest: i32,
}

impl MemoryBoundsView {
    pub fn of(bounds: &MemoryBounds) -> Self {
        Self { sources: bounds.sources.iter().map(|it| memory_source::name(*it)).collect() }
    }
}

impl IntervalView {
    pub fn of((lowest, highest): (Replicas, Replicas)) -> Self {
        Self { lowest: lowest.0, highest: highest.0 }
    }
}

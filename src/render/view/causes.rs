//! Why the decision is what it is.

use serde::Serialize;

use super::memory::IntervalView;
use super::number::Moment;
use crate::render::phrases::{metric, removal};
use kubectl_hpa_core::causes::{Cause, Ending};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::trace::Direction;

/// One cause.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CauseView {
    /// What it is.
    kind: &'static str,
    /// The branch of the step at which it acts.
    code: &'static str,
    /// The metric that it is about.
    metric: Option<String>,
    /// How many pods, or samples of pods, it is about.
    pods: Option<usize>,
    /// The direction that it is about: `scaleUp` or `scaleDown`.
    direction: Option<&'static str>,
    /// How it is taken away.
    removal: Option<&'static str>,
    /// The replicas without it; absent if they are not known.
    without: Option<IntervalView>,
    /// What the metrics want without it.
    wanted: Option<i32>,
    /// `decides`, `wanted` or `shared`: how much the decision hangs on it.
    weight: &'static str,
    ends: EndingView,
}

/// What ends it.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
struct EndingView {
    by: &'static str,
    at: Option<Moment>,
    field: Option<&'static str>,
}

impl CauseView {
    pub fn of(explanation: &Explanation, cause: &Cause) -> Self {
        let label = |place: usize| explanation.snapshot().hpa.metrics.get(place).map(metric::label);
        Self {
            kind: cause.about.as_str(),
            code: cause.code.as_str(),
            metric: cause.about.metric().and_then(label),
            pods: cause.about.pods(),
            direction: cause.about.direction().map(Direction::field),
            removal: cause.removal.map(removal::kind),
            without: cause.without.map(IntervalView::of),
            wanted: cause.wanted.map(|wanted| wanted.0),
            weight: cause.weight.as_str(),
            ends: EndingView::of(cause.ending),
        }
    }
}

impl EndingView {
    const fn of(ending: Ending) -> Self {
        let (by, at, field) = match ending {
            Ending::Time(at) => ("time", Some(Moment(at)), None),
            Ending::Load => ("load", None, None),
            Ending::Sample => ("sample", None, None),
            Ending::Pods => ("pods", None, None),
            Ending::Edit(field) => ("edit", None, Some(field)),
            Ending::Repair => ("repair", None, None),
            Ending::Scale => ("scale", None, None),
            Ending::Unknown => ("unknown", None, None),
        };
        Self { by, at, field }
    }
}

//! A sweep.

use serde::Serialize;

use super::memory::IntervalView;
use super::subject::SubjectView;
use crate::render::sweep::Sweep;
use kubectl_hpa_core::snapshot::case::API_VERSION;
use kubectl_hpa_core::whatif::Point;

/// A sweep as programs read it: `apiVersion: kubectl-hpa/v1`, `kind: Sweep`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SweepView<'a> {
    api_version: &'static str,
    kind: &'static str,
    subject: SubjectView,
    changes: &'a [String],
    axes: Vec<&'a str>,
    current_replicas: Option<i32>,
    points: Vec<PointView<'a>>,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
struct PointView<'a> {
    values: &'a [String],
    replicas: Option<IntervalView>,
    /// Where they settle if the load stays.
    settles: Option<i32>,
    problem: Option<String>,
}

/// A sweep as a serializable value.
#[must_use]
pub fn sweep_view<'a>(sweep: &Sweep<'a>) -> SweepView<'a> {
    SweepView {
        api_version: API_VERSION,
        kind: "Sweep",
        subject: SubjectView::of(sweep.now),
        changes: sweep.changes,
        axes: sweep.axes.iter().map(|axis| axis.name.as_str()).collect(),
        current_replicas: sweep.now.current().map(|current| current.0),
        points: sweep.points.iter().map(PointView::of).collect(),
    }
}

impl<'a> PointView<'a> {
    fn of(point: &'a Point) -> Self {
        Self {
            values: &point.values,
            replicas: point.replicas.as_ref().ok().map(|range| IntervalView::of(*range)),
            settles: point.settles.and_then(Result::ok).map(|settles| settles.0),
            problem: point.replicas.as_ref().err().map(ToString::to_string),
        }
    }
}

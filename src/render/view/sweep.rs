//! A sweep.

use std::io::{self, Write};

use serde::Serialize;

use super::future::quoted;
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

/// Writes each point in a line of comma-separated values: the value of each axis, the lowest and the highest replicas at the next
/// sync, where they settle, and why there is no decision.
///
/// # Errors
/// Those of the writer.
pub fn sweep_csv(out: &mut dyn Write, sweep: &Sweep<'_>) -> io::Result<()> {
    let names = sweep.axes.iter().map(|axis| axis.name.as_str());
    let heads = names.chain(["lowest_replicas", "highest_replicas", "settles", "problem"]);
    writeln!(out, "{}", heads.collect::<Vec<_>>().join(","))?;
    for point in sweep.points {
        let ends = point.replicas.as_ref().ok();
        let settles = point.settles.and_then(Result::ok);
        let replicas = [ends.map(|ends| ends.0), ends.map(|ends| ends.1), settles];
        let replicas = replicas.map(|it| it.map_or_else(String::new, |replicas| replicas.0.to_string()));
        let problem = point.replicas.as_ref().err().map(ToString::to_string).unwrap_or_default();
        let cells = point.values.iter().chain(&replicas).chain([&problem]).map(|cell| quoted(cell));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join(","))?;
    }
    Ok(())
}

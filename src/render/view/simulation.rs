//! Two decisions and what lies between them.

use serde::Serialize;

use super::claims::{Told, proposal_noted};
use super::decision::{DecisionView, decision_view, what_if_view};
use super::number::Moment;
use crate::render::claims::ProposalNote;
use crate::render::rendered::{RenderedPod, RenderedStep};
use crate::render::simulation::Simulation;
use kubectl_hpa_core::comparison::{Comparison, FirstDifference, Requested, Sides};
use kubectl_hpa_core::snapshot::case::API_VERSION;
use kubectl_hpa_core::whatif::{Projection, Step};

/// A simulation as programs read it: `apiVersion: kubectl-hpa/v1`, `kind: Simulation`. There is no `now` where the
/// HPA is not there yet.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SimulationView<'a> {
    api_version: &'static str,
    kind: &'static str,
    changes: &'a [String],
    /// Whether the replicas and their pods are what was typed: nothing was read from a cluster.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_typed: bool,
    /// Whether the same is decided; without `now`: whether the replicas stay as they are. `null` where that is not known.
    #[serialize_always]
    same: Option<bool>,
    first_difference: Option<FirstDifferenceView>,
    pods: Vec<RenderedPod>,
    projection: ProjectionView,
    /// Obstacles to the changes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Told<ProposalNote>>,
    gained: Option<GainedView>,
    now: Option<DecisionView<'a>>,
    then: DecisionView<'a>,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
pub(super) struct FirstDifferenceView {
    now: Option<RenderedStep>,
    then: Option<RenderedStep>,
}

/// What happens after `then`, if the load stays and new pods take their share of it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ProjectionView {
    /// Whether it is known what follows; if so, the replicas settle after the last step, unless they go on changing.
    is_known: bool,
    /// Whether the replicas were still changing where looking ahead ended.
    goes_on: bool,
    /// The changes of the replicas.
    steps: Vec<StepView>,
}

#[derive(Clone, Debug, Serialize)]
struct StepView {
    at: Moment,
    replicas: i32,
}

#[derive(Clone, Debug, Serialize)]
struct GainedView {
    replicas: i64,
    requests: Vec<RequestView>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RequestView {
    resource: String,
    milli: i64,
}

/// A simulation as a serializable value.
#[must_use]
pub fn simulation_view<'a>(simulation: &Simulation<'a>) -> SimulationView<'a> {
    SimulationView {
        api_version: API_VERSION,
        kind: "Simulation",
        changes: simulation.changes,
        is_typed: simulation.is_typed,
        same: same(simulation.sides.comparison()),
        first_difference: simulation
            .sides
            .first_difference()
            .map(|it| FirstDifferenceView::of(&simulation.sides, &it)),
        pods: simulation.sides.regrouped().iter().map(RenderedPod::of).collect(),
        projection: ProjectionView::of(simulation.sides.then.projection()),
        notes: proposal_noted(&simulation.sides),
        gained: simulation.sides.net_effect().map(|effect| GainedView {
            replicas: effect.more(),
            requests: effect.requests.iter().map(RequestView::of).collect(),
        }),
        now: simulation.sides.now.map(decision_view),
        then: what_if_view(simulation.sides.then),
    }
}

/// What is not known is neither true nor false.
pub(super) fn same(comparison: Comparison) -> Option<bool> {
    match comparison {
        Comparison::Same => Some(true),
        Comparison::Different => Some(false),
        Comparison::Unknown => None,
    }
}

impl RequestView {
    fn of(requested: &Requested) -> Self {
        Self { resource: requested.resource.as_str().to_owned(), milli: requested.more() }
    }
}

impl ProjectionView {
    fn of(projection: &Projection) -> Self {
        let Projection { steps, is_known, goes_on, rest: _ } = projection;
        Self { is_known: *is_known, goes_on: *goes_on, steps: steps.iter().map(StepView::of).collect() }
    }
}

impl StepView {
    fn of(step: &Step) -> Self {
        Self { at: Moment(step.at), replicas: step.replicas.0 }
    }
}

impl FirstDifferenceView {
    pub fn of(sides: &Sides<'_>, difference: &FirstDifference<'_>) -> Self {
        let [now, then] = RenderedStep::of_sides(sides, [difference.now, difference.then]);
        Self { now, then }
    }
}

//! A change of many HPAs as programs read it.

use std::io::{self, Write};

use serde::Serialize;

use super::errors::ErrorView;
use super::future::quoted;
use super::origin::OriginColumns;
use super::simulation::same;
use crate::render::fleet_simulation::{FleetSimulation, SimulatedRow};
use kubectl_hpa_core::comparison::{Comparison, Effect, Pair, Span, Totals};
use kubectl_hpa_core::snapshot::case::API_VERSION;
use kubectl_hpa_core::snapshot::{HpaKey, Origin};

/// A change of many HPAs as programs read it: `apiVersion: kubectl-hpa/v1`, `kind: FleetSimulation`. Its schema is
/// `schema/fleet-simulation.schema.json`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FleetSimulationView<'a> {
    api_version: &'static str,
    kind: &'static str,
    changes: &'a [String],
    /// Of those that change or may.
    sum: TotalsView,
    /// All on which it was decided, also those that stay the same.
    items: Vec<SimulatedView<'a>>,
    /// Those that the changes cannot be made to.
    misfits: Vec<ErrorView<'a>>,
    errors: Vec<ErrorView<'a>>,
}

/// One of them.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SimulatedView<'a> {
    subject: KeyView<'a>,
    /// Whether the change makes no difference; `null` where that is not known.
    same: Option<bool>,
    /// Whether something broken keeps the controller from deciding, with the change as without it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stays_broken: bool,
    #[serde(flatten)]
    effect: Option<EffectView>,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Copy, Debug, Serialize)]
pub(in crate::render) struct KeyView<'a> {
    /// The context of the kubeconfig; absent of a case.
    context: Option<&'a str>,
    /// The case file or the example, if several were asked about.
    case: Option<&'a str>,
    namespace: &'a str,
    name: &'a str,
}

/// What is not known is absent.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct EffectView {
    /// Whether the replicas are those where they settle; else those after this sync.
    settles: bool,
    now: SideView,
    then: SideView,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SideView {
    /// After this sync.
    next_replicas: Option<SpanView>,
    replicas: SpanView,
    cpu_milli: Option<SpanView>,
    memory_milli: Option<SpanView>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct SpanView {
    lowest: i128,
    highest: i128,
}

/// Sums, and how many HPAs are in them in which way.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TotalsView {
    hpas: usize,
    /// So many are there with the replicas after this sync.
    unsettled: usize,
    without_cpu: usize,
    without_memory: usize,
    now: SideView,
    then: SideView,
}

/// A change of many HPAs as a serializable value.
#[must_use]
pub fn fleet_simulation_view(fleet: &FleetSimulation) -> FleetSimulationView<'_> {
    FleetSimulationView {
        api_version: API_VERSION,
        kind: "FleetSimulation",
        changes: &fleet.changes,
        sum: TotalsView::of(&fleet.totals()),
        items: simulated_views(fleet),
        misfits: fleet.misfits.iter().map(ErrorView::of).collect(),
        errors: fleet.failed.iter().map(ErrorView::of).collect(),
    }
}

/// One of each HPA.
#[must_use]
pub fn simulated_views(fleet: &FleetSimulation) -> Vec<SimulatedView<'_>> {
    fleet.rows.iter().map(SimulatedView::of).collect()
}

impl<'a> SimulatedView<'a> {
    fn of(row: &'a SimulatedRow) -> Self {
        Self {
            subject: KeyView::of(&row.key, row.origin.as_ref()),
            same: same(row.comparison),
            stays_broken: row.stays_broken,
            effect: row.effect.as_ref().map(EffectView::of),
        }
    }
}

impl<'a> KeyView<'a> {
    pub fn of(key: &'a HpaKey, origin: Option<&'a Origin>) -> Self {
        Self {
            context: origin.and_then(Origin::context),
            case: origin.and_then(Origin::case),
            namespace: &key.namespace,
            name: &key.name,
        }
    }
}

impl EffectView {
    pub fn of(effect: &Effect) -> Self {
        let replicas = effect.replicas();
        let [now, then] = [0, 1].map(|side: usize| SideView {
            next_replicas: Some(effect.next[side].into()),
            replicas: replicas[side].into(),
            cpu_milli: effect.cpu.map(|it| it[side].into()),
            memory_milli: effect.memory.map(|it| it[side].into()),
        });
        Self { settles: effect.settled.is_some(), now, then }
    }
}

impl TotalsView {
    pub fn of(totals: &Totals) -> Self {
        let known = |without: usize, pair: Pair, side: usize| {
            (without < totals.hpas || without == 0).then(|| pair[side].into())
        };
        let [now, then] = [0, 1].map(|side: usize| SideView {
            next_replicas: None,
            replicas: totals.replicas[side].into(),
            cpu_milli: known(totals.without_cpu, totals.cpu, side),
            memory_milli: known(totals.without_memory, totals.memory, side),
        });
        let Totals { hpas, unsettled, without_cpu, without_memory, .. } = *totals;
        Self { hpas, unsettled, without_cpu, without_memory, now, then }
    }
}

impl From<Span> for SpanView {
    fn from(Span { low, high }: Span) -> Self {
        Self { lowest: low, highest: high }
    }
}

/// The columns of what a change comes to; each is there twice, now and then, with its lowest and its highest number.
const EFFECT: [&str; 4] = ["next", "replicas", "cpu_milli", "memory_milli"];

/// Writes a change of many HPAs as comma-separated values, a row each.
///
/// # Errors
/// Those of the writer.
pub fn fleet_simulation_csv(out: &mut dyn Write, fleet: &FleetSimulation) -> io::Result<()> {
    let origins = OriginColumns::of(fleet.is_of_clusters, fleet.rows.iter().map(|row| row.origin.as_ref()));
    writeln!(out, "{}namespace,name,same,{}", origins.heads(), effect_heads())?;
    for row in &fleet.rows {
        let same = match row.comparison {
            Comparison::Same => "true",
            Comparison::Different => "false",
            Comparison::Unknown => "",
        };
        let (namespace, name) = (quoted(&row.key.namespace), quoted(&row.key.name));
        let begin = origins.cells(row.origin.as_ref());
        writeln!(out, "{begin}{namespace},{name},{same},{}", effect_cells(row.effect.as_ref()))?;
    }
    Ok(())
}

pub(super) fn effect_heads() -> String {
    let columns = EFFECT.iter().flat_map(|column| {
        ["now_lowest", "now_highest", "then_lowest", "then_highest"].map(|side| format!("{column}_{side}"))
    });
    ["settles".to_owned()].into_iter().chain(columns).collect::<Vec<_>>().join(",")
}

pub(super) fn effect_cells(effect: Option<&Effect>) -> String {
    let settles = effect.map_or_else(String::new, |it| it.settled.is_some().to_string());
    let pairs =
        effect.map_or([None; EFFECT.len()], |it| [Some(it.next), Some(it.replicas()), it.cpu, it.memory]);
    let ends = pairs.into_iter().flat_map(|pair| {
        let [now, then] = pair.map_or([None; 2], |pair| pair.map(Some));
        [now.map(|it| it.low), now.map(|it| it.high), then.map(|it| it.low), then.map(|it| it.high)]
    });
    let cells = ends.map(|end| end.map_or_else(String::new, |end| end.to_string()));
    [settles].into_iter().chain(cells).collect::<Vec<_>>().join(",")
}

//! Many HPAs as programs read them.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::errors::ErrorView;
use super::future::quoted;
use super::memory::IntervalView;
use super::number::Moment;
use super::origin::OriginColumns;
use crate::render::claims::InShort;
use crate::render::fleet::{Fleet, Listed};
use kubectl_hpa_core::model::Replicas;
use kubectl_hpa_core::snapshot::case::API_VERSION;

/// A list of HPAs as programs read it: `apiVersion: kubectl-hpa/v1`, `kind: HpaList`. Its schema is
/// `schema/list.schema.json`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FleetView<'a> {
    api_version: &'static str,
    kind: &'static str,
    /// How many there are in each state, also of those that are not listed.
    counts: BTreeMap<&'static str, usize>,
    items: Vec<ListedView<'a>>,
    /// What could not be read, listed or not.
    errors: Vec<ErrorView<'a>>,
}

/// One of them. What is not known is absent.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedView<'a> {
    /// The context of the kubeconfig; absent of a case.
    context: Option<&'a str>,
    /// The case file or the example, if several were asked about.
    case: Option<&'a str>,
    namespace: &'a str,
    name: &'a str,
    /// Since when it is being deleted.
    deletion_timestamp: Option<Moment>,
    /// Whether it is not there any more: these are the last words of it in a watch.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    gone: bool,
    target: Option<&'a str>,
    state: &'static str,
    /// Whether the state is that of the last status, because no more could be read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    by_status: bool,
    why: String,
    because: &'a InShort,
    /// The kind of the one cause that a person would name.
    cause: Option<&'static str>,
    /// The branch of the step at which it acts.
    code: Option<&'static str>,
    since: Option<Moment>,
    /// When it was looked at; of one that is gone, when it was not there any more.
    at: Option<Moment>,
    current_replicas: Option<i32>,
    /// The replicas after this sync: the lowest and the highest that are possible.
    next_replicas: Option<IntervalView>,
    /// What the metrics want, before windows, rates and bounds.
    wanted_replicas: Option<i32>,
    min_replicas: Option<i32>,
    max_replicas: Option<i32>,
    metric: Option<MetricView<'a>>,
}

/// The metric that decides, or the one that fails.
#[derive(Clone, Copy, Debug, Serialize)]
struct MetricView<'a> {
    name: &'a str,
    reads: &'a str,
}

/// A list of HPAs as a serializable value.
#[must_use]
pub fn fleet_view(fleet: &Fleet) -> FleetView<'_> {
    FleetView {
        api_version: API_VERSION,
        kind: "HpaList",
        counts: fleet.counts.iter().map(|(state, number)| (state.as_str(), *number)).collect(),
        items: listed_views(fleet),
        errors: fleet.errors.iter().map(ErrorView::of).collect(),
    }
}

/// One of each HPA that is listed.
#[must_use]
pub fn listed_views(fleet: &Fleet) -> Vec<ListedView<'_>> {
    fleet.rows.iter().map(ListedView::of).collect()
}

/// One row; of an HPA that is not there any more the last one.
#[must_use]
pub fn listed_view(row: &Listed, gone: bool) -> ListedView<'_> {
    ListedView { gone, ..ListedView::of(row) }
}

impl<'a> ListedView<'a> {
    fn of(row: &'a Listed) -> Self {
        Self {
            context: row.context(),
            case: row.case(),
            namespace: &row.namespace,
            name: &row.name,
            deletion_timestamp: row.deleted.map(Moment),
            gone: false,
            target: Some(row.target.as_str()).filter(|target| !target.is_empty()),
            state: row.state.as_str(),
            by_status: row.by_status.is_some(),
            why: row.why(),
            because: &row.because,
            cause: row.cause.map(|cause| cause.about.as_str()),
            code: row.cause.map(|cause| cause.code.as_str()),
            since: row.since.map(|(at, _)| Moment(at)),
            at: row.at.map(Moment),
            current_replicas: row.current.map(|current| current.0),
            next_replicas: row.range.map(IntervalView::of),
            wanted_replicas: row.wanted.map(|wanted| wanted.0),
            min_replicas: row.bounds.map(|(min, _)| min.0),
            max_replicas: row.bounds.map(|(_, max)| max.0),
            metric: row.metric.as_ref().map(|(name, reads)| MetricView { name, reads }),
        }
    }
}

/// Writes a list of HPAs as comma-separated values, a row each.
///
/// # Errors
/// Those of the writer.
pub fn fleet_csv(out: &mut dyn Write, fleet: &Fleet) -> io::Result<()> {
    let origins = OriginColumns::of(fleet.is_of_clusters, fleet.origins.iter().map(Some));
    writeln!(
        out,
        "{}namespace,name,target,state,current,lowest,highest,wanted,min,max,metric,reads,since,why,at",
        origins.heads()
    )?;
    for row in &fleet.rows {
        let number = |it: Option<Replicas>| it.map_or_else(String::new, |it| it.0.to_string());
        let (name, reads) = row.metric.as_ref().map_or(("", ""), |(name, reads)| (name, reads));
        let cells = [
            quoted(&row.namespace),
            quoted(&row.name),
            quoted(&row.target),
            row.state.as_str().to_owned(),
            number(row.current),
            number(row.range.map(|(low, _)| low)),
            number(row.range.map(|(_, high)| high)),
            number(row.wanted),
            number(row.bounds.map(|(min, _)| min)),
            number(row.bounds.map(|(_, max)| max)),
            quoted(name),
            quoted(reads),
            row.since.map_or_else(String::new, |(at, _)| at.to_rfc3339_nano()),
            quoted(&row.marked_why()),
            row.at.map_or_else(String::new, |at| at.to_string()),
        ];
        writeln!(out, "{}{}", origins.cells(row.origin.as_ref()), cells.join(","))?;
    }
    Ok(())
}

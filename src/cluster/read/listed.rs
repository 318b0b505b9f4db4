//! What is picked out of whole lists, where there are any: `None` where only a read of its own tells.

use std::sync::Arc;

use futures::channel::mpsc;
use futures::future::{FutureExt, join_all};
use futures::stream::StreamExt;

use crate::cluster::connection::Connection;
use crate::cluster::discovery::Mapping;
use crate::cluster::error::ClusterError;
use crate::cluster::lists::{Whole, Workload, WorkloadItem};
use crate::cluster::lookup::{HpaQuery, Subject};
use crate::cluster::wire::{DatedRead, Get};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::Selector;
use kubectl_hpa_core::snapshot::ReadError;

const METRICS: &str = "metrics.k8s.io";
const HPA: &str = "HorizontalPodAutoscaler";
/// The kinds whose lists have their scales, and their resources.
const WORKLOADS: [(&str, &str); 3] =
    [("Deployment", "deployments"), ("StatefulSet", "statefulsets"), ("ReplicaSet", "replicasets")];

/// What HPAs need beside the lists that all of them need.
#[derive(Clone, Copy)]
struct Needs {
    /// Lists of [`WORKLOADS`].
    workloads: [bool; WORKLOADS.len()],
    pod_metrics: bool,
}

impl Needs {
    fn of(hpas: &[api::Hpa]) -> Self {
        let scales = |kind: &str| {
            let mut targets = hpas.iter().map(|hpa| &hpa.spec.scale_target_ref);
            targets.any(|it| it.api_version == "apps/v1" && it.kind == kind)
        };
        Self {
            workloads: WORKLOADS.map(|(kind, _)| scales(kind)),
            pod_metrics: hpas.iter().any(|hpa| api::MetricSpec::need_pod_metrics(&hpa.spec.metrics)),
        }
    }
}

impl Connection {
    /// All HPAs that match, by namespace and name, each with a connection to its namespace. About most HPAs the lists that
    /// they need are read by then, all at the same time and while the HPAs still come: what is picked out of them later was
    /// true at about one instant, however long the HPAs before it took.
    ///
    /// # Errors
    /// If the HPAs cannot be listed, or there is none.
    pub async fn matching(&self, query: &HpaQuery) -> Result<Vec<(Self, Subject)>, ClusterError> {
        let (known, needed) = mpsc::unbounded();
        let read = needed.for_each_concurrent(None, |(listing, needs): (Self, Needs)| async move {
            listing.read_ahead(needs).await;
        });
        let found = async move {
            let mut need = |listing: &Self, hpas: &[api::Hpa]| {
                // What receives it does not end before.
                let _ = known.unbounded_send((listing.clone(), Needs::of(hpas)));
            };
            let found = self.found_by(query, &mut need).await?;
            let mut places: Vec<&Self> = found.iter().map(|(connection, _)| connection).collect();
            places.dedup_by_key(|place| place.namespace());
            for place in places.into_iter().filter(|place| place.whole().is_some()) {
                need(place, &place.hpas().await.read.unwrap_or_default());
            }
            Ok(found)
        };
        tokio::try_join!(found, read.map(Ok)).map(|(found, ())| found)
    }

    /// Reads lists, all at the same time, and what else each HPA needs.
    async fn read_ahead(&self, needs: Needs) {
        let kinds =
            WORKLOADS.into_iter().zip(needs.workloads).filter_map(|(it, is_needed)| is_needed.then_some(it));
        let workloads = kinds.clone().map(|(_, resource)| async move {
            let mapping =
                Mapping { group: "apps".into(), version: "v1".into(), resource: resource.to_owned() };
            self.listed_workload(&mapping, "", &unasked, |_| ()).await;
        });
        let about = kinds.map(|(kind, _)| kind).filter(|kind| *kind == "Deployment").chain([HPA]);
        let nothing = Selector::nothing();
        let events = about.map(|kind| self.listed_events(&unasked, kind, ""));
        let pod_metrics = async {
            if needs.pod_metrics {
                self.listed_pod_metrics(&unasked, &nothing).await;
            }
        };
        tokio::join!(
            join_all(workloads),
            join_all(events),
            self.listed_pods(&unasked, &nothing),
            pod_metrics,
            self.discovery(),
            self.settings()
        );
    }

    pub(super) async fn listed_pods(
        &self,
        single: &dyn Fn() -> Get,
        selector: &Selector,
    ) -> Option<DatedRead<Vec<Arc<api::Pod>>>> {
        let whole = self.whole()?;
        let scope = whole.scope(self.namespace());
        let list = |scope: &str| Whole::cached(Whole::list("", "v1", scope, "pods"), "", "pods");
        let labels: Vec<_> = selector.labels().collect();
        let pick = |pod: &Arc<api::Pod>| selector.matches(&pod.metadata.labels).then(|| Arc::clone(pod));
        let (client, name) = (&self.client, (scope, "pods"));
        Some(whole.pods.items::<Arc<api::Pod>, _>(client, name, &list, single, &labels, pick).await)
    }

    pub(super) async fn listed_pod_metrics(
        &self,
        single: &dyn Fn() -> Get,
        selector: &Selector,
    ) -> Option<DatedRead<Vec<Arc<api::PodMetrics>>>> {
        let whole = self.whole()?;
        let scope = whole.scope(self.namespace());
        let list = |scope: &str| Get::list(Whole::list(METRICS, "v1beta1", scope, "pods"), METRICS, "pods");
        let labels: Vec<_> = selector.labels().collect();
        let pick = |it: &Arc<api::PodMetrics>| selector.matches(&it.metadata.labels).then(|| Arc::clone(it));
        let (client, name) = (&self.client, (scope, "pods"));
        let items =
            whole.pod_metrics.items::<Arc<api::PodMetrics>, _>(client, name, &list, single, &labels, pick);
        Some(items.await)
    }

    pub(super) async fn listed_events(
        &self,
        single: &dyn Fn() -> Get,
        kind: &str,
        name: &str,
    ) -> Option<DatedRead<Vec<api::Event>>> {
        let whole = self.whole()?;
        let scope = whole.scope(self.namespace());
        let list = |scope: &str| {
            let path = Whole::list("", "v1", scope, "events");
            Whole::paged(
                path.parameter("fieldSelector", &format!("involvedObject.kind={kind}")),
                "",
                "events",
            )
        };
        let pick = |event: &api::Event| {
            let object = &event.involved_object;
            (object.kind == kind && object.name == name).then(|| event.clone())
        };
        let (client, names) = (&self.client.optional(), [(name, "")]);
        Some(whole.events.items::<api::Event, _>(client, (scope, kind), &list, single, &names, pick).await)
    }

    /// What is picked of a target of one of the kinds whose lists have all that is read of it. One that is not in the list
    /// is not found, as the API server says it of a read of `single`.
    pub(super) async fn listed_workload<U>(
        &self,
        mapping: &Mapping,
        name: &str,
        single: &dyn Fn() -> Get,
        pick: impl Fn(&Workload) -> U,
    ) -> Option<DatedRead<U>> {
        let Mapping { group, version, resource } = mapping;
        let is_listed = WORKLOADS.iter().any(|(_, listed)| listed == resource);
        if (group.as_str(), version.as_str()) != ("apps", "v1") || !is_listed {
            return None;
        }
        let (whole, client) = (self.whole()?, &self.client);
        let scope = whole.scope(self.namespace());
        let read = |scope: &str| Whole::paged(Whole::list(group, version, scope, resource), group, resource);
        let own = || read(scope);
        let (list, names) = ((scope, resource.as_str()), [(name, "")]);
        let pick = |workload: &Workload| (workload.metadata.name == name).then(|| pick(workload));
        let answer = whole.workloads.items::<WorkloadItem, U>(client, list, &read, &own, &names, pick).await;
        let read = match answer.read {
            Ok(mut picked) => picked.pop().ok_or_else(|| not_found(mapping, name, &single())),
            // The controller reads no such list.
            Err(error) => Err(error.of_reader()),
        };
        Some(DatedRead { read, at: answer.at })
    }
}

/// Source: `NewNotFound` of k8s.io/apimachinery's `pkg/api/errors`.
fn not_found(Mapping { group, resource, .. }: &Mapping, name: &str, single: &Get) -> ReadError {
    ReadError {
        code: Some(404),
        reason: "NotFound".into(),
        message: format!("{resource}.{group} \"{name}\" not found"),
        path: single.path.as_str().into(),
        ..ReadError::default()
    }
}

/// Stands for the read of no HPA.
fn unasked() -> Get {
    Get::plain("/")
}

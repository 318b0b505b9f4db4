//! What is picked out of whole lists, where there are any: `None` where only a read of its own can tell.

use std::collections::BTreeSet;

use futures::future::join_all;

use crate::cluster::connection::Connection;
use crate::cluster::discovery::Mapping;
use crate::cluster::lists::{Whole, Workload, WorkloadItem};
use crate::cluster::wire::{DatedRead, Get};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::Selector;

use super::gather::needs_pod_metrics;

const METRICS: &str = "metrics.k8s.io";
const HPA: &str = "HorizontalPodAutoscaler";
/// The kinds whose lists have their scales, and their resources.
const WORKLOADS: [(&str, &str); 3] =
    [("Deployment", "deployments"), ("StatefulSet", "statefulsets"), ("ReplicaSet", "replicasets")];

impl Connection {
    /// Reads the lists that the HPAs of the namespace need, all at the same time: what is picked out of them later was true
    /// at about one instant, however long the HPAs before it took. Without whole lists nothing is read.
    pub async fn read_ahead(&self) {
        if self.whole().is_none() {
            return;
        }
        let hpas = self.hpas().await.read.unwrap_or_default();
        let targets = hpas.iter().map(|hpa| &hpa.spec.scale_target_ref);
        let kinds: BTreeSet<&str> =
            targets.filter(|it| it.api_version == "apps/v1").map(|it| it.kind.as_str()).collect();
        let occurring = WORKLOADS.into_iter().filter(|(kind, _)| kinds.contains(kind));
        let workloads = occurring.map(|(_, resource)| async move {
            let mapping =
                Mapping { group: "apps".into(), version: "v1".into(), resource: resource.to_owned() };
            self.listed_workload(&mapping, "").await;
        });
        let about = kinds.contains("Deployment").then_some("Deployment").into_iter().chain([HPA]);
        let (nothing, alone) = (Selector::nothing(), unasked());
        let events = about.map(|kind| self.listed_events(&alone, kind, ""));
        let pod_metrics = async {
            if hpas.iter().any(|hpa| needs_pod_metrics(&hpa.spec.metrics)) {
                self.listed_pod_metrics(&alone, &nothing).await;
            }
        };
        tokio::join!(join_all(workloads), join_all(events), self.listed_pods(&alone, &nothing), pod_metrics,);
    }

    pub(super) async fn listed_pods(
        &self,
        single: &Get,
        selector: &Selector,
    ) -> Option<DatedRead<Vec<api::Pod>>> {
        let whole = self.whole()?;
        let list = Whole::cached(whole.list("", "v1", &self.client.namespace, "pods"), "", "pods");
        let labels: Vec<_> = selector.labels().collect();
        let keep = |pod: &api::Pod| selector.matches(&pod.metadata.labels);
        whole.pods.items::<api::Pod>(&self.client, &list, single, &labels, keep).await
    }

    pub(super) async fn listed_pod_metrics(
        &self,
        single: &Get,
        selector: &Selector,
    ) -> Option<DatedRead<Vec<api::PodMetrics>>> {
        let whole = self.whole()?;
        let path = whole.list(METRICS, "v1beta1", &self.client.namespace, "pods");
        let list = Get::list(path, METRICS, "pods");
        let labels: Vec<_> = selector.labels().collect();
        let keep = |metrics: &api::PodMetrics| selector.matches(&metrics.metadata.labels);
        whole.pod_metrics.items::<api::PodMetrics>(&self.client, &list, single, &labels, keep).await
    }

    pub(super) async fn listed_events(
        &self,
        single: &Get,
        kind: &str,
        name: &str,
    ) -> Option<DatedRead<Vec<api::Event>>> {
        let whole = self.whole()?;
        let path = whole.list("", "v1", &self.client.namespace, "events");
        let path = path.parameter("fieldSelector", &format!("involvedObject.kind={kind}"));
        let is_about = |event: &api::Event| {
            let object = &event.involved_object;
            object.kind == kind && object.name == name
        };
        let list = Whole::paged(path, "", "events");
        whole.events.items::<api::Event>(&self.client, &list, single, &[(name, "")], is_about).await
    }

    /// A target of one of the kinds whose lists have all that is read of it.
    pub(super) async fn listed_workload(
        &self,
        mapping: &Mapping,
        name: &str,
    ) -> Option<(Workload, DatedRead<()>)> {
        let Mapping { group, version, resource } = mapping;
        if (group.as_str(), version.as_str()) != ("apps", "v1") {
            return None;
        }
        let (whole, client) = (self.whole()?, &self.client);
        let path = whole.list(group, version, &client.namespace, resource);
        let list = Whole::paged(path, group, resource);
        let names = [(name, "")];
        let is_it = |workload: &Workload| workload.metadata.name == name;
        let answer = match resource.as_str() {
            "deployments" => {
                whole.workloads.items::<WorkloadItem<0>>(client, &list, &list, &names, is_it).await
            }
            "statefulsets" => {
                whole.workloads.items::<WorkloadItem<1>>(client, &list, &list, &names, is_it).await
            }
            "replicasets" => {
                whole.workloads.items::<WorkloadItem<2>>(client, &list, &list, &names, is_it).await
            }
            _ => None,
        }?;
        // One that is not in the list has an error of its own, in the words of its own read.
        let workload = answer.read.ok()?.pop()?;
        Some((workload, DatedRead { read: Ok(()), at: answer.at }))
    }
}

/// Stands for the read of no HPA.
fn unasked() -> Get {
    Get::plain("/")
}

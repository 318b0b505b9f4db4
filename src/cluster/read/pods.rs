//! The pods that a scale's selector matches, and what the resource metrics API knows of them.

use std::sync::Arc;

use crate::cluster::connection::Connection;
use crate::cluster::wire::{DatedRead, Get, Path};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::Selector;
use kubectl_hpa_core::snapshot::ReadError;

const METRICS: &str = "metrics.k8s.io";

impl Connection {
    /// Lists the pods. The controller has them from its own watch and never fails on this read, so an error of it is
    /// the reader's alone.
    pub(super) async fn pods(&self, selector: &Selector) -> DatedRead<Vec<Arc<api::Pod>>> {
        let single = || Get::list(self.selected("", "v1", selector), "", "pods");
        let pods = match self.listed_pods(&single, selector).await {
            Some(listed) => listed,
            None => self.client.list(&single()).await,
        };
        pods.map_err(ReadError::of_reader)
    }

    /// Lists what is measured of them.
    ///
    /// Source: `resourceMetricsClient.GetResourceMetric` of the controller's `metrics/client.go`.
    pub(super) async fn pod_metrics(&self, selector: &Selector) -> DatedRead<Vec<Arc<api::PodMetrics>>> {
        let single = || Get::list(self.selected(METRICS, "v1beta1", selector), METRICS, "pods");
        match self.listed_pod_metrics(&single, selector).await {
            Some(listed) => listed,
            None => self.client.list(&single()).await,
        }
    }

    fn selected(&self, group: &str, version: &str, selector: &Selector) -> Path {
        let pods = Path::of(group, version).namespace(&self.client.namespace).segment("pods");
        pods.parameter("labelSelector", &selector.to_string())
    }
}

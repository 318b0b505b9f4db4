//! The external metrics API, asked as the controller's client asks it.

use super::custom::answered;
use crate::cluster::connection::Connection;
use crate::cluster::wire::{Get, Path};
use kubectl_hpa_core::api;
use kubectl_hpa_core::snapshot::case::{MetricAnswer, MetricQuery};

const GROUP: &str = "external.metrics.k8s.io";

impl Connection {
    /// Asks for a metric that belongs to no object.
    ///
    /// Source: `namespacedMetrics.List` of `k8s.io/metrics/pkg/client/external_metrics`.
    pub(super) async fn external_metric(
        &self,
        metric: &api::MetricIdentifier,
    ) -> Option<MetricAnswer<api::ExternalMetricValue>> {
        let selector = metric.queried_selector()?;
        let path = Path::of(GROUP, "v1beta1")
            .namespace(&self.client.namespace)
            .segment(&metric.name)
            .parameter("labelSelector", &selector);
        let query = MetricQuery { metric: metric.clone(), described_object: None };
        let get = Get::list(path, GROUP, &metric.name);
        let answer = match self.shared_by_all() {
            Some(shared) => {
                shared.external_values.once(get.path.as_str().to_owned(), self.client.list(&get)).await
            }
            None => self.client.list(&get).await,
        };
        Some(answered(query, answer))
    }
}

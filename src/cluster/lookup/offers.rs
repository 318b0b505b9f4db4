//! What there is to choose from, for a command line that is being typed.

use std::sync::Arc;

use super::hpas::is_of_kind;
use crate::cluster::connection::Connection;
use crate::cluster::error::ClusterError;
use kubectl_hpa_core::api;

impl Connection {
    /// The HPAs of the namespace, in the order of the API server.
    ///
    /// # Errors
    /// If they cannot be listed.
    pub async fn autoscalers(&self) -> Result<Vec<api::Hpa>, ClusterError> {
        let hpas = self.hpas().await.read.map_err(|error| self.refused(error))?;
        Ok(Arc::unwrap_or_clone(hpas).items)
    }

    /// The names of what the namespace's HPAs scale of one type: `deploy`, `deployments.apps`.
    ///
    /// # Errors
    /// If the HPAs cannot be listed.
    pub async fn targets(&self, type_name: &str) -> Result<Vec<String>, ClusterError> {
        let (hpas, discovery) = tokio::join!(self.autoscalers(), self.discovery());
        let kinds = discovery.kinds(type_name);
        let targets = hpas?.into_iter().map(|hpa| hpa.spec.scale_target_ref);
        let targets = targets.filter(|target| kinds.iter().any(|kind| is_of_kind(target, kind)));
        Ok(targets.map(|target| target.name).collect())
    }

    /// The names of all namespaces.
    ///
    /// # Errors
    /// If they cannot be listed.
    pub async fn namespaces(&self) -> Result<Vec<String>, ClusterError> {
        self.namespace_names().await.map_err(|error| self.refused(error))
    }
}

//! The errors that end a question: what could not be read, and nothing can be said without.

use std::sync::Arc;

use crate::cluster::client::plainly::OIDC;
use crate::cluster::connection::Connection;
use crate::cluster::error::{ClusterError, is_of_the_resource};
use crate::cluster::wire::Decoded;
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::{Permission, nearest};
use kubectl_hpa_core::snapshot::{Read, ReadError, Scope};

impl Connection {
    /// The error that ends a question about an HPA that cannot be read.
    pub(in crate::cluster) fn without_hpa(
        &self,
        name: &str,
        error: ReadError,
        hpas: &Read<Arc<Decoded<api::Hpa>>>,
    ) -> ClusterError {
        // Only the API server can say that the HPA does not exist, and only if it serves autoscaling/v2.
        if error.code != Some(404) || error.scope == Scope::Reader || is_of_the_resource(&error.message) {
            return self.refused(error);
        }
        let hpas = hpas.as_ref().map_or(&[][..], |hpas| &hpas[..]);
        let near = nearest(name, hpas.iter().map(|hpa| hpa.metadata.name.as_str()));
        let scaling = hpas.iter().filter(|hpa| hpa.spec.scale_target_ref.name == name);
        let scaling = scaling.map(|hpa| hpa.metadata.name.as_str());
        // It may have been deleted since they were listed.
        let near = scaling.chain(near).filter(|near| *near != name);
        let mut near: Vec<String> = near.map(Into::into).collect();
        near.dedup();
        ClusterError::NoSuchHpa { name: name.into(), namespace: self.client.namespace.clone(), near }
    }

    /// The error that ends a question when a read that nothing can be said without has failed.
    pub(in crate::cluster) fn refused(&self, error: ReadError) -> ClusterError {
        let is_foreign = error.is_foreign();
        let ReadError { code, message, path, .. } = error;
        let server = self.client.server.clone();
        match code {
            Some(code) if code != 401 && is_foreign => ClusterError::Foreign { server, path, code, message },
            // This request went to the identity provider, not to the API server.
            None => match message.strip_prefix(OIDC) {
                Some(problem) => ClusterError::Config(format!("the OIDC login of the kubeconfig: {problem}")),
                None if has_begun(&message) => ClusterError::Failed { path, message },
                None => ClusterError::Unreachable { server, problem: message },
            },
            Some(401) => ClusterError::Unauthenticated { server, path, message },
            Some(403) => {
                // A user who may not impersonate needs the impersonate permission, not the one for the path.
                let permission =
                    Permission::to_get(&path).filter(|_| !message.contains("cannot impersonate"));
                let permission = permission.map(Box::new);
                ClusterError::Forbidden { path, message, permission }
            }
            Some(code) => ClusterError::Failed { path, message: format!("{message} ({code})") },
        }
    }
}

/// True if an answer came that did not come to its end, as its words say.
fn has_begun(message: &str) -> bool {
    message.starts_with("the answer ") || message.starts_with("the list ")
}

//! Whether it was the API server that said what anybody may have said.
//!
//! A load balancer can drop the `Audit-Id` by which an API server's plain text is known. Then the APIService tells: if the
//! API server has no such service, or one that is not available, the controller gets the same answer.

use std::collections::BTreeSet;

use futures::future::join_all;
use serde::Deserialize;

use crate::cluster::connection::Connection;
use crate::cluster::wire::{Get, Object, Path, Shape};
use kubectl_hpa_core::api;
use kubectl_hpa_core::snapshot::{Read, ReadError, Scope, Stage};

const GROUP: &str = "apiregistration.k8s.io";
const RESOURCE: &str = "apiservices";

/// An `APIService`, cut down to whether it can be reached.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ApiService {
    #[serde(deserialize_with = "api::nullable")]
    status: ServiceStatus,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ServiceStatus {
    #[serde(deserialize_with = "api::nullable")]
    conditions: Vec<ServiceCondition>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ServiceCondition {
    #[serde(rename = "type", deserialize_with = "api::nullable")]
    kind: String,
    #[serde(deserialize_with = "api::nullable")]
    status: String,
}

impl Object for ApiService {
    const SHAPE: Shape<'static> = Shape {
        kind: "APIService",
        versions: &["apiregistration.k8s.io/v1"],
        written: &["metadata.name", "spec.", "status."],
    };
}

impl Connection {
    /// Makes those errors the controller's too for which an APIService vouches. Where the last status quotes an error,
    /// it is known to be the controller's already, and nothing is asked.
    pub(super) async fn vouch(&self, status: &api::HpaStatus, errors: Vec<&mut ReadError>) {
        let mut errors: Vec<&mut ReadError> =
            errors.into_iter().filter(|error| is_open(error) && !error.is_quoted_by(status)).collect();
        let services: BTreeSet<String> = errors.iter().filter_map(|error| service(&error.path)).collect();
        let answers = join_all(services.iter().map(|name| self.is_unavailable(name))).await;
        for (name, answer) in services.iter().zip(&answers) {
            for error in errors.iter_mut().filter(|error| service(&error.path).as_ref() == Some(name)) {
                if agrees(answer, error.code) {
                    error.scope = Scope::Everyone;
                }
            }
        }
    }

    /// Returns true if the server behind an APIService is said not to be there. Questions that share ask for each once.
    async fn is_unavailable(&self, name: &str) -> Read<bool> {
        let path = Path::of(GROUP, "v1").segment(RESOURCE).segment(name);
        let get = Get::named(path, GROUP, RESOURCE, name);
        let client = self.client.optional();
        let read = async { client.object::<ApiService>(&get).await.map(|service| service.is_unavailable()) };
        match &self.shared {
            Some(shared) => shared.unavailable.once(name.to_owned(), read).await.read,
            None => read.await.read,
        }
    }
}

impl ApiService {
    fn is_unavailable(&self) -> bool {
        let mut conditions = self.status.conditions.iter();
        conditions.any(|condition| condition.kind == "Available" && condition.status == "False")
    }
}

/// Whether it is still open whose error it is.
fn is_open(error: &ReadError) -> bool {
    let is_of_the_read = error.stage == Stage::Get && error.scope == Scope::Reader;
    is_of_the_read && !error.is_foreign() && matches!(error.code, Some(404 | 503))
}

/// The name of the APIService of a path: `v1beta1.metrics.k8s.io`.
fn service(path: &str) -> Option<String> {
    let mut parts = path.strip_prefix("/apis/")?.split('/');
    let (group, version) = (parts.next()?, parts.next()?);
    Some(format!("{version}.{group}"))
}

/// True if the API server answers so by such an APIService.
fn agrees(is_unavailable: &Read<bool>, code: Option<u16>) -> bool {
    match (code, is_unavailable) {
        (Some(404), Err(error)) => error.code == Some(404) && error.scope == Scope::Everyone,
        (Some(503), Ok(is_unavailable)) => *is_unavailable,
        _ => false,
    }
}

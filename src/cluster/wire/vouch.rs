//! Whether it was the API server that said what anybody may have said.
//!
//! A load balancer can drop the `Audit-Id` by which an API server's plain text is known. Then the APIService tells: if the
//! API server has no such service, or one that is not available, the controller gets the same answer.

use std::collections::BTreeSet;

use futures::future::join_all;
use serde::Deserialize;

use super::get::Get;
use super::path::Path;
use super::shape::{Object, Shape};
use crate::cluster::client::Client;
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

impl Client {
    /// Makes those errors the controller's too for which an APIService vouches. Where the last status quotes an error,
    /// it is known to be the controller's already, and nothing is asked.
    pub(in crate::cluster) async fn vouch(&self, status: &api::HpaStatus, errors: Vec<&mut ReadError>) {
        let mut errors: Vec<&mut ReadError> =
            errors.into_iter().filter(|error| is_open(error) && !error.is_quoted_by(status)).collect();
        let services: BTreeSet<String> = errors.iter().filter_map(|error| service(&error.path)).collect();
        let answers = join_all(services.iter().map(|name| self.api_service(name))).await;
        for (name, answer) in services.iter().zip(&answers) {
            for error in errors.iter_mut().filter(|error| service(&error.path).as_ref() == Some(name)) {
                if agrees(answer, error.code) {
                    error.scope = Scope::Everyone;
                }
            }
        }
    }

    async fn api_service(&self, name: &str) -> Read<ApiService> {
        let path = Path::of(GROUP, "v1").segment(RESOURCE).segment(name);
        self.object(&Get::named(path, GROUP, RESOURCE, name)).await.read
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

/// Whether such an APIService makes the API server answer so.
fn agrees(service: &Read<ApiService>, code: Option<u16>) -> bool {
    match (code, service) {
        (Some(404), Err(error)) => error.code == Some(404) && error.scope == Scope::Everyone,
        (Some(503), Ok(service)) => {
            let mut conditions = service.status.conditions.iter();
            conditions.any(|condition| condition.kind == "Available" && condition.status == "False")
        }
        _ => false,
    }
}

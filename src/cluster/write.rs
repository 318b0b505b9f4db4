//! Writes, and the reads that go with them. Nothing else in this room changes anything.

use std::sync::Arc;

use http::Method;
use serde_json::Value;

use crate::cluster::connection::Connection;
use crate::cluster::error::ClusterError;
use crate::cluster::wire::{Get, Path, Shape};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::Permission;
use kubectl_hpa_core::snapshot::{ReadError, Stage};

/// The version of every scale.
const SCALE_VERSION: &str = "autoscaling/v1";
/// RFC 7386.
const MERGE_PATCH: &str = "application/merge-patch+json";

/// The place of an object in the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    group: String,
    version: String,
    resource: String,
    kind: String,
    name: String,
    subresource: Option<&'static str>,
}

/// As kubectl names it: `deployment.apps/web`.
impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let dot = if self.group.is_empty() { "" } else { "." };
        write!(f, "{}{dot}{}/{}", self.kind.to_ascii_lowercase(), self.group, self.name)
    }
}

impl Place {
    /// Whether it is the scale of the object.
    #[must_use]
    pub fn is_scale(&self) -> bool {
        self.subresource.is_some()
    }

    /// The kind of the object there.
    #[must_use]
    pub fn kind(&self) -> &str {
        if self.is_scale() { "Scale" } else { &self.kind }
    }

    /// The name of the object.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The object itself.
    #[must_use]
    pub fn object(&self) -> Self {
        Self { subresource: None, ..self.clone() }
    }

    fn version(&self) -> String {
        let Self { group, version, .. } = self;
        if group.is_empty() { version.clone() } else { format!("{group}/{version}") }
    }

    fn path(&self, namespace: &str) -> Path {
        let path = Path::of(&self.group, &self.version).namespace(namespace);
        let path = path.segment(&self.resource).segment(&self.name);
        self.subresource.into_iter().fold(path, Path::segment)
    }
}

/// Whether a write only asks what it would come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DryRun {
    /// It writes.
    No,
    /// The API server does all but store it.
    Server,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The object is another one than the one that was read.
    #[error("{0}")]
    Conflict(String),
    /// All else.
    #[error(transparent)]
    Refused(#[from] ClusterError),
}

impl Connection {
    /// Where an HPA stands.
    #[must_use]
    pub fn place_of_hpa(&self, name: &str) -> Place {
        Place {
            group: "autoscaling".into(),
            version: "v2".into(),
            resource: "horizontalpodautoscalers".into(),
            kind: "HorizontalPodAutoscaler".into(),
            name: name.into(),
            subresource: None,
        }
    }

    /// Where the scale of an HPA's target stands: at the resource through which the controller reads and writes it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn place_of_scale(&self, spec: &api::HpaSpec) -> Result<Place, ClusterError> {
        let mut discovery = self.discovery().await;
        self.complete(&mut discovery, &Ok(Arc::default()), &[spec]).await;
        let target = &spec.scale_target_ref;
        let mapped = self.mapped_scale(&discovery, target).await.read;
        let (_, mapping) = mapped.map_err(|error| match error.stage {
            Stage::Mapping => ClusterError::Unwritten {
                path: format!("the scale of {}/{}", target.kind, target.name),
                message: error.message,
            },
            Stage::Get => self.refused(error),
        })?;
        Ok(Place {
            group: mapping.group,
            version: mapping.version,
            resource: mapping.resource,
            kind: target.kind.clone(),
            name: target.name.clone(),
            subresource: Some("scale"),
        })
    }

    /// Reads an object whole.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn object_at(&self, place: &Place) -> Result<Value, ClusterError> {
        let path = place.path(&self.client.namespace);
        let get = Get::named(path, &place.group, &place.resource, &place.name);
        let version = if place.is_scale() { SCALE_VERSION.to_owned() } else { place.version() };
        let versions = [version.as_str()];
        let written = &["metadata.name", "metadata.namespace"];
        let shape = Shape { kind: place.kind(), versions: &versions, written };
        let read = self.client.shaped(&get, shape).await.read.map(|object| whole(place, object));
        read.map_err(|error| self.refused(error))
    }

    /// Patches an object (RFC 7386), and returns what is stored of it then. A patch that holds a `resourceVersion` is
    /// refused where the object has another one by now.
    ///
    /// # Errors
    /// If it is refused, or if it is not known whether it was stored ([`ClusterError::InDoubt`]).
    pub async fn patch(
        &self,
        place: &Place,
        patch: &Value,
        manager: &str,
        dry_run: DryRun,
    ) -> Result<Value, WriteError> {
        let at = place.path(&self.client.namespace);
        let dry_run = if dry_run == DryRun::Server { "All" } else { "" };
        let query = at.clone().parameter("dryRun", dry_run).parameter("fieldManager", manager);
        let query = query.parameter("fieldValidation", "Strict");
        let get = Get::list(query, "", "");
        let patched = self.client.exchanged(Method::PATCH, &get, MERGE_PATCH, patch).await;
        let patched = patched.map(|object| whole(place, object));
        patched.map_err(|error| unwritten(error, at.as_str()))
    }
}

/// A scale of 0 does not say so: upstream's encoder leaves out `spec.replicas`.
fn whole(place: &Place, mut object: Value) -> Value {
    if place.is_scale()
        && let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut)
    {
        spec.entry("replicas").or_insert_with(|| 0.into());
    }
    object
}

fn unwritten(error: ReadError, path: &str) -> WriteError {
    let is_foreign = error.is_foreign();
    let ReadError { code, message, .. } = error;
    let path = path.to_owned();
    match code {
        // A proxy on the way cannot say what happened to the write.
        Some(code) if code != 401 && is_foreign => ClusterError::InDoubt { path, message }.into(),
        // A webhook may answer with any code, even 409 or 503; nothing is stored before it has answered.
        Some(_) if is_of_a_webhook(&message) => ClusterError::Unwritten { path, message }.into(),
        Some(409) => WriteError::Conflict(message),
        // Webhooks and quotas refuse with 403 too.
        Some(403) if lacks_right(&message) => {
            let permission = Permission::to_get(&path).filter(|_| !message.contains("cannot impersonate"));
            let permission = permission.map(|it| Box::new(Permission { verb: "patch", ..it }));
            ClusterError::Forbidden { path, message, permission }.into()
        }
        // A proxy that timed out does not know whether the write was stored.
        Some(408) => ClusterError::InDoubt { path, message }.into(),
        Some(code @ 400..500) => {
            ClusterError::Unwritten { path, message: format!("{message} ({code})") }.into()
        }
        _ => ClusterError::InDoubt { path, message }.into(),
    }
}

/// Whether it is a missing right that refuses: upstream's `ForbiddenMessage` of the API server.
fn lacks_right(message: &str) -> bool {
    message.contains("cannot patch ") || message.contains("cannot impersonate ")
}

/// Whether an admission webhook refused the write, or could not be asked.
///
/// Source: `ToStatusErr` and `NewDryRunUnsupportedErr` of k8s.io/apiserver's `pkg/admission/plugin/webhook/errors`, and
/// `NewInternalError` of `ErrCallingWebhook`.
fn is_of_a_webhook(message: &str) -> bool {
    message.starts_with("admission webhook ")
        || message.starts_with("Internal error occurred: failed calling webhook ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Place, whole};

    #[test]
    fn a_scale_of_zero_says_so() {
        let place = |subresource| Place {
            group: String::new(),
            version: String::new(),
            resource: String::new(),
            kind: String::new(),
            name: String::new(),
            subresource,
        };
        assert_eq!(whole(&place(Some("scale")), json!({"spec": {}})), json!({"spec": {"replicas": 0}}));
        let three = json!({"spec": {"replicas": 3}});
        assert_eq!(whole(&place(Some("scale")), three.clone()), three);
        assert_eq!(whole(&place(None), json!({"spec": {}})), json!({"spec": {}}));
    }
}

//! What an answer must be to be believed: of the kind and the version that were asked for, about that very object, and
//! with the fields that the API server always writes.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::get::Get;
use super::written;
use kubectl_hpa_core::api;

/// A kind of the API, in the versions in which it may come.
#[derive(Clone, Copy, Debug)]
pub(in crate::cluster) struct Shape<'a> {
    /// Empty for what has no kind.
    pub kind: &'a str,
    pub versions: &'a [&'a str],
    /// The fields that upstream's encoder never leaves out, as [`written::check`] takes them.
    pub written: &'a [&'a str],
}

/// A single object that is read.
///
/// What a case keeps (HPAs, scales, and in bulk pods, their metrics and events) is read as the case's own objects
/// and not as k8s-openapi's: of ten thousand pods only what the controller looks at is ever held, and it is saved as it
/// was read. What no case keeps is read as k8s-openapi's where that takes all that client-go takes.
pub(in crate::cluster) trait Object: DeserializeOwned {
    const SHAPE: Shape<'static>;
}

impl Object for api::Hpa {
    const SHAPE: Shape<'static> =
        Shape { kind: "HorizontalPodAutoscaler", versions: &["autoscaling/v2"], written: HPA_WRITTEN };
}

/// Every version of autoscaling/v2 writes these.
const HPA_WRITTEN: &[&str] = &[
    "metadata.name",
    "metadata.namespace",
    "spec.scaleTargetRef.kind",
    "spec.scaleTargetRef.name",
    "spec.maxReplicas",
    "status.desiredReplicas",
    "status.currentMetrics",
];

impl Object for api::Scale {
    /// At 0 replicas `spec.replicas` is left out, at no selector `status.selector`.
    const SHAPE: Shape<'static> = Shape {
        kind: "Scale",
        versions: &["autoscaling/v1"],
        written: &["metadata.name", "metadata.namespace", "spec.", "status.replicas"],
    };
}

/// An answer that is something else.
#[derive(Debug, thiserror::Error)]
pub(in crate::cluster) enum Strange {
    /// It is no JSON, or lacks something.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It is of another media type.
    #[error("it is {0}, not JSON")]
    Media(String),
    /// It is of another kind.
    #[error("the answer is of kind {found:?}, not {expected}")]
    Kind { found: String, expected: String },
    /// It is of another version.
    #[error("the answer is of version {found:?}, not {expected}")]
    Version { found: String, expected: String },
    /// It is about something else.
    #[error("the answer is about {}{found:?}, not {expected:?}", what.map(|it| format!("{it} ")).unwrap_or_default())]
    Other { what: Option<&'static str>, found: String, expected: String },
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Identity {
    #[serde(deserialize_with = "api::nullable")]
    kind: String,
    #[serde(deserialize_with = "api::nullable")]
    api_version: String,
    #[serde(deserialize_with = "api::nullable")]
    metadata: Named,
}

/// Where an object is.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Named {
    #[serde(deserialize_with = "api::nullable")]
    pub name: String,
    #[serde(deserialize_with = "api::nullable")]
    pub namespace: String,
}

impl Shape<'_> {
    /// The object in an answer, if it is the one that was asked for.
    pub fn object<T: DeserializeOwned>(&self, get: &Get, json: &[u8]) -> Result<T, Strange> {
        written::check(json, &[])?;
        let found: Identity = serde_json::from_slice(json)?;
        if !(self.kind.is_empty() && found.kind.is_empty()) {
            self.typed(&found.kind, &found.api_version)?;
            same(None, &found.metadata.name, &get.about.name)?;
            same(Some("namespace"), &found.metadata.namespace, get.path.in_namespace())?;
        }
        written::check(json, self.written)?;
        Ok(serde_json::from_slice(json)?)
    }

    /// An error unless it is of the kind, in one of the versions.
    pub fn typed(&self, kind: &str, version: &str) -> Result<(), Strange> {
        // A target's kind may be lower case: client-go's mapper accepts that too.
        if kind != self.kind && kind.to_ascii_lowercase() != self.kind {
            return Err(Strange::Kind { found: kind.into(), expected: self.kind.into() });
        }
        if !self.versions.contains(&version) {
            return Err(Strange::Version { found: version.into(), expected: self.versions.join(" or ") });
        }
        Ok(())
    }
}

/// What was not asked for by its name has none that could be another.
fn same(what: Option<&'static str>, found: &str, expected: &str) -> Result<(), Strange> {
    if expected.is_empty() || found == expected {
        return Ok(());
    }
    Err(Strange::Other { what, found: found.into(), expected: expected.into() })
}

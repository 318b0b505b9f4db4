//! What is served: groups with their versions, resources and kinds.

use serde::Deserialize;

use crate::cluster::wire::{Item, Shape};
use kubectl_hpa_core::snapshot::ReadError;

/// All groups, or those that were asked for.
#[derive(Clone, Debug, Default)]
pub(in crate::cluster) struct Discovery {
    pub groups: Vec<Group>,
    /// Why a group that is not there may be served nevertheless.
    pub doubt: Option<ReadError>,
}

/// An API group with the versions that are served now, the preferred one first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::cluster) struct Group {
    metadata: GroupName,
    pub versions: Vec<Version>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct GroupName {
    name: String,
}

/// A version of a group.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_field_names, reason = "the API's names")]
pub(in crate::cluster) struct Version {
    pub version: String,
    pub resources: Vec<Resource>,
    freshness: String,
}

/// A resource: its names and its kind.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(clippy::struct_field_names, reason = "the API's names")]
pub(in crate::cluster) struct Resource {
    pub resource: String,
    pub singular_resource: String,
    pub short_names: Vec<String>,
    response_kind: Option<ResponseKind>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct ResponseKind {
    kind: String,
}

impl Group {
    pub fn new(name: &str, versions: Vec<Version>) -> Self {
        Self { metadata: GroupName { name: name.into() }, versions }
    }

    pub fn name(&self) -> &str {
        &self.metadata.name
    }
}

impl Version {
    pub fn new(version: &str, resources: Vec<Resource>) -> Self {
        Self { version: version.into(), resources, freshness: String::new() }
    }
}

impl Resource {
    pub fn new(resource: &str, kind: &str, short_names: Vec<String>) -> Self {
        Self {
            resource: resource.into(),
            singular_resource: kind.to_ascii_lowercase(),
            short_names,
            response_kind: Some(ResponseKind { kind: kind.into() }),
        }
    }

    pub fn kind(&self) -> &str {
        self.response_kind.as_ref().map_or("", |response| &response.kind)
    }
}

impl Item for Group {
    const LIST: Shape<'static> = Shape {
        kind: "APIGroupDiscoveryList",
        versions: &["apidiscovery.k8s.io/v2", "apidiscovery.k8s.io/v2beta1"],
        written: &["metadata."],
    };

    /// Source: `convertAPIGroup` of client-go: stale versions are taken for absent.
    fn trim(&mut self) {
        self.versions.retain(|version| version.freshness != "Stale");
        for version in &mut self.versions {
            version.resources.retain(|resource| !resource.kind().is_empty());
        }
    }
}

impl Discovery {
    /// A group by its name; the core group's is empty.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.name() == name)
    }

    /// Whether the groups must be asked for one by one: the answer was neither a refusal nor a failure, but not the aggregated form
    /// either.
    pub fn is_to_be_asked_plainly(&self) -> bool {
        self.doubt
            .as_ref()
            .is_some_and(|error| error.code.is_some_and(|code| !matches!(code, 401 | 403 | 429 | 500..)))
    }
}

//! What the API server serves: groups, versions, resources and their kinds.
//!
//! One request for the core group and one for all others tell everything (aggregated discovery, which every API
//! server since 1.26 speaks). Where something in between does not understand it, the group versions that are needed
//! are asked for one by one, at the price of one more round trip. Where discovery is forbidden, the built-in kinds are
//! known by heart.

use serde::Deserialize;

use super::client::Client;
use super::get::Get;
use super::items::Item;
use super::shape::Shape;
use kubectl_hpa_core::snapshot::{Read, ReadError, Scope};

/// The aggregated form in its two versions.
const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
    application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/// All groups, or those that were asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Discovery {
    pub groups: Vec<Group>,
    /// Why a group that is not there may be served nevertheless.
    pub doubt: Option<ReadError>,
}

/// An API group with the versions that are served now, the preferred one first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Group {
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
pub(super) struct Version {
    pub version: String,
    pub resources: Vec<Resource>,
    freshness: String,
}

/// A resource: its names and its kind.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(clippy::struct_field_names, reason = "the API's names")]
pub(super) struct Resource {
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

    /// Whether the groups must be asked for one by one: the answer was no refusal, but not the aggregated form either.
    pub fn is_to_be_asked_plainly(&self) -> bool {
        self.doubt.as_ref().is_some_and(|error| error.code.is_some_and(|code| !matches!(code, 401 | 403)))
    }
}

impl Client {
    /// Asks what is served, in the aggregated form.
    pub(super) async fn read_discovery(&self) -> Discovery {
        let (core, named) = (Get::plain("/api"), Get::plain("/apis"));
        let (core, named) = tokio::join!(self.list_as(&core, AGGREGATED), self.list_as(&named, AGGREGATED));
        let both = |core: Vec<Group>, named: Vec<Group>| core.into_iter().chain(named).collect();
        let groups: Read<Vec<Group>> = core.read.and_then(|core| Ok(both(core, named.read?)));
        match groups {
            Ok(groups) => Discovery { groups, doubt: None },
            Err(error) => {
                let doubt = Some(ReadError { scope: Scope::Reader, ..error });
                Discovery { groups: super::builtin::groups(), doubt }
            }
        }
    }
}

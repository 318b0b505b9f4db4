//! Plain discovery: what one group, or one version of a group, serves.

use std::collections::BTreeSet;

use futures::future::join_all;
use serde::Deserialize;

use super::connection::Connection;
use super::custom;
use super::discovery::{Discovery, Group, Resource, Version};
use super::get::Get;
use super::list::undecodable;
use super::path::Path;
use super::shape::{Object, Shape, Strange};
use kubectl_hpa_core::api::nullable;
use kubectl_hpa_core::model::GroupVersion;
use kubectl_hpa_core::snapshot::{Read, ReadError, Scope};

/// `APIResourceList`, as far as it is needed.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ResourceList {
    group_version: String,
    #[serde(deserialize_with = "nullable")]
    resources: Vec<PlainResource>,
}

impl Object for ResourceList {
    /// API servers leave the version out of the core group's.
    const SHAPE: Shape<'static> =
        Shape { kind: "APIResourceList", versions: &["v1", ""], written: &["groupVersion", "resources"] };
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PlainResource {
    name: String,
    kind: String,
    short_names: Vec<String>,
}

/// `APIGroup`, as far as it is needed.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PlainGroup {
    name: String,
    preferred_version: PlainVersion,
    versions: Vec<PlainVersion>,
}

impl Object for PlainGroup {
    const SHAPE: Shape<'static> =
        Shape { kind: "APIGroup", versions: &["v1"], written: &["name", "versions"] };
}

#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct PlainVersion {
    version: String,
}

impl Connection {
    /// Asks for the resources of these versions, and for the versions of the custom metrics API.
    pub(super) async fn plain_discovery(&self, needed: BTreeSet<(String, String)>) -> Discovery {
        let versions = needed.iter().map(|(group, version)| self.plain_version(group, version));
        let (versions, custom) = tokio::join!(join_all(versions), self.plain_group(custom::GROUP));
        let mut discovery = Discovery::default();
        for group in versions.into_iter().chain([custom]) {
            match group {
                Ok(group) => discovery.groups.push(group),
                // What is not served is known not to be, if it is the API server that says so.
                Err(error) if error.code == Some(404) && error.scope == Scope::Everyone => {}
                Err(error) => discovery.doubt = Some(ReadError { scope: Scope::Reader, ..error }),
            }
        }
        discovery
    }

    async fn plain_version(&self, group: &str, version: &str) -> Read<Group> {
        let get = Get::list(Path::of(group, version), "", "");
        let list: ResourceList = self.object(&get).await.read?;
        let asked = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
        confirm(&get, list.group_version, asked)?;
        let resources = list.resources.into_iter().filter(|resource| !resource.name.contains('/'));
        let resources =
            resources.map(|resource| Resource::new(&resource.name, &resource.kind, resource.short_names));
        Ok(Group::new(group, vec![Version::new(version, resources.collect())]))
    }

    async fn plain_group(&self, name: &str) -> Read<Group> {
        let get = Get::plain(&format!("/apis/{name}"));
        let found: PlainGroup = self.object(&get).await.read?;
        confirm(&get, found.name.clone(), name.to_owned())?;
        let preferred = found.preferred_version.clone();
        let others = found.versions.into_iter().filter(|version| *version != preferred);
        let versions = std::iter::once(preferred.clone()).chain(others);
        Ok(Group::new(name, versions.map(|version| Version::new(&version.version, Vec::new())).collect()))
    }
}

/// An error where an answer is about another group or version: they have no metadata that would tell.
fn confirm(get: &Get, found: String, expected: String) -> Read<()> {
    if found == expected {
        return Ok(());
    }
    Err(undecodable(get, &Strange::Other { what: Some("group"), found, expected }))
}

/// The parts of an `apiVersion`, as [`GroupVersion`] reads it; none if it is malformed or has no version.
pub(super) fn group_version(api_version: &str) -> Option<(String, String)> {
    let parsed = GroupVersion::parse(api_version).ok()?;
    (!parsed.version.is_empty()).then(|| (parsed.group.into(), parsed.version.into()))
}

//! Plain discovery: what one group, or one version of a group, serves.

use std::collections::BTreeSet;

use futures::future::join_all;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{APIGroup, APIResource};
use serde::Deserialize;

use super::builtin;
use super::groups::{Discovery, Group, Resource, Version};
use crate::cluster::client::Client;
use crate::cluster::wire::{Get, Object, Path, Shape, Strange, undecodable};
use kubectl_hpa_core::api::nullable;
use kubectl_hpa_core::model::GroupVersion;
use kubectl_hpa_core::snapshot::{Read, Scope};

/// The one group that is asked for by itself: the controller's client has to know in which versions it is served.
pub(in crate::cluster) const CUSTOM_METRICS: &str = "custom.metrics.k8s.io";

/// `APIResourceList`, but that its version may be empty: k8s-openapi's own takes "v1" alone.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ResourceList {
    group_version: String,
    #[serde(deserialize_with = "nullable")]
    resources: Vec<APIResource>,
}

impl Object for ResourceList {
    /// API servers leave the version out of the core group's.
    const SHAPE: Shape<'static> =
        Shape { kind: "APIResourceList", versions: &["v1", ""], written: &["groupVersion", "resources"] };
}

impl Object for APIGroup {
    const SHAPE: Shape<'static> =
        Shape { kind: "APIGroup", versions: &["v1"], written: &["name", "versions"] };
}

impl Client {
    /// Asks for the resources of these versions, and for the versions of the custom metrics API.
    pub(in crate::cluster) async fn plain_discovery(&self, needed: BTreeSet<(String, String)>) -> Discovery {
        let versions = needed.iter().map(|(group, version)| self.plain_version(group, version));
        let (versions, custom) = tokio::join!(join_all(versions), self.plain_group(CUSTOM_METRICS));
        let names = needed.iter().map(|(group, _)| group.as_str());
        let mut discovery = Discovery::default();
        for (name, group) in names.zip(versions).chain([(CUSTOM_METRICS, custom)]) {
            match group {
                Ok(group) => discovery.groups.push(group),
                // A 404 proves that the resource is not served only if it comes from the API server itself.
                Err(error) if error.code == Some(404) && error.scope == Scope::Everyone => {}
                Err(error) => {
                    discovery.groups.extend(builtin::groups().into_iter().filter(|it| it.name() == name));
                    discovery.doubt = Some(error.of_reader());
                }
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
        let resources = resources.map(|resource| {
            Resource::new(&resource.name, &resource.kind, resource.short_names.unwrap_or_default())
        });
        Ok(Group::new(group, vec![Version::new(version, resources.collect())]))
    }

    async fn plain_group(&self, name: &str) -> Read<Group> {
        let get = Get::plain(&format!("/apis/{name}"));
        let found: APIGroup = self.object(&get).await.read?;
        confirm(&get, found.name, name.to_owned())?;
        let preferred = found.preferred_version.unwrap_or_default();
        let others = found.versions.into_iter().filter(|version| version.version != preferred.version);
        let versions: Vec<_> = std::iter::once(preferred.clone()).chain(others).collect();
        Ok(Group::new(
            name,
            versions.iter().map(|version| Version::new(&version.version, Vec::new())).collect(),
        ))
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
pub(in crate::cluster) fn group_version(api_version: &str) -> Option<(String, String)> {
    let parsed = GroupVersion::parse(api_version).ok()?;
    (!parsed.version.is_empty()).then(|| (parsed.group.into(), parsed.version.into()))
}

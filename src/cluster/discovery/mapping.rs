//! From kinds to resources and back, as client-go's REST mapper does it over discovery.

use super::groups::{Discovery, Group, Resource, Version};
use kubectl_hpa_core::model::go_text::quote;
use kubectl_hpa_core::model::nearest;
use kubectl_hpa_core::snapshot::{Read, ReadError, Stage};

/// A resource that a kind stands for, in the version in which it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cluster) struct Mapping {
    pub group: String,
    pub version: String,
    pub resource: String,
}

/// A kind in its group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cluster) struct GroupKind {
    pub group: String,
    pub kind: String,
}

impl Discovery {
    /// All resources of a kind in the order in which the controller tries them, each in the preferred one of the
    /// versions that serve it. Never an empty list.
    ///
    /// Source: `DefaultRESTMapper.RESTMappings` over the mappers of `NewDiscoveryRESTMapper`, one for each version;
    /// `scaleClient.pathAndVersionFor` of client-go drops the mapping's version and asks for the preferred one.
    pub fn mappings(&self, group: &str, kind: &str) -> Read<Vec<Mapping>> {
        let mut mappings: Vec<Mapping> = Vec::new();
        if let Some(found) = self.group(group) {
            for version in &found.versions {
                // If several resources have one kind, the last counts: it overwrites the others in client-go's mapper.
                let Some(resource) = version.resources.iter().rfind(|resource| is_kind(resource, kind))
                else {
                    continue;
                };
                if mappings.iter().all(|known| known.resource != resource.resource) {
                    mappings.push(preferred(found, resource));
                }
            }
        }
        if mappings.is_empty() { Err(self.no_match(group, kind)) } else { Ok(mappings) }
    }

    fn no_match(&self, group: &str, kind: &str) -> ReadError {
        match &self.doubt {
            Some(error) => ReadError { stage: Stage::Mapping, ..error.clone() },
            None => ReadError {
                message: format!("no matches for kind {} in group {}", quote(kind), quote(group)),
                stage: Stage::Mapping,
                ..ReadError::default()
            },
        }
    }

    /// Types that a mistyped one may have been meant for, nearest first.
    pub fn near_types(&self, type_name: &str) -> Vec<String> {
        let resources =
            self.groups.iter().flat_map(|group| &group.versions).flat_map(|version| &version.resources);
        let typed = type_name.to_ascii_lowercase();
        nearest(&typed, resources.map(|resource| resource.resource.as_str()))
            .into_iter()
            .map(Into::into)
            .collect()
    }

    /// The kinds that a typed name may mean, the most specific group first, as kubectl looks them up: plural,
    /// singular, short name or kind, alone or with `.GROUP` or `.VERSION.GROUP`.
    pub fn kinds(&self, type_name: &str) -> Vec<GroupKind> {
        let typed = type_name.to_ascii_lowercase();
        let (name, suffix) =
            typed.split_once('.').map_or((typed.as_str(), None), |(name, rest)| (name, Some(rest)));
        let mut kinds = Vec::new();
        for group in &self.groups {
            for version in &group.versions {
                if !suffix.is_none_or(|suffix| is_suffix(suffix, group.name(), &version.version)) {
                    continue;
                }
                for resource in version.resources.iter().filter(|resource| is_called(resource, name)) {
                    let kind = GroupKind { group: group.name().into(), kind: resource.kind().into() };
                    if !kinds.contains(&kind) {
                        kinds.push(kind);
                    }
                }
            }
        }
        kinds
    }
}

/// The mapper knows each kind as it is written and in small letters.
fn is_kind(resource: &Resource, kind: &str) -> bool {
    resource.kind() == kind || resource.kind().to_ascii_lowercase() == kind
}

fn is_called(resource: &Resource, name: &str) -> bool {
    resource.resource == name
        || resource.singular_resource == name
        || resource.kind().to_ascii_lowercase() == name
        || resource.short_names.iter().any(|short| short == name)
}

fn is_suffix(suffix: &str, group: &str, version: &str) -> bool {
    suffix == group || suffix.strip_prefix(version).and_then(|rest| rest.strip_prefix('.')) == Some(group)
}

fn preferred(group: &Group, resource: &Resource) -> Mapping {
    let serves =
        |version: &&Version| version.resources.iter().any(|served| served.resource == resource.resource);
    let version = group.versions.iter().find(serves).map_or("", |version| &version.version);
    Mapping { group: group.name().into(), version: version.into(), resource: resource.resource.clone() }
}

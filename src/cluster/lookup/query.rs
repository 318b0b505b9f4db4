//! Which HPAs there are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::subject::Subject;
use crate::cluster::connection::Connection;
use crate::cluster::error::ClusterError;
use crate::cluster::wire::{DatedRead, Decoded, Get, Item, Object, Path, Shape};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::{Selector, Text, nearest};
use kubectl_hpa_core::snapshot::{Read, ReadError};

/// A namespace, cut down to its name.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Namespace {
    metadata: api::ObjectMeta,
}

impl Item for Namespace {
    const LIST: Shape<'static> =
        Shape { kind: "NamespaceList", versions: &["v1"], written: &["metadata.name"] };
}

impl Object for Namespace {
    const SHAPE: Shape<'static> = Shape { kind: "Namespace", versions: &["v1"], written: &["metadata.name"] };
}

/// From so many HPAs on, whole lists are fewer requests than the reads of each.
const MANY: usize = 10;
/// Of more namespaces than this the lists are those of the whole cluster.
const NAMESPACES: usize = 8;

/// What is asked for when no HPA is named.
#[derive(Clone, Debug, Default)]
pub struct HpaQuery {
    /// Whether of all namespaces.
    pub everywhere: bool,
    /// The labels that they must have.
    pub selector: Option<Selector>,
}

/// Whether what is asked about is listed whole, and then, whether in the whole cluster: if it is most of what is there. The
/// lists of few HPAs would hold more of others.
fn whole<'a>(found: impl Iterator<Item = &'a api::ObjectMeta>, all: usize) -> Option<bool> {
    let (mut number, mut namespaces) = (0, BTreeSet::new());
    for it in found {
        number += 1;
        namespaces.insert(it.namespace.as_str());
    }
    (number >= MANY && number * 2 >= all).then_some(namespaces.len() > NAMESPACES)
}

/// Where an HPA is, and its name.
fn place(hpa: &api::ObjectMeta) -> (&str, &str) {
    (&hpa.namespace, &hpa.name)
}

/// Those of each namespace.
fn by_namespace(hpas: Decoded<api::Hpa>) -> Vec<Arc<Decoded<api::Hpa>>> {
    let mut by_namespace: BTreeMap<Text, Decoded<api::Hpa>> = BTreeMap::new();
    for hpa in hpas.items {
        by_namespace.entry(hpa.metadata.namespace.clone()).or_default().items.push(hpa);
    }
    for hpa in hpas.undecoded {
        by_namespace.entry(hpa.metadata.namespace.clone()).or_default().undecoded.push(hpa);
    }
    let shared = |mut hpas: Decoded<_>| {
        hpas.items.shrink_to_fit();
        Arc::new(hpas)
    };
    by_namespace.into_values().map(shared).collect()
}

impl Connection {
    /// All HPAs that match, by namespace and name, each with a connection to its namespace. `note` gets those of the first
    /// pages as soon as these show that lists of the whole cluster are read, and the connection that reads them.
    ///
    /// # Errors
    /// If they cannot be listed, or there is none.
    pub(in crate::cluster) async fn found_by(
        &self,
        query: &HpaQuery,
        note: &mut dyn FnMut(&Self, &[api::Hpa]),
    ) -> Result<Vec<(Self, Subject)>, ClusterError> {
        let mut listing: Option<Self> = None;
        let note = &mut |hpas: &[api::Hpa]| {
            // What a selector leaves out is known at the end; without one, further HPAs change nothing.
            if query.selector.is_none()
                && listing.is_none()
                && whole(hpas.iter().map(|it| &it.metadata), hpas.len()) == Some(true)
            {
                listing = Some(self.clone().listing(true));
            }
            if let Some(listing) = &listing {
                note(listing, hpas);
            }
        };
        let DatedRead { read, at } = if query.everywhere {
            self.read_hpas_everywhere(note).await.map(by_namespace)
        } else {
            self.hpas().await.map(|hpas| vec![hpas])
        };
        let hpas = read.map_err(|error| self.refused(error))?;
        let all = hpas.iter().map(|hpas| hpas.metadata().count()).sum();
        // An API server has none without a namespace, and none could be read again.
        let is_wanted = |hpa: &&api::ObjectMeta| {
            let is_selected = query.selector.as_ref().is_none_or(|it| it.matches(&hpa.labels));
            is_selected && !hpa.namespace.is_empty()
        };
        let mut found: Vec<_> = hpas.iter().flat_map(|hpas| hpas.metadata()).filter(is_wanted).collect();
        found.sort_unstable_by_key(|hpa| place(hpa));
        // What a page has again is the same object.
        found.dedup_by_key(|hpa| place(hpa));
        if found.is_empty() {
            return Err(self.nothing_matches(query, all).await);
        }
        let listing = listing.or_else(|| {
            whole(found.iter().copied(), all).map(|is_everywhere| self.clone().listing(is_everywhere))
        });
        let asked = listing.unwrap_or_else(|| self.clone());
        for hpas in &hpas {
            asked.keep_hpas(&DatedRead { read: Ok(Arc::clone(hpas)), at });
        }
        let mut connection = asked;
        let found_in = |hpa: &api::ObjectMeta| {
            if hpa.namespace != connection.namespace() {
                connection = connection.in_namespace(&hpa.namespace);
            }
            (connection.clone(), Subject::Hpa(hpa.name.clone()))
        };
        Ok(found.into_iter().map(found_in).collect())
    }

    /// Whether a word is a type of the API server rather than the name of an HPA.
    pub async fn is_type(&self, word: &str) -> bool {
        let (hpas, discovery) = tokio::join!(self.hpas(), self.discovery());
        let is_name = hpas.read.iter().flat_map(|hpas| hpas.metadata()).any(|hpa| hpa.name == word);
        !is_name && !discovery.kinds(word).is_empty()
    }

    /// The namespace of `NAMESPACE/NAME`, as headers name an HPA, if that is meant: no type is called so, and the HPA or at
    /// least the namespace is there.
    pub async fn of_place(&self, namespace: &str, name: &str) -> Option<Self> {
        if !self.discovery().await.kinds(namespace).is_empty() {
            return None;
        }
        let there = self.in_namespace(namespace);
        let is_meant = there.hpa(name).await.read.is_ok() || there.is_namespace().await;
        is_meant.then_some(there)
    }

    /// Whether the namespace exists: it has HPAs, or the API server says so.
    async fn is_namespace(&self) -> bool {
        self.hpas().await.read.is_ok_and(|hpas| hpas.metadata().next().is_some())
            || self.read_namespace().await.is_ok()
    }

    async fn read_namespace(&self) -> Read<Namespace> {
        let path = Path::of("", "v1").segment("namespaces").segment(&self.client.namespace);
        self.client.object(&Get::named(path, "", "namespaces", &self.client.namespace)).await.read
    }

    async fn nothing_matches(&self, query: &HpaQuery, all: usize) -> ClusterError {
        match all {
            _ if query.everywhere => ClusterError::NoHpasAnywhere,
            0 => self.without_any().await,
            _ => ClusterError::NoHpas { namespace: self.client.namespace.clone() },
        }
    }

    /// The error where the namespace has none.
    pub async fn without_any(&self) -> ClusterError {
        let error = ClusterError::NoHpas { namespace: self.client.namespace.clone() };
        self.or_without_namespace(&Ok(Arc::default()), error).await
    }

    /// Why nothing was found in a namespace without any HPA: perhaps because it isn't there either.
    pub(in crate::cluster) async fn or_without_namespace(
        &self,
        hpas: &Read<Arc<Decoded<api::Hpa>>>,
        error: ClusterError,
    ) -> ClusterError {
        let is_empty = hpas.as_ref().is_ok_and(|hpas| hpas.is_empty());
        let is_absence = matches!(
            error,
            ClusterError::NoSuchHpa { .. } | ClusterError::NotScaled { .. } | ClusterError::NoHpas { .. }
        );
        if !(is_empty && is_absence && self.is_without_namespace().await) {
            return error;
        }
        let namespace = self.client.namespace.clone();
        let names = self.namespace_names().await.unwrap_or_default();
        let near = nearest(&namespace, names.iter().map(String::as_str)).into_iter().map(Into::into);
        let near = near.collect();
        ClusterError::NoSuchNamespace { namespace, near }
    }

    /// The names of all namespaces.
    pub(super) async fn namespace_names(&self) -> Read<Vec<String>> {
        let get = Get::list(Path::of("", "v1").segment("namespaces"), "", "namespaces");
        let namespaces: Vec<Namespace> = self.client.list(&get).await.read?;
        Ok(namespaces.into_iter().map(|namespace| namespace.metadata.name).collect())
    }

    /// Whether the API server says that the namespace does not exist; where it doesn't tell, it may.
    async fn is_without_namespace(&self) -> bool {
        let read = self.read_namespace().await;
        let words = format!("namespaces {:?} not found", self.client.namespace);
        read.is_err_and(|ReadError { code, message, .. }| code == Some(404) && message == words)
    }
}

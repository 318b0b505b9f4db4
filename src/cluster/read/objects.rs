//! The objects that lint looks at: whole lists, each read once, however many HPAs there are.

use std::collections::BTreeSet;

use futures::future::join_all;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::raw::{self, Kind, Raw};
use crate::cluster::connection::Connection;
use crate::cluster::discovery::Discovery;
use crate::cluster::error::ClusterError;
use crate::cluster::lists::Whole;
use crate::cluster::wire::{DatedRead, Get, Object, Path, Shape};
use kubectl_hpa_core::snapshot::Read;

/// What there is to look at, and what is not known.
#[derive(Debug, Default)]
pub struct Gathered {
    /// Objects of all kinds, and the answers of discovery in the form in which the API server gives them.
    pub objects: Vec<Value>,
    /// What could not be read.
    pub unread: Vec<Unread>,
}

/// A list that could not be read.
#[derive(Debug)]
pub struct Unread {
    /// The resource, as `limitranges`.
    pub resource: String,
    /// Whether most rules need it.
    pub is_needed: bool,
    /// Why.
    pub error: ClusterError,
}

/// A metrics API: what it offers.
struct Offers(Value);

impl<'de> Deserialize<'de> for Offers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self)
    }
}

impl Object for Offers {
    const SHAPE: Shape<'static> =
        Shape { kind: "APIResourceList", versions: &["v1", ""], written: &["groupVersion", "resources"] };
}

/// The types of metrics that an adapter has to offer, and the API that it serves them by.
const METRICS: [(&str, &[&str]); 2] =
    [("custom.metrics.k8s.io", &["Pods", "Object"]), ("external.metrics.k8s.io", &["External"])];

impl Connection {
    /// Reads all HPAs of the namespace or of all, and what lint looks at beside them.
    ///
    /// # Errors
    /// If the HPAs cannot be listed. What else cannot be read is in the answer.
    pub async fn lint_objects(&self, everywhere: bool) -> Result<Gathered, ClusterError> {
        let asked = self.clone().listing(everywhere);
        let (hpas, discovery) = tokio::join!(asked.raw(raw::HPA, everywhere), asked.discovery());
        let hpas = hpas.map_err(|error| self.refused(error))?;
        let mut gathered = Gathered { objects: hpas, unread: Vec::new() };
        if gathered.objects.is_empty() {
            return Ok(gathered);
        }
        let (beside, offers) = tokio::join!(
            asked.beside(everywhere, &discovery, &gathered.objects),
            asked.offers(&discovery, &gathered.objects)
        );
        for (resource, is_needed, read) in beside.into_iter().chain(offers) {
            match read {
                Ok(objects) => gathered.objects.extend(objects),
                // A kind that the cluster does not have.
                Err(error) if error.code == Some(404) && !is_needed => {}
                Err(error) => {
                    gathered.unread.push(Unread { resource, is_needed, error: self.refused(error) });
                }
            }
        }
        if discovery.doubt.is_none() {
            let groups: Vec<Value> =
                discovery.groups.iter().map(|group| json!({"name": group.name()})).collect();
            gathered.objects.push(json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}));
        }
        Ok(gathered)
    }

    /// What is beside the HPAs; custom kinds only if they are served.
    async fn beside(&self, everywhere: bool, discovery: &Discovery, hpas: &[Value]) -> Vec<Listed> {
        let is_scaled = |kind: &str| hpas.iter().any(|hpa| hpa["spec"]["scaleTargetRef"]["kind"] == kind);
        let is_served = |kind: &Kind| discovery.doubt.is_some() || discovery.group(kind.group).is_some();
        let list = async |index: usize, is_wanted: bool| {
            let kind = &raw::KINDS[index];
            if !is_wanted {
                return None;
            }
            let read = self.raw(index, everywhere || index == raw::NODES).await;
            Some((kind.resource.to_owned(), index <= raw::REPLICA_SETS, read))
        };
        let lists = [
            list(raw::DEPLOYMENTS, true),
            list(raw::STATEFUL_SETS, true),
            list(raw::REPLICA_SETS, is_scaled("ReplicaSet")),
            list(raw::LIMIT_RANGES, true),
            list(raw::QUOTAS, true),
            list(raw::NODES, true),
            list(raw::VPAS, is_served(&raw::KINDS[raw::VPAS])),
            list(raw::SCALED_OBJECTS, is_served(&raw::KINDS[raw::SCALED_OBJECTS])),
        ];
        join_all(lists).await.into_iter().flatten().collect()
    }

    async fn raw(&self, index: usize, everywhere: bool) -> Read<Vec<Value>> {
        let kind = &raw::KINDS[index];
        let Kind { group, version, resource, .. } = *kind;
        let scope = if everywhere { "" } else { self.namespace() };
        let list = Whole::paged(Whole::list(group, version, scope, resource), group, resource);
        let items = self.client.list::<Raw>(&list).await.read?;
        Ok(items.into_iter().map(|it| it.into_value(kind)).collect())
    }

    /// What the metrics APIs offer that the HPAs need.
    async fn offers(&self, discovery: &Discovery, hpas: &[Value]) -> Vec<Listed> {
        let metrics = hpas.iter().flat_map(|hpa| hpa["spec"]["metrics"].as_array().into_iter().flatten());
        let types: BTreeSet<&str> = metrics.filter_map(|metric| metric["type"].as_str()).collect();
        let wanted = METRICS.into_iter().filter(|(_, of)| of.iter().any(|kind| types.contains(kind)));
        let versions = wanted.filter_map(|(name, _)| {
            let version = discovery.group(name)?.versions.first()?;
            Some((name, version.version.clone()))
        });
        let read = async |(name, version): (&'static str, String)| {
            let get = Get::list(Path::of(name, &version), "", "");
            let DatedRead { read, .. } = self.client.object::<Offers>(&get).await;
            (name.to_owned(), false, read.map(|offers| vec![offers.0]))
        };
        join_all(versions.map(read)).await
    }
}

/// What was read of a resource, and whether most rules need it.
type Listed = (String, bool, Read<Vec<Value>>);

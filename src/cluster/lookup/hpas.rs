//! The HPA that a question is about, and the others of its namespace.

use std::sync::Arc;

use super::subject::Subject;
use crate::cluster::connection::Connection;
use crate::cluster::discovery::{Discovery, GroupKind};
use crate::cluster::error::ClusterError;
use crate::cluster::wire::{DatedRead, Decoded, Get, Note, Path, Undecoded, undecodable};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::{GroupVersion, nearest};
use kubectl_hpa_core::snapshot::ReadError;

const GROUP: &str = "autoscaling";
const RESOURCE: &str = "horizontalpodautoscalers";

impl Connection {
    /// Reads one HPA.
    pub(in crate::cluster) async fn hpa(&self, name: &str) -> DatedRead<api::Hpa> {
        if self.whole().is_some() {
            let DatedRead { read, at } = self.hpas().await;
            let listed = read.iter().flat_map(|hpas| hpas.iter()).find(|hpa| hpa.metadata.name == name);
            if let Some(hpa) = listed {
                return DatedRead { read: Ok(hpa.clone()), at };
            }
            let undecoded = read.iter().flat_map(|hpas| &hpas.undecoded).find(|it| it.metadata.name == name);
            if let Some(undecoded) = undecoded {
                return DatedRead { read: Err(self.undecoded(undecoded)), at };
            }
        }
        Box::pin(self.client.object(&self.get_hpa(name))).await
    }

    /// The error of an HPA that a list has only by its name: that of its own read.
    pub(in crate::cluster) fn undecoded(&self, Undecoded { metadata, problem }: &Undecoded) -> ReadError {
        undecodable(&self.get_hpa(&metadata.name), problem)
    }

    fn get_hpa(&self, name: &str) -> Get {
        Get::named(self.hpa_path().segment(name), GROUP, RESOURCE, name)
    }

    /// All of the namespace.
    pub(in crate::cluster) async fn hpas(&self) -> DatedRead<Arc<Decoded<api::Hpa>>> {
        let read = async { self.read_hpas().await.map(Arc::new) };
        let Some(shared) = &self.shared else { return read.await };
        shared.hpas.once(self.client.namespace.clone(), Box::pin(read)).await
    }

    async fn read_hpas(&self) -> DatedRead<Decoded<api::Hpa>> {
        let whole = Get::list(self.hpa_path(), GROUP, RESOURCE);
        let whole = if self.shared.is_some() { whole.paged() } else { whole };
        Box::pin(self.client.list_noting(&whole, &mut |_| {})).await
    }

    /// Keeps a list of a namespace for questions that share it.
    pub(super) fn keep_hpas(&self, hpas: &DatedRead<Arc<Decoded<api::Hpa>>>) {
        let first = hpas.read.iter().find_map(|hpas| hpas.metadata().next());
        if let (Some(shared), Some(first)) = (&self.shared, first) {
            shared.hpas.put(first.namespace.to_string(), hpas);
        }
    }

    /// Lists all of all namespaces; `note` gets those of the first pages.
    pub(super) async fn read_hpas_everywhere(
        &self,
        note: Note<'_, api::Hpa>,
    ) -> DatedRead<Decoded<api::Hpa>> {
        let everywhere = Get::list(Path::of(GROUP, "v2").segment(RESOURCE), GROUP, RESOURCE);
        self.client.list_noting(&everywhere.paged(), note).await
    }

    /// The names of all of the namespace, sorted.
    ///
    /// # Errors
    /// If they cannot be listed.
    pub async fn names(&self) -> Result<Vec<String>, ClusterError> {
        let hpas = self.hpas().await.read.map_err(|error| self.refused(error))?;
        let mut names: Vec<String> = hpas.metadata().map(|it| it.name.clone()).collect();
        names.sort_unstable();
        Ok(names)
    }

    /// The one HPA of the namespace, out of all names. An error may advise to take all.
    ///
    /// # Errors
    /// If there is none, or there are several.
    pub fn only(&self, names: &[String], takes_all: bool) -> Result<Subject, ClusterError> {
        let namespace = self.client.namespace.clone();
        match names {
            [] => Err(ClusterError::NoHpas { namespace }),
            [only] => Ok(Subject::Hpa(only.clone())),
            names => Err(ClusterError::SeveralHpas { takes_all, namespace, names: names.to_vec() }),
        }
    }

    fn hpa_path(&self) -> Path {
        Path::of(GROUP, "v2").namespace(&self.client.namespace).segment(RESOURCE)
    }

    /// The one HPA whose target is the one that was typed.
    pub(in crate::cluster) fn scaling(
        &self,
        discovery: &Discovery,
        type_name: &str,
        name: &str,
        hpas: &[api::Hpa],
    ) -> Result<api::Hpa, ClusterError> {
        let kinds = discovery.kinds(type_name);
        if kinds.is_empty() && discovery.doubt.is_none() {
            let near = discovery.near_types(type_name);
            return Err(ClusterError::NoSuchType { type_name: type_name.into(), near });
        }
        let is_target = |target: &api::ObjectReference| {
            target.name == name
                && (kinds.iter().any(|kind| is_of_kind(target, kind))
                    || discovery.doubt.is_some() && may_be_called(target, type_name))
        };
        let mut scaling = hpas.iter().filter(|hpa| is_target(&hpa.spec.scale_target_ref));
        let (first, second) = (scaling.next(), scaling.next());
        let target = format!("{type_name}/{name}");
        let namespace = self.client.namespace.clone();
        match (first, second) {
            (Some(hpa), None) => Ok(hpa.clone()),
            (None, _) => Err(ClusterError::NotScaled { near: near_targets(name, hpas), target, namespace }),
            (Some(_), Some(_)) => {
                let all = hpas.iter().filter(|hpa| is_target(&hpa.spec.scale_target_ref));
                let names = all.map(|hpa| hpa.metadata.name.clone()).collect();
                Err(ClusterError::ScaledTwice { target, namespace, names })
            }
        }
    }
}

pub(super) fn is_of_kind(target: &api::ObjectReference, kind: &GroupKind) -> bool {
    let group = GroupVersion::parse(&target.api_version).map(|version| version.group).unwrap_or_default();
    *group == *kind.group && target.kind.eq_ignore_ascii_case(&kind.kind)
}

/// Without discovery a type is recognized by the kind's name alone.
fn may_be_called(target: &api::ObjectReference, type_name: &str) -> bool {
    let kind = target.kind.to_ascii_lowercase();
    let typed = type_name.to_ascii_lowercase();
    let typed = typed.split('.').next().unwrap_or_default();
    typed == kind || typed.strip_suffix('s') == Some(&kind)
}

fn near_targets(name: &str, hpas: &[api::Hpa]) -> Vec<String> {
    let near = nearest(name, hpas.iter().map(|hpa| hpa.spec.scale_target_ref.name.as_str()));
    let mut targets = Vec::new();
    for hpa in near.iter().flat_map(|near| hpas.iter().filter(|hpa| hpa.spec.scale_target_ref.name == **near))
    {
        let target = &hpa.spec.scale_target_ref;
        let target = format!("{}/{}", target.kind.to_ascii_lowercase(), target.name);
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    targets
}

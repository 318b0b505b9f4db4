//! The other HPAs of the namespace: the controller stops where two of them select the same pods.

use std::sync::Arc;

use futures::stream::{self, StreamExt};

use crate::cluster::connection::{self, Connection, Shared};
use crate::cluster::discovery::{Discovery, Mapping};
use crate::cluster::wire::DatedRead;
use kubectl_hpa_core::api;
use kubectl_hpa_core::snapshot::case::{HpaCase, OtherCase, OtherHpas};
use kubectl_hpa_core::snapshot::{Read, ReadError, Scope};

/// How many scales are read at the same time: each has a connection of its own.
const AT_ONCE: usize = 32;

impl Connection {
    /// Reads their scales, whose selectors the controller remembers. The list of them it has from its own watch, so an
    /// error of that is the reader's alone.
    pub(super) async fn others(
        &self,
        discovery: &Discovery,
        hpas: &Read<Arc<Vec<api::Hpa>>>,
        name: &str,
    ) -> Read<OtherHpas> {
        let hpas = hpas.as_ref().map_err(|error| ReadError { scope: Scope::Reader, ..error.clone() })?;
        let Some(shared) = self.shared_by_all() else {
            let others = hpas.iter().filter(|hpa| hpa.metadata.name != name);
            return Ok(self.as_others(discovery, others).await);
        };
        let all = async { DatedRead { read: Ok(self.as_others(discovery, hpas.iter()).await), at: None } };
        let all = shared.others.once(self.client.namespace.clone(), Box::pin(all)).await.read?;
        // No more namespaces than HPAs are read at the same time.
        shared.others.keep_last(connection::AT_ONCE);
        Ok(all.but(name))
    }

    async fn as_others(&self, discovery: &Discovery, hpas: impl Iterator<Item = &api::Hpa>) -> OtherHpas {
        let other = |hpa| self.other(discovery, hpa);
        stream::iter(hpas).map(other).buffered(AT_ONCE).collect::<Vec<_>>().await.into()
    }

    async fn other(&self, discovery: &Discovery, hpa: &api::Hpa) -> OtherCase {
        let scale = self.scale_of_other(discovery, &hpa.spec.scale_target_ref).await.read;
        OtherCase { hpa: HpaCase(without_history(hpa)), scale: Some(scale.into()) }
    }

    async fn scale_of_other(
        &self,
        discovery: &Discovery,
        target: &api::ObjectReference,
    ) -> DatedRead<api::Scale> {
        match &self.shared {
            Some(shared) => self.scale_once(shared, discovery, target).await.map(|(scale, _)| scale),
            None => self.scale(discovery, target).await,
        }
    }

    /// The scale of the HPA's own target: read anew, unless all is listed.
    pub(super) async fn own_scale(
        &self,
        discovery: &Discovery,
        target: &api::ObjectReference,
    ) -> DatedRead<(api::Scale, Mapping)> {
        match self.shared_by_all() {
            Some(shared) => self.scale_once(shared, discovery, target).await,
            None => self.mapped_scale(discovery, target).await,
        }
    }

    /// What no list has is read once and kept: of ten thousand HPAs that would be another ten thousand scales.
    async fn scale_once(
        &self,
        shared: &Shared,
        discovery: &Discovery,
        target: &api::ObjectReference,
    ) -> DatedRead<(api::Scale, Mapping)> {
        if let Some(listed) = self.listed_scale(discovery, target).await {
            return listed;
        }
        let api::ObjectReference { api_version, kind, name, .. } = target;
        let key = [&self.client.namespace, api_version, kind, name].map(String::as_str).join("\n");
        shared.scales.once(key, self.mapped_scale(discovery, target)).await
    }
}

/// Who wrote another HPA's fields, and what it found last, has no bearing on this one.
fn without_history(hpa: &api::Hpa) -> api::Hpa {
    let api::Hpa { api_version, kind, metadata, spec, status: _ } = hpa;
    let metadata = api::ObjectMeta { managed_fields: Vec::new(), ..metadata.clone() };
    let (api_version, kind, spec) = (api_version.clone(), kind.clone(), spec.clone());
    api::Hpa { api_version, kind, metadata, spec, status: api::HpaStatus::default() }
}

//! The other HPAs of the namespace: the controller stops where two of them select the same pods.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures::stream::{self, StreamExt};

use super::own_scale::OwnScale;
use crate::cluster::connection::{self, Connection, Shared};
use crate::cluster::discovery::{Discovery, Mapping};
use crate::cluster::wire::{DatedRead, Decoded};
use kubectl_hpa_core::api;
use kubectl_hpa_core::snapshot::Read;
use kubectl_hpa_core::snapshot::case::{HpaCase, OtherCase, OtherHpas};

/// How many scales are read at the same time: each has a connection of its own.
const AT_ONCE: usize = 32;

/// So many targets of one kind may be read singly where they cannot be listed.
const FEW: usize = 8;

/// The subresource through which the controller writes.
const STATUS: &str = "status";

impl Connection {
    /// Reads their scales, whose selectors the controller remembers. The list of them it has from its own watch, so an
    /// error of that is the reader's alone.
    pub(super) async fn others(
        &self,
        discovery: &Discovery,
        hpas: &Read<Arc<Decoded<api::Hpa>>>,
        name: &str,
        own: &OwnScale<'_>,
    ) -> Read<OtherHpas> {
        let hpas = hpas.as_ref().map_err(|error| error.clone().of_reader())?;
        // Beside one HPA it is not known whose pods that selects; among many it has a row of its own.
        if let (None, Some(undecoded)) = (&self.shared, hpas.undecoded.first()) {
            return Err(self.undecoded(undecoded));
        }
        let Some(shared) = self.shared_by_all() else {
            let others = hpas.iter().filter(|hpa| hpa.metadata.name != name).collect();
            return Ok(self.rivals(discovery, others, own).await);
        };
        let scale = |target| async move { self.scale_once(shared, discovery, target).await };
        let all = async { DatedRead { read: Ok(as_others(hpas.iter(), scale).await), at: None } };
        let all = shared.others.once(self.client.namespace.clone(), Box::pin(all)).await.read?;
        // No more namespaces than HPAs are read at the same time.
        shared.others.keep_last(connection::AT_ONCE);
        Ok(all.but(name))
    }

    /// Those beside one HPA or a few. If several have targets of one kind, a list is fewer requests; whoever may not list them,
    /// but may read scales, learns as much of a few.
    async fn rivals(&self, discovery: &Discovery, others: Vec<&api::Hpa>, own: &OwnScale<'_>) -> OtherHpas {
        let singly = self.optional();
        let (listing, shared) = singly.of_rivals();
        let shared = &*shared;
        let mut names: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
        for target in others.iter().map(|hpa| &hpa.spec.scale_target_ref).filter(|it| *it != own.target) {
            names.entry((&target.api_version, &target.kind)).or_default().insert(&target.name);
        }
        let number = |target: &api::ObjectReference| {
            names.get(&(&target.api_version, &target.kind)).map_or(0, BTreeSet::len)
        };
        let scale = |target| {
            let (number, singly, listing) = (number(target), &singly, &listing);
            async move {
                if target == own.target {
                    return own.read().await;
                }
                let are_few = number <= FEW;
                let is_single = number == 1 || are_few && listing.may_not_list(discovery, target).await;
                let reader = if is_single { singly } else { listing };
                reader.scale_once(shared, discovery, target).await
            }
        };
        as_others(others.iter().copied(), scale).await
    }

    /// What no list has is read once and kept: of ten thousand HPAs that would be another ten thousand scales.
    pub(super) async fn scale_once(
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

/// HPAs, each with the scale of its target.
async fn as_others<'a, F>(
    hpas: impl Iterator<Item = &'a api::Hpa>,
    scale: impl Fn(&'a api::ObjectReference) -> F,
) -> OtherHpas
where
    F: Future<Output = DatedRead<(api::Scale, Mapping)>>,
{
    let other = |hpa: &'a api::Hpa| {
        let scale = scale(&hpa.spec.scale_target_ref);
        async {
            OtherCase { hpa: HpaCase(as_other(hpa)), scale: Some(scale.await.read.map(|(it, _)| it).into()) }
        }
    };
    stream::iter(hpas).map(other).buffered(AT_ONCE).collect::<Vec<_>>().await.into()
}

/// What tells which selector the controller holds of another HPA: its spec, and what the controller wrote about its last
/// syncs. What it measured then, and who wrote the spec, has no bearing on this one.
fn as_other(hpa: &api::Hpa) -> api::Hpa {
    let mut metadata = api::ObjectMeta { managed_fields: Vec::new(), ..hpa.metadata.clone() };
    let written = hpa.metadata.managed_fields.iter().filter(|entry| entry.subresource == STATUS);
    metadata.managed_fields = written.map(without_fields).collect();
    // Of ten thousand HPAs each has one entry, and no room for more.
    metadata.managed_fields.shrink_to_fit();
    let status = api::HpaStatus {
        // A list shows that metrics were computed, even if it is empty.
        current_metrics: hpa.status.current_metrics.as_ref().map(|_| Vec::new()),
        conditions: hpa.status.conditions.iter().map(without_message).collect(),
        ..hpa.status
    };
    let (api_version, kind, spec) = (hpa.api_version.clone(), hpa.kind.clone(), hpa.spec.clone());
    api::Hpa { api_version, kind, metadata, spec, status }
}

fn without_fields(entry: &api::ManagedFields) -> api::ManagedFields {
    api::ManagedFields { fields: None, ..entry.clone() }
}

fn without_message(condition: &api::Condition) -> api::Condition {
    api::Condition { message: String::new(), ..condition.clone() }
}

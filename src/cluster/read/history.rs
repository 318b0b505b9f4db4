//! What tells of the past beside the HPA and its events. All of it is optional: without it less is known of what the
//! controller remembers.

use crate::cluster::connection::Connection;
use crate::cluster::discovery::Mapping;
use crate::cluster::wire::{DatedRead, Get, Path, Shape};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::GroupVersion;
use kubectl_hpa_core::snapshot::case::HistoryCase;

impl Connection {
    /// Who set the target's replicas last, and the sizes that a Deployment had.
    pub(super) async fn history(
        &self,
        target: &api::ObjectReference,
        mapping: Option<&Mapping>,
    ) -> HistoryCase {
        let events = async {
            match (target.kind.as_str(), mapping) {
                ("Deployment", Some(_)) => Some(self.events(&target.kind, &target.name).await),
                _ => None,
            }
        };
        let object = async { Some(self.target(mapping?, target).await.read.into()) };
        let (target, target_events) = tokio::join!(object, events);
        HistoryCase { target, target_events, ..HistoryCase::default() }
    }

    /// The target itself, of which nothing is kept but who set its replicas.
    async fn target(&self, mapping: &Mapping, target: &api::ObjectReference) -> DatedRead<api::Target> {
        let name = &target.name;
        let single = || {
            let path = Path::of(&mapping.group, &mapping.version)
                .namespace(&self.client.namespace)
                .segment(&mapping.resource)
                .segment(name);
            Get::named(path, &mapping.group, &mapping.resource, name)
        };
        if let Some(answer) = self.listed_workload(mapping, name, &single, |it| it.metadata.clone()).await {
            let listed = |metadata| api::Target { kind: target.kind.clone(), metadata };
            return answer.map(|metadata| writers_alone(listed(metadata)));
        }
        let version =
            GroupVersion { group: mapping.group.as_str().into(), version: mapping.version.as_str().into() };
        let version = version.to_string();
        let shape = Shape { kind: &target.kind, versions: &[&version], written: &["metadata.name"] };
        let answer: DatedRead<api::Target> = self.client.optional().shaped(&single(), shape).await;
        answer.map(writers_alone)
    }
}

/// What tells when a target was made, and who set its replicas.
fn writers_alone(mut target: api::Target) -> api::Target {
    let metadata = target.metadata;
    target.metadata = api::ObjectMeta {
        name: metadata.name,
        namespace: metadata.namespace,
        generation: metadata.generation,
        creation_timestamp: metadata.creation_timestamp,
        managed_fields: metadata.managed_fields,
        ..api::ObjectMeta::default()
    };
    target.metadata.managed_fields.retain(|entry| entry.sets("replicas") == Some(true));
    for entry in &mut target.metadata.managed_fields {
        if let Some(fields) = &mut entry.fields {
            fields.spec.retain(|field| field == "f:replicas");
        }
    }
    target
}

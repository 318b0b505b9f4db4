//! The scale of a target of any kind.

use crate::cluster::connection::Connection;
use crate::cluster::discovery::{Discovery, Mapping};
use crate::cluster::lists::Workload;
use crate::cluster::wire::{DatedRead, Get, Path};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::GroupVersion;
use kubectl_hpa_core::snapshot::{Read, ReadError, Stage};

impl Connection {
    /// Reads the scale through the first resource of the target's kind that answers, with that resource; of several errors
    /// the first one counts.
    ///
    /// Source: `scaleForResourceMappings` of the controller.
    pub(in crate::cluster) async fn mapped_scale(
        &self,
        discovery: &Discovery,
        target: &api::ObjectReference,
    ) -> DatedRead<(api::Scale, Mapping)> {
        let mappings = match mappings(discovery, target) {
            Ok(mappings) => mappings,
            Err(error) => return DatedRead::none(error),
        };
        let mut first: Option<DatedRead<(api::Scale, Mapping)>> = None;
        for mapping in mappings {
            let answer = match self.scale_in_list(&mapping, &target.name).await {
                Some(listed) => listed,
                None => self.client.object(&self.scale_of(&mapping, &target.name)).await,
            };
            let answer = answer.map(|scale| (scale, mapping));
            if answer.read.is_ok() {
                return answer;
            }
            first.get_or_insert(answer);
        }
        first.unwrap_or_else(|| {
            let message = "unrecognized resource".into();
            DatedRead::none(ReadError { message, ..ReadError::default() })
        })
    }

    /// The scale that the list of the target's first resource has.
    pub(super) async fn listed_scale(
        &self,
        discovery: &Discovery,
        target: &api::ObjectReference,
    ) -> Option<DatedRead<(api::Scale, Mapping)>> {
        let (mapping, listed) = self.in_first_list(discovery, target).await?;
        // One that this list lacks may be in that of another resource.
        listed.read.is_ok().then(|| listed.map(|scale| (scale, mapping)))
    }

    /// True if the list that would have the scale is forbidden.
    pub(super) async fn may_not_list(&self, discovery: &Discovery, target: &api::ObjectReference) -> bool {
        let listed = self.in_first_list(discovery, target).await;
        listed.is_some_and(|(_, listed)| listed.read.is_err_and(|error| error.code == Some(403)))
    }

    /// The target's first resource, and the scale in the list of that.
    async fn in_first_list(
        &self,
        discovery: &Discovery,
        target: &api::ObjectReference,
    ) -> Option<(Mapping, DatedRead<api::Scale>)> {
        let mapping = mappings(discovery, target).ok()?.into_iter().next()?;
        let listed = self.scale_in_list(&mapping, &target.name).await?;
        Some((mapping, listed))
    }

    async fn scale_in_list(&self, mapping: &Mapping, name: &str) -> Option<DatedRead<api::Scale>> {
        let single = || self.scale_of(mapping, name);
        let listed = self.listed_workload(mapping, name, &single, Workload::scale).await?;
        let read = listed.read.transpose()?;
        Some(DatedRead { read, at: listed.at })
    }

    /// Source: `namespacedScaleClient.Get`; that client knows no group when it tells of an error.
    fn scale_of(&self, mapping: &Mapping, name: &str) -> Get {
        let path = Path::of(&mapping.group, &mapping.version)
            .namespace(&self.client.namespace)
            .segment(&mapping.resource)
            .segment(name)
            .segment("scale");
        Get::named(path, "", &mapping.resource, name)
    }
}

fn mappings(discovery: &Discovery, target: &api::ObjectReference) -> Read<Vec<Mapping>> {
    let version = GroupVersion::parse(&target.api_version).map_err(|error| ReadError {
        message: error.to_string(),
        stage: Stage::Mapping,
        ..ReadError::default()
    })?;
    discovery.mappings(&version.group, &target.kind)
}

//! The autoscaler that a question is about, and the others of its namespace.

use super::answer::Answer;
use super::connection::Connection;
use super::discovery::Discovery;
use super::error::{ClusterError, is_of_the_resource};
use super::get::Get;
use super::mapping::GroupKind;
use super::path::Path;
use super::plainly::OIDC;
use super::subject::Subject;
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::{GroupVersion, Permission, nearest};
use kubectl_hpa_core::snapshot::{Read, ReadError, Scope};

const GROUP: &str = "autoscaling";
const RESOURCE: &str = "horizontalpodautoscalers";

impl Connection {
    /// Reads one autoscaler.
    pub(super) async fn hpa(&self, name: &str) -> Answer<api::Hpa> {
        self.client.object(&Get::named(self.hpa_path().segment(name), GROUP, RESOURCE, name)).await
    }

    /// All of the namespace.
    pub(super) async fn hpas(&self) -> Answer<Vec<api::Hpa>> {
        let Some(shared) = &self.shared else { return self.read_hpas().await };
        if let Some(known) = shared.hpas.get(&self.client.namespace) {
            return known;
        }
        let read = self.read_hpas().await;
        shared.hpas.put(self.client.namespace.clone(), &read);
        read
    }

    async fn read_hpas(&self) -> Answer<Vec<api::Hpa>> {
        self.client.list(&Get::list(self.hpa_path(), GROUP, RESOURCE)).await
    }

    /// Lists all of all namespaces.
    pub(super) async fn read_hpas_everywhere(&self) -> Answer<Vec<api::Hpa>> {
        self.client.list(&Get::list(Path::of(GROUP, "v2").segment(RESOURCE), GROUP, RESOURCE)).await
    }

    /// The names of all of the namespace, sorted.
    ///
    /// # Errors
    /// If they cannot be listed.
    pub async fn names(&self) -> Result<Vec<String>, ClusterError> {
        let hpas = self.autoscalers().await?;
        let mut names: Vec<String> = hpas.into_iter().map(|hpa| hpa.metadata.name).collect();
        names.sort_unstable();
        Ok(names)
    }

    /// The one autoscaler of the namespace, out of all names.
    ///
    /// # Errors
    /// If there is none, or there are several.
    pub fn only(&self, names: &[String]) -> Result<Subject, ClusterError> {
        let namespace = self.client.namespace.clone();
        match names {
            [] => Err(ClusterError::NoHpas { namespace }),
            [only] => Ok(Subject::Hpa(only.clone())),
            names => Err(ClusterError::SeveralHpas { namespace, names: names.to_vec() }),
        }
    }

    fn hpa_path(&self) -> Path {
        Path::of(GROUP, "v2").namespace(&self.client.namespace).segment(RESOURCE)
    }

    /// The error that ends a question about an autoscaler that cannot be read.
    pub(super) fn without_hpa(
        &self,
        name: &str,
        error: ReadError,
        hpas: &Read<Vec<api::Hpa>>,
    ) -> ClusterError {
        // Only the API server knows that it is not there, and only where it serves autoscaling/v2.
        if error.code != Some(404) || error.scope == Scope::Reader || is_of_the_resource(&error.message) {
            return self.refused(error);
        }
        let hpas = hpas.as_deref().unwrap_or_default();
        let near = nearest(name, hpas.iter().map(|hpa| hpa.metadata.name.as_str()));
        let scaling = hpas.iter().filter(|hpa| hpa.spec.scale_target_ref.name == name);
        let scaling = scaling.map(|hpa| hpa.metadata.name.as_str());
        let mut near: Vec<String> = scaling.chain(near).map(Into::into).collect();
        near.dedup();
        ClusterError::NoSuchHpa { name: name.into(), namespace: self.client.namespace.clone(), near }
    }

    /// The error that ends a question when a read that nothing can be said without has failed.
    pub(super) fn refused(&self, error: ReadError) -> ClusterError {
        let is_foreign = error.is_foreign();
        let ReadError { code, message, path, .. } = error;
        let server = self.client.server.clone();
        match code {
            Some(code) if code != 401 && is_foreign => ClusterError::Foreign { server, path, code, message },
            // That one went to the identity provider, not to the API server.
            None => match message.strip_prefix(OIDC) {
                Some(problem) => ClusterError::Config(format!("the OIDC login of the kubeconfig: {problem}")),
                None => ClusterError::Unreachable { server, problem: message },
            },
            Some(401) => ClusterError::Unauthenticated { server, path, message },
            Some(403) => {
                // Whoever may not act as somebody else needs another permission than the path's.
                let permission =
                    Permission::to_get(&path).filter(|_| !message.contains("cannot impersonate"));
                let permission = permission.map(Box::new);
                ClusterError::Forbidden { path, message, permission }
            }
            Some(_) => ClusterError::Failed { path, message },
        }
    }

    /// The one autoscaler whose target is the one that was typed.
    pub(super) fn scaling(
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

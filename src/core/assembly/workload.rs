//! The built-in targets of HPAs.

use std::sync::Arc;

use serde::Deserialize;

use crate::api;
use crate::model::{LabelSelector, Labels};

/// A Deployment, StatefulSet, ReplicaSet or ReplicationController.
#[derive(Clone)]
pub(super) struct Workload {
    /// The API group.
    pub group: String,
    /// As its scale subresource has it; `None` if the object does not tell, as that of a manifest.
    pub scale: Option<api::Scale>,
    /// Who set its replicas.
    pub target: api::Target,
    /// The replicas and pods that its manifest asks for.
    pub template: api::Template,
}

/// The object as the API server writes it, with the selector of its kind.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "S: Deserialize<'de> + Default"))]
pub(super) struct WorkloadObject<S> {
    #[serde(deserialize_with = "api::nullable")]
    pub metadata: api::ObjectMeta,
    #[serde(deserialize_with = "api::nullable")]
    spec: Spec<S>,
    status: Option<Status>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "S: Deserialize<'de> + Default"))]
struct Spec<S> {
    replicas: Option<i32>,
    selector: Option<S>,
    #[serde(deserialize_with = "api::nullable")]
    template: PodTemplate,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PodTemplate {
    #[serde(deserialize_with = "api::nullable")]
    spec: api::PodSpec,
}

/// The selector of a ReplicationController is a map.
impl From<WorkloadObject<Labels>> for WorkloadObject<LabelSelector> {
    fn from(WorkloadObject { metadata, spec, status }: WorkloadObject<Labels>) -> Self {
        let Spec { replicas, selector, template } = spec;
        let selector =
            selector.map(|match_labels| LabelSelector { match_labels, ..LabelSelector::default() });
        Self { metadata, spec: Spec { replicas, selector, template }, status }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Status {
    #[serde(deserialize_with = "api::nullable")]
    replicas: i32,
}

impl Workload {
    pub fn of(group: &str, kind: &str, object: WorkloadObject<LabelSelector>) -> Self {
        let WorkloadObject { mut metadata, spec: Spec { replicas, selector, template }, status } = object;
        // Only an object of a cluster has a status; it is empty if nothing has run.
        let scale =
            status.and_then(|status| api::Scale::of(&metadata, replicas, selector.as_ref(), status.replicas));
        metadata.labels = Labels::default();
        metadata.owner_references = Arc::default();
        let target = api::Target { kind: kind.to_owned(), metadata };
        let template = api::Template { replicas: replicas.unwrap_or(1), pods: with_requests(template.spec) };
        Self { group: group.to_owned(), scale, target, template }
    }
}

/// A limit without a request is the request of the pods, too (upstream `SetDefaults_Pod`).
fn with_requests(mut pods: api::PodSpec) -> api::PodSpec {
    for container in pods.containers.iter_mut().chain(&mut pods.init_containers) {
        let resources = &mut container.resources;
        for (resource, limit) in resources.limits.iter() {
            if resources.requests.get(resource).is_none() {
                resources.requests.set(resource, limit.clone());
            }
        }
    }
    pods
}

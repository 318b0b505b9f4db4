//! What HPAs scale.

use serde::Deserialize;

use crate::api;
use crate::model::{LabelSelector, Labels};

/// A Deployment, StatefulSet, ReplicaSet or ReplicationController.
pub(super) struct Workload {
    /// The API group.
    pub group: String,
    /// As its scale subresource has it; `None` if the object does not tell, as that of a manifest.
    pub scale: Option<api::Scale>,
    /// Who set its replicas.
    pub target: api::Target,
}

/// The object as the API server writes it.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct WorkloadObject {
    #[serde(deserialize_with = "api::nullable")]
    pub metadata: api::ObjectMeta,
    #[serde(deserialize_with = "api::nullable")]
    spec: Spec,
    status: Option<Status>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Spec {
    replicas: Option<i32>,
    selector: Option<WrittenSelector>,
}

/// That of a ReplicationController is a map.
#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenSelector {
    Labels(Labels),
    Selector(LabelSelector),
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Status {
    #[serde(deserialize_with = "api::nullable")]
    replicas: i32,
}

impl Workload {
    pub fn of(group: &str, kind: &str, object: WorkloadObject) -> Self {
        let WorkloadObject { mut metadata, spec, status } = object;
        let selector = spec.selector.map(|selector| match selector {
            WrittenSelector::Selector(selector) => selector,
            WrittenSelector::Labels(match_labels) => {
                LabelSelector { match_labels, ..LabelSelector::default() }
            }
        });
        // Only an object of a cluster has a status; it is empty if nothing has run.
        let scale = status
            .and_then(|status| api::Scale::of(&metadata, spec.replicas, selector.as_ref(), status.replicas));
        metadata.labels = Labels::default();
        metadata.owner_references.clear();
        Self { group: group.to_owned(), scale, target: api::Target { kind: kind.to_owned(), metadata } }
    }
}

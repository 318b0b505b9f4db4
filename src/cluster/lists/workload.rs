//! The kinds of apps/v1 that have a scale: it is a part of the object itself, so a list has all scales.

use std::sync::Arc;

use serde::Deserialize;

use crate::cluster::wire::{
    Envelope, Fields, Item, Malformed, Protobuf, Shape, Strange, label_selector, metadata_and_writes,
};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::{LabelSelector, Labels};

/// A Deployment, StatefulSet or ReplicaSet, cut down to what is read of a target.
pub(in crate::cluster) struct Workload {
    pub metadata: api::ObjectMeta,
    /// As its scale subresource has them; `None` if only that can tell.
    scale: Option<(api::ScaleSpec, api::ScaleStatus)>,
}

impl Workload {
    /// As its scale subresource has it; `None` if only that can tell.
    pub fn scale(&self) -> Option<api::Scale> {
        let (spec, status) = self.scale.clone()?;
        Some(api::Scale { metadata: api::Scale::metadata_of(&self.metadata), spec, status })
    }
}

/// The same as the API server writes it in a list.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(in crate::cluster) struct WorkloadItem {
    metadata: api::ObjectMeta,
    #[serde(deserialize_with = "api::nullable")]
    spec: Spec,
    #[serde(deserialize_with = "api::nullable")]
    status: Status,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
struct Spec {
    replicas: Option<i32>,
    selector: Option<LabelSelector>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
struct Status {
    #[serde(deserialize_with = "api::nullable")]
    replicas: i32,
}

/// Names and a selector, or who wrote what, in bytes.
const SMALL: usize = 1024;

impl Item for WorkloadItem {
    /// Of a Deployment, and of all other kinds but for the name.
    const LIST: Shape<'static> = Shape {
        kind: "DeploymentList",
        versions: &["apps/v1"],
        written: &["metadata.name", "metadata.namespace", "spec.", "status."],
    };

    const PROTOBUF: Option<Protobuf<Self>> =
        Some(Protobuf { read: Self::from_protobuf, written: &[(1, "metadata"), (2, "spec"), (3, "status")] });

    fn listed(kind: &str, version: &str, resource: &str) -> Result<(), Strange> {
        let expected = match resource {
            "statefulsets" => "StatefulSetList",
            "replicasets" => "ReplicaSetList",
            _ => Self::LIST.kind,
        };
        Shape { kind: expected, ..Self::LIST }.typed(kind, version)
    }

    fn trim(&mut self) {
        let metadata = &mut self.metadata;
        metadata.labels = Labels::default();
        metadata.owner_references = Arc::default();
        metadata.managed_fields.retain(|entry| entry.sets("replicas") == Some(true));
        metadata.managed_fields.shrink_to_fit();
    }

    fn place(&self) -> Option<(&str, &str)> {
        Some((&self.metadata.namespace, &self.metadata.name))
    }

    fn kept(&self, _: &[u8]) -> usize {
        let writes = self.metadata.managed_fields.len() * (size_of::<api::ManagedFields>() + SMALL);
        size_of::<Self>() + size_of::<api::Scale>() + SMALL + writes
    }
}

impl WorkloadItem {
    /// Source: `generated.proto` of k8s.io/api's `apps/v1`.
    fn from_protobuf(message: &[u8], list: &Envelope) -> Result<Self, Malformed> {
        let replicas = if list.kind == "ReplicaSetList" { 1 } else { 2 };
        let mut item = Self::default();
        for field in Fields::of(message) {
            match field? {
                (1, value) => item.metadata = metadata_and_writes(value.bytes()?)?,
                (2, value) => item.spec = Spec::from_protobuf(value.bytes()?)?,
                (3, value) => item.status = Status::from_protobuf(value.bytes()?, replicas)?,
                _ => {}
            }
        }
        Ok(item)
    }
}

impl Spec {
    fn from_protobuf(message: &[u8]) -> Result<Self, Malformed> {
        let mut spec = Self::default();
        for field in Fields::of(message) {
            match field? {
                (1, value) => spec.replicas = Some(value.short()?),
                (2, value) => spec.selector = Some(label_selector(value.bytes()?)?),
                _ => {}
            }
        }
        Ok(spec)
    }
}

impl Status {
    /// With the replicas in the field of this number, which differs between the kinds.
    fn from_protobuf(message: &[u8], number: u32) -> Result<Self, Malformed> {
        let mut status = Self::default();
        for field in Fields::of(message) {
            let (found, value) = field?;
            if found == number {
                status.replicas = value.short()?;
            }
        }
        Ok(status)
    }
}

impl From<WorkloadItem> for Workload {
    fn from(item: WorkloadItem) -> Self {
        let WorkloadItem { metadata, spec, status } = item;
        let scale = api::Scale::of(&metadata, spec.replicas, spec.selector.as_ref(), status.replicas);
        Self { metadata, scale: scale.map(|scale| (scale.spec, scale.status)) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn scale_of(spec: &serde_json::Value) -> Option<api::Scale> {
        let item = json!({
            "metadata": {
                "name": "web", "namespace": "shop", "uid": "1", "resourceVersion": "7", "generation": 2,
                "creationTimestamp": "2026-11-21T10:00:00Z", "labels": {"app": "web"},
            },
            "spec": spec, "status": {"replicas": 3, "readyReplicas": 2},
        });
        let item: WorkloadItem = serde_json::from_value(item).ok()?;
        Workload::from(item).scale()
    }

    /// What kube-apiserver answers (upstream `scaleFromDeployment`) to `GET …/deployments/web/scale` of such an object.
    #[test]
    fn a_listed_object_has_the_scale_of_its_subresource() {
        let expressions = json!([
            {"key": "tier", "operator": "In", "values": ["front", "back", "back"]},
            {"key": "app", "operator": "Exists"},
            {"key": "canary", "operator": "DoesNotExist"},
            {"key": "zone", "operator": "NotIn", "values": ["b", "a"]},
        ]);
        let selector =
            json!({"matchLabels": {"track": "stable", "app": "web"}, "matchExpressions": expressions});
        let scale = scale_of(&json!({"replicas": 4, "selector": selector})).unwrap_or_default();
        let expected = json!({
            "metadata": {
                "name": "web", "namespace": "shop", "resourceVersion": "7",
                "creationTimestamp": "2026-11-21T10:00:00Z",
            },
            "spec": {"replicas": 4},
            "status": {
                "replicas": 3,
                "selector": "app=web,app,!canary,tier in (back,back,front),track=stable,zone notin (a,b)",
            },
        });
        assert_eq!(serde_json::to_value(scale).ok(), Some(expected));
    }

    #[test]
    fn what_only_the_subresource_can_tell_is_left_to_it() {
        let many: serde_json::Map<_, _> = (0..13).map(|it| (format!("k{it}"), json!("v"))).collect();
        for spec in [
            json!({"replicas": 4}),
            json!({"selector": {"matchLabels": {"app": "web"}}}),
            json!({"replicas": 4, "selector": {"matchExpressions": [{"key": "a", "operator": "Near"}]}}),
            json!({"replicas": 4, "selector": {"matchLabels": many}}),
        ] {
            assert_eq!(scale_of(&spec), None, "{spec}");
        }
    }
}

//! Objects as they are, cut down to what lint looks at.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::cluster::wire::{Item, Shape, Strange};
use kubectl_hpa_core::api;

/// A kind that is listed.
pub(super) struct Kind {
    pub group: &'static str,
    pub version: &'static str,
    pub resource: &'static str,
    name: &'static str,
    list: &'static str,
    api_version: &'static str,
}

const fn kind(
    (group, version, resource): (&'static str, &'static str, &'static str),
    (name, list): (&'static str, &'static str),
    api_version: &'static str,
) -> Kind {
    Kind { group, version, resource, name, list, api_version }
}

pub(super) const HPA: usize = 0;
pub(super) const DEPLOYMENTS: usize = 1;
pub(super) const STATEFUL_SETS: usize = 2;
pub(super) const REPLICA_SETS: usize = 3;
pub(super) const LIMIT_RANGES: usize = 4;
pub(super) const QUOTAS: usize = 5;
pub(super) const NODES: usize = 6;
pub(super) const VPAS: usize = 7;
pub(super) const SCALED_OBJECTS: usize = 8;

/// By the places above. Those up to the ReplicaSets are what most rules need.
pub(super) static KINDS: [Kind; 9] = [
    kind(
        ("autoscaling", "v2", "horizontalpodautoscalers"),
        ("HorizontalPodAutoscaler", "HorizontalPodAutoscalerList"),
        "autoscaling/v2",
    ),
    kind(("apps", "v1", "deployments"), ("Deployment", "DeploymentList"), "apps/v1"),
    kind(("apps", "v1", "statefulsets"), ("StatefulSet", "StatefulSetList"), "apps/v1"),
    kind(("apps", "v1", "replicasets"), ("ReplicaSet", "ReplicaSetList"), "apps/v1"),
    kind(("", "v1", "limitranges"), ("LimitRange", "LimitRangeList"), "v1"),
    kind(("", "v1", "resourcequotas"), ("ResourceQuota", "ResourceQuotaList"), "v1"),
    kind(("", "v1", "nodes"), ("Node", "NodeList"), "v1"),
    kind(
        ("autoscaling.k8s.io", "v1", "verticalpodautoscalers"),
        ("VerticalPodAutoscaler", "VerticalPodAutoscalerList"),
        "autoscaling.k8s.io/v1",
    ),
    kind(("keda.sh", "v1alpha1", "scaledobjects"), ("ScaledObject", "ScaledObjectList"), "keda.sh/v1alpha1"),
];

/// An object of one of these kinds. One type for all: a type for each would bring the whole decoder along nine times.
pub(super) struct Raw {
    value: Value,
    metadata: api::ObjectMeta,
}

impl Raw {
    /// The object; the items of a list do not say of which kind they are.
    pub fn into_value(mut self, kind: &Kind) -> Value {
        if let Some(fields) = self.value.as_object_mut() {
            fields.insert("kind".to_owned(), kind.name.into());
            fields.insert("apiVersion".to_owned(), kind.api_version.into());
        }
        self.value
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let metadata = api::ObjectMeta::deserialize(&value["metadata"]).map_err(serde::de::Error::custom)?;
        Ok(Self { value, metadata })
    }
}

/// The parts of containers that count; the rest of a template may hold secrets, and is most of it.
const CONTAINER: [&str; 3] = ["name", "resources", "restartPolicy"];
const METADATA: [&str; 6] = ["name", "namespace", "uid", "labels", "annotations", "ownerReferences"];

/// An HPA's and a node's.
const STATUS: [&str; 3] = ["currentReplicas", "currentMetrics", "allocatable"];

impl Item for Raw {
    const LIST: Shape<'static> = Shape { kind: "List", versions: &["v1"], written: &["metadata.name"] };

    /// Any of the lists that are asked for.
    fn listed(kind: &str, version: &str, _: &str) -> Result<(), Strange> {
        let is_known = KINDS.iter().any(|it| it.list == kind && it.api_version == version);
        if is_known { Ok(()) } else { Self::LIST.typed(kind, version) }
    }

    fn trim(&mut self) {
        self.metadata.managed_fields = Vec::new();
        keep(self.value.get_mut("metadata"), &METADATA);
        keep(self.value.get_mut("status"), &STATUS);
        if let Some(Value::Object(annotations)) = self.value.pointer_mut("/metadata/annotations") {
            annotations.retain(|name, _| name != "kubectl.kubernetes.io/last-applied-configuration");
        }
        let Some(template) = self.value.pointer_mut("/spec/template") else { return };
        keep(template.get_mut("metadata"), &["labels"]);
        let spec = template.get_mut("spec");
        keep(spec, &["containers", "initContainers", "resources", "overhead"]);
        for list in ["/spec/containers", "/spec/initContainers"] {
            let containers = template.pointer_mut(list).and_then(Value::as_array_mut);
            containers.into_iter().flatten().for_each(|it| keep(Some(it), &CONTAINER));
        }
    }

    fn place(&self) -> Option<(&str, &str)> {
        Some((&self.metadata.namespace, &self.metadata.name))
    }

    fn kept(&self, _: &[u8]) -> usize {
        // Names and values are small allocations of their own.
        size_of::<Self>() + 4 * self.value.to_string().len()
    }
}

fn keep(value: Option<&mut Value>, names: &[&str]) {
    if let Some(fields) = value.and_then(Value::as_object_mut) {
        let kept: Map<String, Value> = names
            .iter()
            .filter_map(|name| fields.remove(*name).map(|value| ((*name).to_owned(), value)))
            .collect();
        *fields = kept;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What is in memory, and may be printed, has no environment.
    #[test]
    fn nothing_of_a_template_is_kept_that_no_rule_looks_at() {
        let mut raw: Raw = serde_json::from_value(json!({
            "metadata": {"name": "web", "namespace": "shop", "managedFields": [{"manager": "x"}],
                "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "PASSWORD", "a": "b"}},
            "spec": {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": {
                "metadata": {"labels": {"app": "web"}, "annotations": {"a": "b"}},
                "spec": {"volumes": [], "containers": [{"name": "app", "env": [{"name": "PASSWORD"}],
                    "resources": {"requests": {"cpu": "1"}}}]}}},
            "status": {"replicas": 2},
        }))
        .expect("an object");
        raw.trim();
        let expected = json!({
            "metadata": {"name": "web", "namespace": "shop", "annotations": {"a": "b"}},
            "spec": {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "app", "resources": {"requests": {"cpu": "1"}}}]}}},
            "status": {}, "kind": "Deployment", "apiVersion": "apps/v1",
        });
        assert_eq!(raw.into_value(&KINDS[DEPLOYMENTS]), expected);
    }
}

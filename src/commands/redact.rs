//! Masks the names of pods in a case.

use std::collections::BTreeMap;
use std::sync::Arc;

use kubectl_hpa_core::snapshot::Case;

/// Gives every pod a name by its place, in the pods and in whatever measures them. Nothing that is decided depends on a
/// pod's name.
pub fn redact(case: &mut Case) {
    let mut masks = Masks::default();
    for pod in case.pods.iter_mut().flat_map(|pods| &mut pods.items).flatten() {
        let pod = Arc::make_mut(pod);
        pod.metadata.name = masks.of(&pod.metadata.name);
        for owner in &mut pod.metadata.owner_references {
            "redacted".clone_into(&mut owner.name);
        }
    }
    for item in case.pod_metrics.iter_mut().flat_map(|metrics| &mut metrics.items).flatten() {
        let item = Arc::make_mut(item);
        item.metadata.name = masks.of(&item.metadata.name);
    }
    let of_pods = case.custom_metrics.iter_mut().filter(|answer| answer.query.described_object.is_none());
    for item in of_pods.flat_map(|answer| &mut answer.items).flatten() {
        item.described_object.name = masks.of(&item.described_object.name);
    }
}

#[derive(Default)]
struct Masks(BTreeMap<String, String>);

impl Masks {
    fn of(&mut self, name: &str) -> String {
        let next = format!("pod-{}", self.0.len() + 1);
        self.0.entry(name.to_owned()).or_insert(next).clone()
    }
}

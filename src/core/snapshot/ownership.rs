//! Whose pods these are: a selector may match more than the target's own.

use std::collections::BTreeSet;

use super::{Pod, PodList, Snapshot};
use crate::model::ObjectReference;

impl Pod {
    fn is_owned_by(&self, target: &ObjectReference) -> Option<bool> {
        let owner = self.owner.as_ref().map(|owner| (&*owner.kind, &*owner.name));
        owned_by(&target.kind, &target.name, owner, self.labels.get("pod-template-hash"))
    }

    /// Whether its owner shows that it is somebody else's: a pod without an owner does not tell whose it is.
    #[must_use]
    pub fn is_of_another(&self, target: &ObjectReference) -> bool {
        self.owner.is_some() && self.is_owned_by(target) == Some(false)
    }
}

impl Snapshot {
    /// True if a pod is the target's own ([`owned_by`]); `None` also if no pod has an owner.
    #[must_use]
    pub fn owns(&self, pod: &Pod) -> Option<bool> {
        let has_owners = self.pods.as_ref().is_ok_and(PodList::has_owners);
        pod.is_owned_by(&self.hpa.target).filter(|_| has_owners)
    }

    /// True if a pod is for certain not the target's own.
    #[must_use]
    pub fn is_foreign(&self, pod: &Pod) -> bool {
        self.owns(pod) == Some(false)
    }

    /// The places of the selected pods that are for certain not the target's own.
    #[must_use]
    pub fn foreign_pods(&self) -> BTreeSet<usize> {
        let pods = self.pods.iter().flatten().enumerate();
        pods.filter(|(_, pod)| self.is_foreign(pod)).map(|(place, _)| place).collect()
    }
}

/// True if it may be the hash of a pod template: another Deployment's `ReplicaSet` may begin with this one's name, too.
fn is_hash(suffix: &str) -> bool {
    !suffix.is_empty() && !suffix.contains('-')
}

/// Whether a pod is the target's own, by its controlling owner (kind and name) and its label `pod-template-hash`;
/// `None` where the kind of the target does not tell.
///
/// A Deployment names its `ReplicaSets` after itself and the hash that it labels their pods with.
#[must_use]
pub fn owned_by(
    target_kind: &str,
    target_name: &str,
    owner: Option<(&str, &str)>,
    template_hash: Option<&str>,
) -> Option<bool> {
    match target_kind {
        "Deployment" => Some(owner.is_some_and(|(kind, name)| {
            let suffix = name.strip_prefix(target_name).and_then(|rest| rest.strip_prefix('-'));
            kind == "ReplicaSet"
                && suffix
                    .is_some_and(|suffix| is_hash(suffix) && template_hash.is_none_or(|hash| hash == suffix))
        })),
        "ReplicaSet" | "StatefulSet" | "ReplicationController" => {
            Some(owner == Some((target_kind, target_name)))
        }
        _ => None,
    }
}

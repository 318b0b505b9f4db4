//! Whose pods these are: a selector may match more than the target's own.

use super::explanation::Explanation;
use crate::snapshot::{Owner, Pod};

/// How a pod relates to the HPA's target, by its owner reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ownership<'a> {
    /// It is the target's own.
    Target,
    /// It is somebody else's.
    Other(Option<&'a Owner>),
    /// The kind of the target does not tell.
    Untold,
}

/// Whose pod it is.
pub(super) fn ownership<'a>(explanation: Explanation<'_>, pod: &'a Pod) -> Ownership<'a> {
    let target = &explanation.snapshot.hpa.target;
    let owner = pod.owner.as_ref();
    match &*target.kind {
        "Deployment" => whose(owner, owner.is_some_and(|owner| is_of_deployment(owner, &target.name, pod))),
        "ReplicaSet" | "StatefulSet" | "ReplicationController" => {
            whose(owner, owner.is_some_and(|owner| owner.kind == target.kind && owner.name == target.name))
        }
        _ => Ownership::Untold,
    }
}

fn whose(owner: Option<&Owner>, is_target: bool) -> Ownership<'_> {
    if is_target { Ownership::Target } else { Ownership::Other(owner) }
}

/// A Deployment names its `ReplicaSets` after itself and the hash that it labels their pods with.
fn is_of_deployment(owner: &Owner, deployment: &str, pod: &Pod) -> bool {
    let hash = pod.labels.get("pod-template-hash");
    let suffix = owner.name.strip_prefix(deployment).and_then(|rest| rest.strip_prefix('-'));
    &*owner.kind == "ReplicaSet" && suffix.is_some_and(|suffix| hash.is_none_or(|hash| hash == suffix))
}

/// An owner as `Kind/name`; a pod without one stands alone.
pub(super) fn name(owner: Option<&Owner>) -> String {
    owner.map_or_else(|| "no owner".to_owned(), |owner| format!("{}/{}", owner.kind, owner.name))
}

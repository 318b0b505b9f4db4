//! Whose pods these are: a selector may match more than the target's own.

use super::explanation::Explanation;
use crate::snapshot::{Owner, Pod, owned_by};

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
    let names = owner.map(|owner| (&*owner.kind, &*owner.name));
    match owned_by(&target.kind, &target.name, names, pod.labels.get("pod-template-hash")) {
        Some(true) => Ownership::Target,
        Some(false) => Ownership::Other(owner),
        None => Ownership::Untold,
    }
}

/// An owner as `Kind/name`; a pod without one stands alone.
pub(super) fn name(owner: Option<&Owner>) -> String {
    owner.map_or_else(|| "no owner".to_owned(), |owner| format!("{}/{}", owner.kind, owner.name))
}

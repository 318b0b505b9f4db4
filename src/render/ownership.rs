//! Whose pods these are: a selector may match more than the target's own.

use super::explanation::Explanation;
use kubectl_hpa_core::snapshot::{Owner, Pod};

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
    match pod.is_owned_by(&explanation.snapshot.hpa.target) {
        Some(true) => Ownership::Target,
        Some(false) => Ownership::Other(pod.owner.as_ref()),
        None => Ownership::Untold,
    }
}

/// An owner as `Kind/name`; a pod without one stands alone.
pub(super) fn name(owner: Option<&Owner>) -> String {
    owner.map_or_else(|| "no owner".to_owned(), |owner| format!("{}/{}", owner.kind, owner.name))
}

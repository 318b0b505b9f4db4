//! Whose pods these are, in words.

use kubectl_hpa_core::snapshot::Owner;

/// An owner as `Kind/name`; a pod without an owner is standalone.
pub(super) fn name(owner: Option<&Owner>) -> String {
    owner.map_or_else(|| "no owner".to_owned(), |owner| format!("{}/{}", owner.kind, owner.name))
}

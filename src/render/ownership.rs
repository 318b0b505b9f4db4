//! Whose pods these are, in words.

use kubectl_hpa_core::snapshot::Owner;

/// In the place of an owner.
pub(super) const NO_OWNER: &str = "no owner";

/// An owner as `Kind/name`; a pod without an owner is standalone.
pub(super) fn name(owner: Option<&Owner>) -> String {
    owner.map_or_else(|| NO_OWNER.to_owned(), |owner| format!("{}/{}", owner.kind, owner.name))
}

//! What several forms have in common.

use kubectl_hpa_core::snapshot::Written;

/// An object as people call it: `HorizontalPodAutoscaler shop/web`.
pub(super) fn named(written: &Written) -> String {
    let (kind, name) = (written.text("/kind"), written.text("/metadata/name"));
    match written.text("/metadata/namespace") {
        "" => format!("{kind} {name}"),
        namespace => format!("{kind} {namespace}/{name}"),
    }
}

/// An object of a cluster by its place: `shop/HorizontalPodAutoscaler/web`.
pub(super) fn live(written: &Written) -> String {
    let parts = [written.text("/metadata/namespace"), written.text("/kind"), written.text("/metadata/name")];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("/")
}

//! Who made the HPA and scales beside it.

use crate::render::page::{Page, Role};
use kubectl_hpa_core::explanation::Explanation;

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    let hpa = &explanation.snapshot().hpa;
    let Some(object) = hpa.scaled_object() else { return };
    // KEDA itself scales only between 0 and 1; with minReplicas above 1 it does nothing.
    let below = if hpa.min.0 == 1 {
        "If its minReplicaCount is 0, KEDA itself removes the last replica after cooldownPeriod and adds the first one. "
    } else {
        ""
    };
    page.note(
        "Owner",
        Role::Quiet,
        &format!(
            "KEDA made this HPA from ScaledObject/{object} and overwrites changes to it. {below}From {} to {} replicas this HPA decides; the ScaledObject sets its window and spec.behavior in advanced.horizontalPodAutoscalerConfig.",
            hpa.min.0, hpa.max.0
        ),
    );
}

//! Who made the autoscaler and scales beside it.

use crate::render::page::{Page, Role};
use kubectl_hpa_core::explanation::Explanation;

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    let hpa = &explanation.snapshot().hpa;
    let Some(object) = hpa.scaled_object() else { return };
    // With more than one replica at least, KEDA has nothing to scale by itself.
    let below = if hpa.min.0 == 1 {
        "Where its minReplicaCount is 0, KEDA itself takes the last replica away after cooldownPeriod, and brings the first one back. "
    } else {
        ""
    };
    page.note(
        "Owner",
        Role::Quiet,
        &format!(
            "KEDA made this HPA from ScaledObject/{object}, and writes it again from there. {below}From {} to {} replicas this HPA decides, by its window and spec.behavior, which the ScaledObject has in advanced.horizontalPodAutoscalerConfig.",
            hpa.min.0, hpa.max.0
        ),
    );
}

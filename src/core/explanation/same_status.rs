//! Two statuses of the same HPA compared: the recomputed and the written one.

use crate::api::{ConditionType, HpaStatus};

/// Whether both tell of the same decision.
pub(super) fn is_same(recomputed: &HpaStatus, written: &HpaStatus) -> bool {
    recomputed.desired_replicas == written.desired_replicas && is_as_able(recomputed, written)
}

/// The same but for the count.
pub(super) fn is_as_able(recomputed: &HpaStatus, written: &HpaStatus) -> bool {
    is_as_active(recomputed, written) && able(recomputed) == able(written)
}

/// True if both have the same ScalingActive.
pub(super) fn is_as_active(recomputed: &HpaStatus, written: &HpaStatus) -> bool {
    state(recomputed, ConditionType::ScalingActive) == state(written, ConditionType::ScalingActive)
}

/// True if AbleToScale is True or False.
pub(super) fn is_known_able(status: &HpaStatus) -> bool {
    matches!(able(status), Some("True" | "False"))
}

/// A condition's status and reason.
pub(super) fn state(status: &HpaStatus, kind: ConditionType) -> Option<(&str, &str)> {
    status.condition(kind).map(|condition| (condition.status.as_str(), condition.reason.as_str()))
}

/// The status of AbleToScale, whether the controller could scale: its reasons change from sync to sync, its status does not.
fn able(status: &HpaStatus) -> Option<&str> {
    status.condition(ConditionType::AbleToScale).map(|condition| condition.status.as_str())
}

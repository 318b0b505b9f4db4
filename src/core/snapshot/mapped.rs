//! Whether the controller knows the target's kind: it lists the kinds again every 30 seconds, and the API does not show when.

use super::{Hpa, Read, ReadError};
use crate::api::ConditionType;
use crate::model::GroupVersion;

/// The scale, unless the controller's last sync did not find the target's kind: then the next one may not find it either,
/// although the scale can be read.
///
/// Source: `reconcileAutoscaler`, `RESTMappings`; kube-controller-manager resets that mapper every 30 seconds
/// (`CreateControllerContext`, 1.37.1).
pub(super) fn unless_unmapped<T>(scale: Read<T>, hpa: &Hpa) -> Read<T> {
    let scale = scale?;
    let group = GroupVersion::parse(&hpa.target.api_version).map(|it| it.group).unwrap_or_default();
    let words = format!("no matches for kind {:?} in group {group:?}", hpa.target.kind);
    let mut conditions = hpa.status.conditions.iter();
    let is_unmapped = conditions.any(|it| {
        it.kind == ConditionType::AbleToScale && it.status == "False" && it.message.ends_with(&words)
    });
    if is_unmapped { Err(ReadError::unmapped()) } else { Ok(scale) }
}

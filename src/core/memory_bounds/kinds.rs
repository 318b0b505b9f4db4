//! The kinds that the controller knows: it lists them again every 30 seconds, and the API does not show when.

use crate::snapshot::Snapshot;

/// Whether the controller's last sync did not find the target's kind, although its scale can be read now. Then no sign tells
/// whether the next sync finds it.
///
/// Source: `reconcileAutoscaler`, `RESTMappings`; kube-controller-manager resets that mapper every 30 seconds
/// (`CreateControllerContext`, 1.37.1).
pub(super) fn lacks_kind(snapshot: &Snapshot) -> bool {
    let mut conditions = snapshot.hpa.status.conditions.iter();
    let able = conditions.find(|condition| condition.kind == "AbleToScale");
    let is_lacking = able.is_some_and(|able| {
        able.status == "False"
            && able.reason == "FailedGetScale"
            && able.message.contains("no matches for kind ")
    });
    is_lacking && snapshot.scale.is_ok()
}

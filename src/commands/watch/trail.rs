//! The changes of the replicas that a watch saw, each once.

use std::rc::Rc;

use kubectl_hpa_core::comparison::ReplicaChange;
use kubectl_hpa_core::explanation::Explanation;

/// What was seen last.
#[derive(Debug, Default)]
pub struct Trail {
    last: Option<Rc<Explanation>>,
    /// A change that the status does not have so far, with the look before it and the one that saw it.
    open: Option<(ReplicaChange, Rc<Explanation>, Rc<Explanation>)>,
}

impl Trail {
    /// What has changed, each with the look before it.
    pub fn see(&mut self, explained: Explanation) -> Vec<(ReplicaChange, Rc<Explanation>)> {
        let now = Rc::new(explained);
        let mut changes = Vec::new();
        if let Some((open, before, seen)) = self.open.take() {
            changes.push((claimed(open, &before, &seen, &now), before));
        }
        let last = self.last.replace(Rc::clone(&now));
        let change = last.and_then(|before| Some((ReplicaChange::between(&before, &now)?, before)));
        match change {
            // The next look has it, and the time, or it is somebody else's.
            Some((change, before)) if !change.is_in_status => {
                self.open = Some((change, before, now));
            }
            change => changes.extend(change),
        }
        changes
    }
}

/// The change as the status tells of it one look later.
fn claimed(
    open: ReplicaChange,
    before: &Explanation,
    seen: &Explanation,
    now: &Explanation,
) -> ReplicaChange {
    let scaled = |it: &Explanation| it.snapshot().hpa.status.last_scale_time;
    if scaled(now) == scaled(before) {
        return open.unclaimed(before, now);
    }
    // Of two changes in a row the status has the time of the later one.
    let is_last = seen.current() == now.current();
    ReplicaChange::between(before, now).filter(|change| is_last && change.is_in_status).unwrap_or(open)
}

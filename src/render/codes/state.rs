//! The states of `list`. The page `states.md` in the core has the same, with the rest of the list.

use super::text::{Entry, VERSIONS};
use kubectl_hpa_core::model::HpaState;

/// The entry of a state.
pub(super) const fn entry(state: HpaState) -> &'static Entry {
    match state {
        HpaState::Broken => &BROKEN,
        HpaState::Held => &HELD,
        HpaState::AtMax => &AT_MAX,
        HpaState::Asleep => &ASLEEP,
        HpaState::AtMin => &AT_MIN,
        HpaState::Scaling => &SCALING,
        HpaState::Idle => &IDLE,
        HpaState::SwitchedOff => &SWITCHED_OFF,
        HpaState::Unknown => &UNKNOWN,
    }
}

const fn state(title: &'static str, text: &'static str) -> Entry {
    Entry { title, text, upstream: &[], versions: VERSIONS }
}

const BROKEN: Entry = state(
    "State: the controller cannot decide",
    "The controller cannot decide or cannot write the scale, or at least one metric fails. With one of several metrics failing it may still scale up, but never down.\n\
     kubectl hpa explain NAME says what fails and how to fix it.",
);

const HELD: Entry = state(
    "State: something keeps the replicas",
    "The replicas stay, or may stay, although the metrics want more or fewer within minReplicas and maxReplicas: because of a stabilization window, a rate limit, a disabled direction, pods that have no sample, are not ready, or are more or fewer than the replicas, or because the controller's memory is not known.",
);

const AT_MAX: Entry = state(
    "State: at maxReplicas",
    "The replicas are at maxReplicas, or reach it now, and the metrics want no fewer. Replicas above maxReplicas go back to it before any metric is read.",
);

const ASLEEP: Entry = state(
    "State: at 0 replicas by the HPA's own doing",
    "The replicas are 0, or become 0 now, as no metric wants a replica. The HPA scales up again by itself as soon as one does.",
);

const AT_MIN: Entry = state(
    "State: at minReplicas",
    "The replicas are at minReplicas, or reach it now, and the metrics want no more. Replicas below minReplicas go back to it before any metric is read.",
);

const SCALING: Entry = state(
    "State: the replicas change",
    "The controller changes the replicas now: to what the metrics want, or as far towards it as windows, limits and bounds allow.",
);

const IDLE: Entry = state(
    "State: nothing to do",
    "The replicas stay, and the metrics want just that: the usage is at the target or within the tolerance.",
);

const SWITCHED_OFF: Entry = state(
    "State: paused at 0 replicas",
    "The target has 0 replicas, which pauses the HPA. With one replica the controller takes over again at its next sync.",
);

const UNKNOWN: Entry = state(
    "State: not known",
    "What the controller reads could not be read here, so its decision is not known.\n\
     With the right to get and list HPAs alone, the state is that of the last status instead, and only an HPA without a status is unknown. kubectl hpa rbac prints the rights.",
);

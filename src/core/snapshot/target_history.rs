//! What the scale target shows of its earlier replicas.

use super::case::HistoryCase;
use super::emitted::{Emitted, emitted, uncombined};
use crate::api;
use crate::model::{Instant, Replicas};

/// What the target shows of its past.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetHistory {
    /// The field managers that set `spec.replicas` to its value.
    pub setters: Vec<SetReplicas>,
    /// `metadata.creationTimestamp`.
    pub created: Option<Instant>,
    /// `metadata.generation`: 1 more with each change of its spec. `None` if it is not known.
    pub generation: Option<i64>,
    /// The sizes of its ReplicaSets according to its events, oldest first. Only a Deployment has these.
    pub resizes: Vec<Resize>,
    /// All events of its controller about it; `None` if they are not known.
    pub emitted: Option<Vec<Emitted>>,
}

/// A field manager that set `spec.replicas` to its value (`metadata.managedFields`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetReplicas {
    /// When, to the second. A write through the scale subresource has no time.
    pub at: Option<Instant>,
    /// The field manager.
    pub by: Box<str>,
    /// Whether the controller set it (`Update` of the scale by kube-controller-manager).
    pub by_controller: bool,
}

/// A change of the size of a ReplicaSet (`ScalingReplicaSet` of the deployment controller).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resize {
    /// When it was seen first.
    pub first: Instant,
    /// When it was seen last.
    pub last: Instant,
    /// How often.
    pub count: i32,
    /// Whether it grew.
    pub is_up: bool,
    /// The name of the ReplicaSet.
    pub replica_set: Box<str>,
    /// From this size; older deployment controllers do not report it.
    pub from: Option<Replicas>,
    /// To this size.
    pub to: Replicas,
    /// Whether it combines several, of which only the last is known.
    pub is_combined: bool,
}

/// Collects it. Anybody may write events about the target: only those of its own controller count, `deployment-controller`.
pub(super) fn target_history(history: &HistoryCase, kind: &str) -> TargetHistory {
    let object = history.target.as_ref().and_then(|target| target.object.as_ref());
    let managers = object.iter().flat_map(|target| &target.metadata.managed_fields);
    let setters = managers.filter(|entry| entry.sets("replicas") == Some(true));
    let setters = setters.map(set_replicas).collect();
    let events = history.target_events.as_ref().and_then(|events| events.items.as_deref());
    let component = format!("{}-controller", kind.to_lowercase());
    let events = events.map(|events| events.iter().filter(|event| event.is_of(&component)));
    let mut resizes: Vec<Resize> = events.clone().into_iter().flatten().filter_map(resize).collect();
    resizes.sort_by_key(|resize| resize.last);
    let created = object.and_then(|target| target.metadata.creation_timestamp);
    let generation = object.map(|target| target.metadata.generation).filter(|generation| *generation > 0);
    let emitted = events.map(|events| events.filter_map(emitted).collect());
    TargetHistory { setters, created, generation, resizes, emitted }
}

fn set_replicas(entry: &api::ManagedFields) -> SetReplicas {
    let by_controller = entry.manager == "kube-controller-manager" && entry.subresource == "scale";
    SetReplicas { at: entry.time, by: entry.manager.as_str().into(), by_controller }
}

/// "Scaled up replica set web-6d4 from 4 to 6", or in older versions without "from 4".
fn resize(event: &api::Event) -> Option<Resize> {
    let (message, is_combined) = uncombined(event);
    let (way, rest) = message.strip_prefix("Scaled ")?.split_once(" replica set ")?;
    let is_up = match way {
        "up" => true,
        "down" => false,
        _ => return None,
    };
    let words: Vec<&str> = rest.split(' ').collect();
    let (replica_set, from, to) = match words.as_slice() {
        [name, "from", from, "to", to] | [name, "to", to, "from", from] => (name, Some(from), to),
        [name, "to", to] => (name, None, to),
        _ => return None,
    };
    let size = |text: &&str| text.parse().ok().map(Replicas);
    let from = match from {
        Some(text) => Some(size(text)?),
        None => None,
    };
    let seen = emitted(event)?;
    Some(Resize {
        first: seen.first,
        last: seen.last,
        count: seen.count,
        is_up,
        replica_set: (*replica_set).into(),
        from,
        to: size(to)?,
        is_combined,
    })
}

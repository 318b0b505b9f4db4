//! The room that the nodes of a cluster offer.

use serde_json::Value;

use crate::model::Quantity;

/// The sum of all that schedulable nodes can allocate.
pub(super) struct NodeRoom {
    pub count: usize,
    pub cpu: f64,
    pub memory: f64,
    pub pods: f64,
}

impl NodeRoom {
    /// `None` if there is no node, or one does not tell what it has.
    pub fn of<'a>(nodes: impl Iterator<Item = &'a Value>) -> Option<Self> {
        let mut room = Self { count: 0, cpu: 0.0, memory: 0.0, pods: 0.0 };
        for node in nodes.filter(|node| node["spec"]["unschedulable"] != true) {
            // It may have just joined, or be a manifest: then what it has is not known.
            let of = |name: &str| quantity(&node["status"]["allocatable"][name]);
            room.count += 1;
            room.cpu += of("cpu")?;
            room.memory += of("memory")?;
            room.pods += of("pods")?;
        }
        (room.count > 0).then_some(room)
    }
}

pub(super) fn quantity(value: &Value) -> Option<f64> {
    Some(Quantity::parse(&shown(value)).ok()?.as_approximate_f64())
}

/// A quantity as it is written: a text, or a number.
pub(super) fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

//! What the change comes to in the end.

use super::Sides;
use crate::explanation::Explanation;
use crate::model::{Milli, Replicas, ResourceName};

/// What there is in the end: as it is, and as it would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetEffect {
    /// The replicas.
    pub replicas: [Replicas; 2],
    /// What they request together.
    pub requests: Vec<Requested>,
}

/// What all replicas request of a resource, in milli-units: as it is, and as it would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requested {
    /// The resource.
    pub resource: ResourceName,
    /// Replicas times the request of each.
    pub milli: [i64; 2],
}

impl Sides<'_> {
    /// What the change comes to where the replicas settle. `None` where either end is not known; a resource is left out where
    /// the pods of a side do not all request the same.
    #[must_use]
    pub fn net_effect(&self) -> Option<NetEffect> {
        let replicas = self.ends()?;
        let requests = [ResourceName::Cpu, ResourceName::Memory].into_iter().filter_map(|resource| {
            let each = self.requested_each(&resource);
            let total = |side: usize| each[side]?.0.checked_mul(i64::from(replicas[side].0));
            let milli = [total(0)?, total(1)?];
            Some(Requested { resource, milli })
        });
        Some(NetEffect { replicas, requests: requests.collect() })
    }

    /// Where the replicas of each side settle; `None` where that is not known of one.
    pub(super) fn ends(&self) -> Option<[Replicas; 2]> {
        let ends = |explanation: &Explanation| explanation.projection().end(explanation.decision().desired());
        let now = self.now.map_or_else(|| self.then.current(), ends);
        Some([now?, ends(self.then)?])
    }

    /// What a pod of each side requests, if all of its pods request the same.
    pub(super) fn requested_each(&self, resource: &ResourceName) -> [Option<Milli>; 2] {
        [self.now.unwrap_or(self.then), self.then].map(|side| requested(side, resource))
    }
}

impl NetEffect {
    /// How many replicas more, or fewer.
    #[must_use]
    pub fn more(&self) -> i64 {
        let [now, then] = self.replicas.map(|replicas| i64::from(replicas.0));
        then - now
    }
}

impl Requested {
    /// How much more, or less.
    #[must_use]
    pub fn more(&self) -> i64 {
        self.milli[1].saturating_sub(self.milli[0])
    }
}

/// What each of the target's own pods requests, if all request the same.
fn requested(explanation: &Explanation, resource: &ResourceName) -> Option<Milli> {
    let target = &explanation.snapshot().hpa.target;
    let own = explanation.pods().iter().filter(|pod| !pod.is_of_another(target));
    let mut requests = own.map(|pod| pod.requested(resource));
    let first = requests.next()?;
    first.filter(|_| requests.all(|other| other == first))
}

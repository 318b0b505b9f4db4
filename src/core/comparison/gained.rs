//! What there is more of in the end.

use super::Sides;
use crate::explanation::Explanation;
use crate::model::{Milli, Replicas, ResourceName};

impl Sides<'_> {
    /// How many more (or fewer) replicas there are in the end, and what they request more by resource, in milli-units:
    /// then's replicas times then's requests, less now's times now's. `None` where either end is not known; a resource is
    /// left out where the pods of a side do not all request the same.
    #[must_use]
    pub fn gained(&self) -> Option<(i64, Vec<(String, i64)>)> {
        let ends = |explanation: &Explanation| explanation.projection().end(explanation.decision().desired());
        let now = self.now.map_or_else(|| self.then.current(), ends);
        let (Replicas(now), Replicas(then)) = (now?, ends(self.then)?);
        let before = self.now.unwrap_or(self.then);
        let requests = [ResourceName::Cpu, ResourceName::Memory].into_iter().filter_map(|resource| {
            let [one, other] = [before, self.then].map(|side| requested(side, &resource));
            let total = |request: Milli, replicas: i32| i128::from(request.0) * i128::from(replicas);
            let more = total(other?, then) - total(one?, now);
            Some((resource.as_str().to_owned(), i64::try_from(more).ok()?))
        });
        Some((i64::from(then) - i64::from(now), requests.collect()))
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

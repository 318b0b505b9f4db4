//! Whose pods these are: a selector may match more than the target's own.

use std::collections::BTreeMap;

use super::Explanation;
use crate::snapshot::{Owner, Pod};

/// How a pod relates to the HPA's target, by its owner reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership<'a> {
    /// It is the target's own.
    Target,
    /// It is somebody else's; `None` where it stands alone.
    Other(Option<&'a Owner>),
    /// The kind of the target does not tell, or no pod has an owner.
    Untold,
}

impl Explanation {
    /// Whose pod it is.
    #[must_use]
    pub fn ownership<'a>(&self, pod: &'a Pod) -> Ownership<'a> {
        match self.snapshot.owns(pod) {
            Some(true) => Ownership::Target,
            Some(false) => Ownership::Other(pod.owner.as_ref()),
            None => Ownership::Untold,
        }
    }

    /// The revisions of the target's pods, if they have several, each with the number of its pods: a `ReplicaSet`, or a
    /// `StatefulSet`'s controller revision.
    #[must_use]
    pub fn revisions(&self) -> Vec<(&str, usize)> {
        let own = self.pods().iter().filter(|pod| !self.snapshot.is_foreign(pod));
        let mut revisions = BTreeMap::new();
        for revision in own.filter_map(revision) {
            *revisions.entry(revision).or_default() += 1;
        }
        if revisions.len() > 1 { revisions.into_iter().collect() } else { Vec::new() }
    }
}

fn revision(pod: &Pod) -> Option<&str> {
    let owner = pod.owner.as_ref()?;
    match &*owner.kind {
        "ReplicaSet" => Some(&owner.name),
        "StatefulSet" => pod.labels.get("controller-revision-hash"),
        _ => None,
    }
}

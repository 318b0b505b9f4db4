//! Whose pods these are: a selector may match more than the target's own.

use super::Explanation;
use crate::snapshot::{Owner, Pod};

/// How a pod relates to the HPA's target, by its owner reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership<'a> {
    /// It is the target's own.
    Target,
    /// It is somebody else's; `None` where it stands alone.
    Other(Option<&'a Owner>),
    /// The kind of the target does not tell.
    Untold,
}

impl Explanation {
    /// Whose pod it is.
    #[must_use]
    pub fn ownership<'a>(&self, pod: &'a Pod) -> Ownership<'a> {
        match pod.is_owned_by(&self.snapshot.hpa.target) {
            Some(true) => Ownership::Target,
            Some(false) => Ownership::Other(pod.owner.as_ref()),
            None => Ownership::Untold,
        }
    }
}

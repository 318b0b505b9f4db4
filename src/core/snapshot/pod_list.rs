//! The pods of a snapshot, shared until one of them changes.

use std::ops::{Deref, DerefMut};
use std::slice::Iter;
use std::sync::Arc;

use super::Pod;

/// Pods in list order. One snapshot is decided on a dozen times over, each time with something else changed, which is
/// seldom a pod: what is cloned shares the pods with what it was cloned from, and the first change makes them its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodList {
    pods: Arc<Vec<Pod>>,
    has_owners: bool,
}

impl PodList {
    /// True if a pod has an owner. If none has, whoever wrote the list by hand may have left them out.
    #[must_use]
    pub const fn has_owners(&self) -> bool {
        self.has_owners
    }
}

impl Deref for PodList {
    type Target = [Pod];

    fn deref(&self) -> &[Pod] {
        &self.pods
    }
}

impl DerefMut for PodList {
    fn deref_mut(&mut self) -> &mut [Pod] {
        Arc::make_mut(&mut self.pods).as_mut_slice()
    }
}

impl<'a> IntoIterator for &'a PodList {
    type Item = &'a Pod;
    type IntoIter = Iter<'a, Pod>;

    fn into_iter(self) -> Iter<'a, Pod> {
        self.iter()
    }
}

impl From<Vec<Pod>> for PodList {
    fn from(pods: Vec<Pod>) -> Self {
        let has_owners = pods.iter().any(|pod| pod.owner.is_some());
        Self { pods: Arc::new(pods), has_owners }
    }
}

/// Clones them only where they are shared.
impl From<PodList> for Vec<Pod> {
    fn from(PodList { pods, .. }: PodList) -> Self {
        Arc::unwrap_or_clone(pods)
    }
}

#[cfg(test)]
mod tests {
    use super::PodList;
    use crate::api;

    #[test]
    fn a_clone_shares_the_pods_until_one_of_them_changes() {
        let one = PodList::from(vec![api::Pod::default().into()]);
        let mut other = one.clone();
        assert!(std::ptr::eq(one.as_ptr(), other.as_ptr()));
        other.iter_mut().for_each(|pod| pod.deleting = true);
        assert_eq!([one[0].deleting, other[0].deleting], [false, true]);
    }
}

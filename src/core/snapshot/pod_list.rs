//! The pods of a snapshot, shared until one of them changes.

use std::ops::{Deref, DerefMut};
use std::slice::Iter;
use std::sync::Arc;

use super::Pod;

/// Pods in list order. One snapshot is decided on a dozen times over, each time with something else changed, which is
/// seldom a pod: what is cloned shares the pods with what it was cloned from, and the first change makes them its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodList(Arc<Vec<Pod>>);

impl Deref for PodList {
    type Target = [Pod];

    fn deref(&self) -> &[Pod] {
        &self.0
    }
}

impl DerefMut for PodList {
    fn deref_mut(&mut self) -> &mut [Pod] {
        Arc::make_mut(&mut self.0).as_mut_slice()
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
        Self(Arc::new(pods))
    }
}

/// Clones them only where they are shared.
impl From<PodList> for Vec<Pod> {
    fn from(PodList(pods): PodList) -> Self {
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

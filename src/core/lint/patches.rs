//! The parts of HPAs that kustomize lays over whole ones.

use std::collections::BTreeSet;
use std::path::Path;

use super::folders::folder;
use crate::snapshot::Written;

/// What an HPA without its required fields may be a patch of.
pub(super) struct Patches<'a> {
    /// The names of the HPAs with their required fields.
    whole: BTreeSet<&'a str>,
    /// The folders with a kustomization.
    kustomized: BTreeSet<Option<&'a Path>>,
}

impl<'a> Patches<'a> {
    pub fn of(objects: &'a [Written]) -> Self {
        let whole = objects.iter().filter(|it| it.is_hpa() && is_whole(it));
        let kustomizations = objects.iter().filter(|it| it.is_kustomization());
        Self {
            whole: whole.map(|it| it.text("/metadata/name")).collect(),
            kustomized: kustomizations.map(folder).collect(),
        }
    }

    /// Whether it changes an HPA that stands elsewhere, for example an overlay's patch.
    pub fn has(&self, written: &Written) -> bool {
        !is_whole(written)
            && (self.whole.contains(written.text("/metadata/name"))
                || self.kustomized.contains(&folder(written)))
    }
}

/// Whether an HPA has its required fields.
pub(super) fn is_whole(hpa: &Written) -> bool {
    ["/spec/scaleTargetRef", "/spec/maxReplicas"].iter().all(|field| hpa.value.pointer(field).is_some())
}

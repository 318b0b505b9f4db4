//! Which files belong together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::group::group;
use crate::snapshot::Written;

/// How far two objects are from each other: in one file, in one folder, elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Distance {
    File,
    Folder,
    Far,
}

/// The folders of all objects.
pub(super) struct Folders<'a> {
    /// The files that stand for themselves in their folders.
    variants: BTreeSet<&'a str>,
    /// Those that kustomize builds.
    kustomized: BTreeSet<&'a Path>,
    /// What is in each of them.
    named: BTreeMap<&'a Path, BTreeSet<Identity<'a>>>,
}

/// What parts of one application repeat, each for itself.
const SHARED: [&str; 3] = ["Namespace", "Secret", "ServiceAccount"];

/// Group, kind, namespace and name.
type Identity<'a> = (&'a str, &'a str, &'a str, &'a str);

impl<'a> Folders<'a> {
    pub fn of(objects: &'a [Written]) -> Self {
        let kustomizations = objects.iter().filter(|written| written.is_kustomization());
        let mut named = BTreeMap::<_, BTreeSet<_>>::new();
        let is_its_own = |written: &&Written| {
            !written.text("/metadata/name").is_empty() && !SHARED.contains(&written.text("/kind"))
        };
        for written in objects.iter().filter(is_its_own) {
            if let Some(folder) = folder(written) {
                named.entry(folder).or_default().insert(identity(written));
            }
        }
        Self { variants: variants(objects), kustomized: kustomizations.filter_map(folder).collect(), named }
    }

    /// Whether two folders may be parts of one application: one is in the other, or both are in the same one. Overlays of
    /// several environments are not: each is built for itself, or has an object that the other one has, too.
    pub fn are_near(&self, one: &Written, other: &Written) -> bool {
        let (Some(one), Some(other)) = (folder(one), folder(other)) else { return true };
        let is_built = [one, other].iter().all(|folder| self.kustomized.contains(folder));
        let is_inside = one.starts_with(other) || other.starts_with(one);
        !is_built && (is_inside || one.parent() == other.parent() && !self.are_variants(one, other))
    }

    /// Whether two folders have an object of the same name.
    fn are_variants(&self, one: &Path, other: &Path) -> bool {
        let named = [one, other].map(|folder| self.named.get(folder));
        matches!(named, [Some(one), Some(other)] if !one.is_disjoint(other))
    }

    /// The folder of an object, or its file where that stands for itself.
    pub fn bundle<'w>(&self, written: &'w Written) -> &'w Path {
        let whole = folder(written).filter(|_| !self.variants.contains(written.source.as_str()));
        whole.unwrap_or(Path::new(&written.source))
    }

    /// What belongs to an object: its bundle, and the rest of the folder where that is its file.
    pub fn bundles<'w>(&self, written: &'w Written) -> impl Iterator<Item = &'w Path> {
        let own = self.bundle(written);
        [Some(own), folder(written).filter(|folder| *folder != own)].into_iter().flatten()
    }

    pub fn distance(&self, one: &Written, other: &Written) -> Distance {
        if one.source == other.source {
            return Distance::File;
        }
        let are_both = [one, other].iter().all(|it| self.variants.contains(it.source.as_str()));
        if folder(one) == folder(other) && !are_both { Distance::Folder } else { Distance::Far }
    }
}

/// Whether two objects are of one namespace; one that names none goes wherever the other does.
pub(super) fn is_together(one: &Written, other: &Written) -> bool {
    let [one, other] = [one, other].map(namespace);
    one == other || one.is_empty() || other.is_empty()
}

/// The namespace of an object; empty if it names none. Not by a JSON pointer, which allocates for each of its parts: this
/// is asked of many objects.
pub(super) fn namespace(written: &Written) -> &str {
    written.value["metadata"]["namespace"].as_str().unwrap_or_default()
}

/// The files of one folder that have an HPA or a workload of the same name: examples or variants, each for itself.
fn variants(objects: &[Written]) -> BTreeSet<&str> {
    let mut files = BTreeMap::<_, BTreeSet<&str>>::new();
    let is_own = |written: &&Written| written.is_hpa() || written.value.pointer("/spec/template").is_some();
    for written in objects.iter().filter(is_own) {
        files.entry((folder(written), identity(written))).or_default().insert(&written.source);
    }
    files.into_values().filter(|files| files.len() > 1).flatten().collect()
}

fn identity(written: &Written) -> Identity<'_> {
    let [kind, namespace, name] =
        ["/kind", "/metadata/namespace", "/metadata/name"].map(|it| written.text(it));
    (group(written.text("/apiVersion")), kind, namespace, name)
}

pub(super) fn folder(written: &Written) -> Option<&Path> {
    Path::new(&written.source).parent()
}

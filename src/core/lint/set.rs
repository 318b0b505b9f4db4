//! The objects that are looked at together, and who belongs to whom.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::workload::Workload;
use crate::api;
use crate::snapshot::{Manifest, Written};

/// All objects of one run.
pub(super) struct Set<'a> {
    pub objects: &'a [Written],
    pub hpas: Vec<Subject<'a>>,
    /// The folders whose files do not belong together.
    crowded: BTreeSet<&'a Path>,
}

/// An HPA that can be decoded.
pub(super) struct Subject<'a> {
    /// Its place in the list.
    pub place: usize,
    pub written: &'a Written,
    pub manifest: Manifest,
}

impl Subject<'_> {
    pub fn spec(&self) -> &api::HpaSpec {
        &self.manifest.hpa.spec
    }

    pub fn name(&self) -> &str {
        self.written.text("/metadata/name")
    }

    /// What it scales, as `Deployment web`.
    pub fn target(&self) -> String {
        let target = &self.spec().scale_target_ref;
        format!("{} {}", target.kind, target.name)
    }
}

/// How far two objects are from each other: in one file, in one folder, elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    File,
    Folder,
    Far,
}

impl<'a> Set<'a> {
    pub fn of(objects: &'a [Written]) -> Self {
        let whole = |written: &Written| written.is_hpa() && !is_patch(objects, written);
        let decoded = objects.iter().enumerate().filter(|(_, written)| whole(written));
        let hpas = decoded
            .filter_map(|(place, written)| Some(Subject { place, written, manifest: written.hpa().ok()? }));
        Self { objects, hpas: hpas.collect(), crowded: crowded(objects) }
    }

    /// What an HPA scales, if it is there. Of several with its name, as the variants of one application have them, the
    /// one in the same file counts, then the one in the same folder; which of two there is meant is not known.
    pub fn target(&self, hpa: &Subject<'_>) -> Option<Workload<'a>> {
        let wanted = &hpa.spec().scale_target_ref;
        let is_it = |it: &Workload<'_>| {
            // Without a selector it is a part that kustomize lays over a whole one.
            it.selector().is_some()
                && it.kind() == wanted.kind
                && it.name() == wanted.name
                && it.group() == group(&wanted.api_version)
                && is_together(hpa.written, it.written)
        };
        let mut found: Vec<_> = self.workloads().filter(is_it).collect();
        let nearest = found.iter().map(|it| self.distance(hpa.written, it.written)).min()?;
        found.retain(|it| self.distance(hpa.written, it.written) == nearest);
        if found.len() == 1 { found.pop() } else { None }
    }

    /// Everything that makes pods, and pods.
    pub fn workloads(&self) -> impl Iterator<Item = Workload<'a>> {
        let objects = self.objects.iter().enumerate();
        objects.filter_map(|(place, written)| Workload::of(place, written))
    }

    /// The objects of a kind and group that are applied together with another one.
    pub fn beside<'s>(
        &'s self,
        written: &'s Written,
        group_of: &'s str,
        kind: &'s str,
    ) -> impl Iterator<Item = &'a Written> {
        self.objects.iter().filter(move |other| {
            other.text("/kind") == kind
                && group(other.text("/apiVersion")) == group_of
                && self.is_beside(written, other)
        })
    }

    /// The other HPAs that are applied together with one: of another name, for the same name is the same HPA again.
    pub fn others(&self, hpa: &Subject<'_>) -> impl Iterator<Item = &Subject<'a>> {
        self.hpas
            .iter()
            .filter(move |other| self.is_beside(hpa.written, other.written) && other.name() != hpa.name())
    }

    /// Whether two objects are applied together, as far as one file or folder shows: those of other folders may be
    /// variants.
    pub fn is_beside(&self, one: &Written, other: &Written) -> bool {
        is_together(one, other) && self.distance(one, other) <= Distance::Folder
    }

    fn distance(&self, one: &Written, other: &Written) -> Distance {
        let (here, there) = (folder(one), folder(other));
        if one.source == other.source {
            Distance::File
        } else if here == there && here.is_none_or(|folder| !self.crowded.contains(folder)) {
            Distance::Folder
        } else {
            Distance::Far
        }
    }
}

/// Whether it is the part of an HPA that kustomize lays over a whole one.
pub(super) fn is_patch(objects: &[Written], written: &Written) -> bool {
    let is_whole = |hpa: &Written| {
        ["/spec/scaleTargetRef", "/spec/maxReplicas"].iter().all(|field| hpa.value.pointer(field).is_some())
    };
    let is_of = |other: &Written| {
        let name = "/metadata/name";
        (other.is_hpa() && is_whole(other) && other.text(name) == written.text(name))
            || (other.is_kustomization() && folder(other) == folder(written))
    };
    !is_whole(written) && objects.iter().any(is_of)
}

/// The group of an `apiVersion`.
pub(super) fn group(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

/// Whether two objects are of one namespace; one that names none goes wherever the other does.
fn is_together(one: &Written, other: &Written) -> bool {
    let [one, other] = [one, other].map(|it| it.text("/metadata/namespace"));
    one == other || one.is_empty() || other.is_empty()
}

/// The folders in which several files have an object of the same name: examples or variants, each for itself.
fn crowded(objects: &[Written]) -> BTreeSet<&Path> {
    let mut first = BTreeMap::new();
    let again = objects.iter().filter(|written| {
        let texts = ["/kind", "/metadata/namespace", "/metadata/name"].map(|it| written.text(it));
        let key = (folder(written), group(written.text("/apiVersion")), texts);
        **first.entry(key).or_insert(&written.source) != written.source
    });
    again.filter_map(folder).collect()
}

fn folder(written: &Written) -> Option<&Path> {
    Path::new(&written.source).parent()
}

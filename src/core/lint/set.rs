//! The objects that are looked at together, and who belongs to whom.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::folders::{Distance, Folders, is_together, share_namespace};
use super::patches::Patches;
use super::room::NodeRoom;
use super::workload::Workload;
use crate::api;
use crate::snapshot::{Manifest, Written};

/// All objects of one run.
pub(super) struct Set<'a> {
    pub objects: &'a [Written],
    pub hpas: Vec<Subject<'a>>,
    /// Everything that makes pods, and pods.
    workloads: Vec<Workload<'a>>,
    /// The workloads that HPAs scale, by their index.
    scaled: BTreeSet<usize>,
    /// By group and kind.
    kinds: BTreeMap<(&'a str, &'a str), Vec<&'a Written>>,
    pub patches: Patches<'a>,
    pub folders: Folders<'a>,
    /// What all nodes have, added up once.
    nodes: OnceCell<Option<NodeRoom>>,
}

/// An HPA that can be decoded.
pub(super) struct Subject<'a> {
    /// Its place in the list.
    pub place: usize,
    pub written: &'a Written,
    pub manifest: Manifest,
    /// The index of what it scales among the workloads.
    workload: Option<usize>,
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

impl<'a> Set<'a> {
    pub fn of(objects: &'a [Written]) -> Self {
        let enumerated = || objects.iter().enumerate();
        let workloads = enumerated().filter_map(|(place, written)| Workload::of(place, written)).collect();
        let mut kinds = BTreeMap::<_, Vec<_>>::new();
        for written in objects {
            let kind = (group(written.text("/apiVersion")), written.text("/kind"));
            kinds.entry(kind).or_default().push(written);
        }
        let patches = Patches::of(objects);
        let whole = enumerated().filter(|(_, written)| written.is_hpa() && !patches.has(written));
        let hpas = whole.filter_map(|(place, written)| {
            Some(Subject { place, written, manifest: written.hpa().ok()?, workload: None })
        });
        let hpas = hpas.collect();
        let mut set = Self {
            objects,
            hpas,
            workloads,
            patches,
            kinds,
            scaled: BTreeSet::new(),
            folders: Folders::of(objects),
            nodes: OnceCell::new(),
        };
        set.resolve();
        set
    }

    /// Finds what each HPA scales. This is done once, because the rules compare each HPA with all others.
    fn resolve(&mut self) {
        let mut named = BTreeMap::<_, Vec<_>>::new();
        for (index, it) in self.workloads.iter().enumerate() {
            named.entry((it.kind(), it.name())).or_default().push(index);
        }
        let found = |hpa: &Subject<'_>| {
            let wanted = &hpa.spec().scale_target_ref;
            self.nearest(hpa, named.get(&(wanted.kind.as_str(), wanted.name.as_str()))?)
        };
        let found: Vec<Option<usize>> = self.hpas.iter().map(found).collect();
        self.scaled = found.iter().flatten().copied().collect();
        for (hpa, workload) in self.hpas.iter_mut().zip(found) {
            hpa.workload = workload;
        }
    }

    /// Of several workloads with its target's name, as the variants of one application have them, the one in the same
    /// file counts, then the one in the same folder, then one of a folder nearby; which of two there is meant is not known.
    fn nearest(&self, hpa: &Subject<'_>, named: &[usize]) -> Option<usize> {
        let group_of = group(&hpa.spec().scale_target_ref.api_version);
        let distance = |index: usize| {
            let it = self.workloads.get(index)?;
            // Without a selector it is a part that kustomize lays over a whole one.
            let is_it =
                it.selector.is_some() && it.group() == group_of && is_together(hpa.written, it.written);
            let distance = self.folders.distance(hpa.written, it.written);
            let is_apart = distance == Distance::Far && !self.folders.are_near(hpa.written, it.written);
            (is_it && !is_apart).then_some((distance, index))
        };
        let found: Vec<_> = named.iter().filter_map(|index| distance(*index)).collect();
        let (nearest, index) = *found.iter().min()?;
        (found.iter().filter(|(distance, _)| *distance == nearest).count() == 1).then_some(index)
    }

    /// What an HPA scales, if it is there.
    pub fn target(&self, hpa: &Subject<'_>) -> Option<&Workload<'a>> {
        self.workloads.get(hpa.workload?)
    }

    /// The workloads that no HPA scales.
    pub fn unscaled(&self) -> impl Iterator<Item = &Workload<'a>> {
        let all = self.workloads.iter().enumerate();
        all.filter(|(index, _)| !self.scaled.contains(index)).map(|(_, workload)| workload)
    }

    /// The objects of a kind and group that are applied together with this one.
    pub fn beside<'s>(
        &'s self,
        written: &'s Written,
        group_of: &'s str,
        kind: &'s str,
    ) -> impl Iterator<Item = &'a Written> {
        self.of_kind(group_of, kind).filter(move |other| self.folders.is_beside(written, other))
    }

    /// The objects of a kind of the core group that hold for the whole namespace of this one.
    pub fn of_namespace<'s>(
        &'s self,
        written: &'s Written,
        kind: &'s str,
    ) -> impl Iterator<Item = &'a Written> {
        let holds =
            |other: &Written| self.folders.is_beside(written, other) || share_namespace(written, other);
        self.of_kind("", kind).filter(move |other| holds(other))
    }

    fn of_kind<'s>(&'s self, group_of: &'s str, kind: &'s str) -> impl Iterator<Item = &'a Written> {
        self.kinds.get(&(group_of, kind)).into_iter().flatten().copied()
    }

    /// What a cluster says of itself, in objects of the core group without a namespace.
    pub fn cluster<'s>(&'s self, kind: &'s str) -> impl Iterator<Item = &'a serde_json::Value> {
        let of_kind = self.kinds.iter().filter(move |((group, of), _)| group.is_empty() && *of == kind);
        of_kind.flat_map(|(_, all)| all.iter().map(|written| &written.value))
    }

    /// What all schedulable nodes have; `None` if there is no node, or one does not tell.
    pub fn nodes(&self) -> Option<&NodeRoom> {
        self.nodes.get_or_init(|| NodeRoom::of(self.cluster("Node"))).as_ref()
    }

    /// The first of the earlier HPAs that meets a condition and is applied together with this one. It has another name:
    /// the same name is the same HPA again. The condition is tested first, because it is cheap and rarely true.
    pub fn earlier(
        &self,
        hpa: &Subject<'_>,
        is_candidate: impl Fn(&Subject<'a>) -> bool,
    ) -> Option<&Subject<'a>> {
        let before = self.hpas.iter().take_while(|other| other.place < hpa.place);
        let mut others = before.filter(|other| is_candidate(other));
        others.find(|other| self.folders.is_beside(hpa.written, other.written) && other.name() != hpa.name())
    }
}

/// The group of an `apiVersion`.
pub(super) fn group(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

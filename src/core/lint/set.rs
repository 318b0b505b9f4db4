//! The objects that are looked at together, and who belongs to whom.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::path::Path;

use serde_json::{Value, json};

use super::folders::{Distance, Folders, folder, is_together, namespace};
use super::group::{group, served_group};
use super::near::Near;
use super::node_room::NodeRoom;
use super::patches::Patches;
use super::workload::Workload;
use crate::api;
use crate::model::{Labels, Selector};
use crate::snapshot::{Manifest, Written};

/// All objects of one run.
pub(super) struct Set<'a> {
    objects: &'a [Written],
    pub hpas: Vec<Subject<'a>>,
    /// Everything that makes pods, and pods.
    workloads: Vec<Workload<'a>>,
    /// The workloads that HPAs scale, by their index.
    scaled: BTreeSet<usize>,
    /// By group and kind.
    kinds: BTreeMap<(&'a str, &'a str), Vec<&'a Written>>,
    pub patches: Patches<'a>,
    near: Near<'a>,
    /// How many workloads have a label.
    common: BTreeMap<(String, String), usize>,
    /// By namespace.
    limit_ranges: BTreeMap<&'a str, Vec<usize>>,
    /// All objects by kind and name.
    named: BTreeMap<(&'a str, &'a str), Vec<&'a Written>>,
    /// The first HPA of each file, namespace and name.
    first_hpas: BTreeMap<(&'a str, &'a str, &'a str), usize>,
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

    /// Group, kind and name of what it scales.
    /// As the controller's mapper does, which knows each kind in small letters as well.
    pub fn target_id(&self) -> (&str, &str, &str) {
        let target = &self.spec().scale_target_ref;
        let is = |known: &&&str| known.to_ascii_lowercase() == target.kind;
        let kind = api::SCALABLE.iter().find(is).map_or(target.kind.as_str(), |known| *known);
        (group(&target.api_version), kind, target.name.as_str())
    }

    /// The patch that sets a field of one metric, where it is written in the form of v2.
    pub fn metric_patch(&self, index: usize, pointer: &str, value: Value) -> Option<Value> {
        let mut metrics = self.written.value.pointer("/spec/metrics").cloned()?;
        *metrics.pointer_mut(&format!("/{index}/{pointer}"))? = value;
        Some(json!({"spec": {"metrics": metrics}}))
    }

    /// Whether no cluster has a scale of its target.
    pub fn cannot_scale(&self) -> bool {
        let target = &self.spec().scale_target_ref;
        api::unscalable(&target.api_version, &target.kind).is_some()
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
            near: Near::new(Folders::of(objects)),
            common: BTreeMap::new(),
            limit_ranges: BTreeMap::new(),
            named: BTreeMap::new(),
            first_hpas: BTreeMap::new(),
            nodes: OnceCell::new(),
        };
        set.index_objects();
        set.resolve();
        set.index_workloads();
        set.index_hpas();
        set
    }

    /// What the rules look for beside an HPA.
    fn index_objects(&mut self) {
        for (number, written) in self.objects.iter().enumerate() {
            let of = (group(written.text("/apiVersion")), written.text("/kind"));
            self.named.entry((of.1, written.text("/metadata/name"))).or_default().push(written);
            match of {
                ("policy", "PodDisruptionBudget") => {
                    self.near.of(written, ("budget", first_label(written))).insert(number);
                }
                ("", "ResourceQuota" | "LimitRange") => {
                    self.near.of(written, of).insert(number);
                    if of.1 == "LimitRange" {
                        self.limit_ranges.entry(namespace(written)).or_default().push(number);
                    }
                }
                ("autoscaling.k8s.io", "VerticalPodAutoscaler") => {
                    self.near.of(written, (of, written.text("/spec/targetRef/name"))).insert(number);
                }
                ("keda.sh", "ScaledObject") => {
                    self.near.of(written, (of, written.text("/spec/scaleTargetRef/name"))).insert(number);
                    self.near.of(written, (of, "makes", made_by(written))).insert(number);
                }
                _ => {}
            }
        }
        for (number, it) in self.workloads.iter().enumerate() {
            self.near.of(it.written, ("workload", it.kind(), it.name())).insert(number);
            self.near.of(it.written, ("kind", it.served_group(), it.kind())).insert(number);
        }
        for (number, hpa) in self.hpas.iter().enumerate() {
            self.first_hpas.entry(same(hpa)).or_insert(number);
        }
    }

    /// The workloads that no HPA scales and no other object makes, by their labels.
    fn index_workloads(&mut self) {
        for (number, it) in self.workloads.iter().enumerate() {
            for label in labels(it) {
                *self.common.entry((label.0.to_owned(), label.1.to_owned())).or_default() += 1;
                if !self.scaled.contains(&number) && !is_owned(it) {
                    self.near.of(it.written, ("unscaled", label)).insert(number);
                }
            }
        }
    }

    /// Those of one target by the target, and by the labels of its pods and of its selector. Of those with one target the
    /// first is enough, and the first with another name.
    fn index_hpas(&mut self) {
        for (number, hpa) in self.hpas.iter().enumerate() {
            let mut is_enough = |word: (&str, (&str, &str, &str), Option<usize>)| {
                let there = self.near.of(hpa.written, word);
                let is_there = |it: &usize| self.hpas.get(*it).is_some_and(|it| it.name() == hpa.name());
                there.len() > 1 || there.iter().any(is_there) || !there.insert(number)
            };
            is_enough(("target", hpa.target_id(), None));
            if hpa.workload.is_none() || is_enough(("workload", ("", "", ""), hpa.workload)) {
                continue;
            }
            let Some(workload) = hpa.workload.and_then(|it| self.workloads.get(it)) else { continue };
            for label in labels(workload) {
                self.near.of(hpa.written, ("label", label)).insert(number);
            }
            let rarest = rarest(&self.common, workload);
            self.near.of(hpa.written, ("selector", rarest)).insert(number);
        }
    }

    /// Finds what each HPA scales. This is done once, because the rules compare each HPA with all others.
    fn resolve(&mut self) {
        let around = Around::of(&self.workloads);
        let found = |hpa: &Subject<'_>| self.nearest(hpa, &around);
        let mut known = BTreeMap::new();
        let found = self.hpas.iter().map(|hpa| {
            let like = (&hpa.written.source, namespace(hpa.written), hpa.target_id());
            *known.entry(like).or_insert_with(|| found(hpa))
        });
        let found: Vec<Option<usize>> = found.collect();
        self.scaled = found.iter().flatten().copied().collect();
        for (hpa, workload) in self.hpas.iter_mut().zip(found) {
            hpa.workload = workload;
        }
    }

    /// Of several workloads with its target's name, as the variants of one application have them, the one in the same
    /// file counts, then the one in the same folder, then one of a folder nearby; which of two there is meant is not known.
    fn nearest(&self, hpa: &Subject<'_>, around: &Around<'_>) -> Option<usize> {
        let (group_of, kind, name) = hpa.target_id();
        let distance = |index: usize| {
            let it = self.workloads.get(index)?;
            // Without a selector it is a part that kustomize lays over a whole one.
            let is_it = it.selector.is_some()
                && it.served_group() == group_of
                && is_together(hpa.written, it.written);
            let folders = self.near.folders();
            let distance = folders.distance(hpa.written, it.written);
            let is_apart = distance == Distance::Far && !folders.are_near(hpa.written, it.written);
            (is_it && !is_apart).then_some((distance, index))
        };
        let beside = self.near.all(hpa.written, ("workload", kind, name));
        let mut found: Vec<_> = beside.into_iter().filter_map(distance).collect();
        if found.iter().all(|(distance, _)| *distance == Distance::Far) {
            // All of these are as far, so two are too many.
            found = around.all(hpa).into_iter().filter_map(distance).take(2).collect();
        }
        let (nearest, index) = *found.iter().min()?;
        // Of copies in one folder it does not matter which is meant.
        let of = |index: usize| self.workloads.get(index).map(|it| &it.written.value["spec"]);
        let is_same = |other: usize| other == index || nearest != Distance::Far && of(other) == of(index);
        let mut nearest = found.iter().filter(|(distance, _)| *distance == nearest);
        nearest.all(|(_, other)| is_same(*other)).then_some(index)
    }

    /// Whether anything that an HPA may be applied together with is what it scales, also where several are.
    pub fn has_target(&self, hpa: &Subject<'_>) -> bool {
        hpa.workload.is_some() || self.called_as_target(hpa).any(|it| is_together(hpa.written, it))
    }

    /// The namespace of what an HPA would scale if both were in one, in the same file or folder.
    pub fn target_elsewhere(&self, hpa: &Subject<'_>) -> Option<&'a str> {
        let beside = |it: &&Written| self.near.folders().distance(hpa.written, it) != Distance::Far;
        self.called_as_target(hpa).find(beside).map(namespace)
    }

    /// The `apiVersion` of what has the kind and the name of an HPA's target in another group.
    pub fn target_in_group(&self, hpa: &Subject<'_>) -> Option<&'a str> {
        let (_, kind, name) = hpa.target_id();
        let named = self.named.get(&(kind, name)).into_iter().flatten();
        let beside = |it: &&&Written| {
            is_together(hpa.written, it) && self.near.folders().distance(hpa.written, it) != Distance::Far
        };
        named.filter(beside).map(|it| it.text("/apiVersion")).next()
    }

    fn called_as_target<'s>(&'s self, hpa: &'s Subject<'_>) -> impl Iterator<Item = &'a Written> + 's {
        let (group_of, kind, name) = hpa.target_id();
        let named = self.named.get(&(kind, name)).into_iter().flatten().copied();
        named.filter(move |it| served_group(it.text("/apiVersion")) == group_of)
    }

    /// The names of the workloads beside an HPA that are of its target's kind and that no HPA scales; `None` if there is none
    /// of that kind at all.
    pub fn names_beside(&self, hpa: &Subject<'_>) -> Option<Vec<&'a str>> {
        let (group, kind, _) = hpa.target_id();
        let of_kind = self.near.all(hpa.written, ("kind", group, kind));
        let free = of_kind.iter().filter(|number| !self.scaled.contains(number));
        let names = free.filter_map(|number| Some(self.workloads.get(*number)?.name())).collect();
        (!of_kind.is_empty()).then_some(names)
    }

    /// The first HPA of this name in the same file and namespace, if it is not this one.
    pub fn same_before(&self, hpa: &Subject<'_>) -> Option<&'a Written> {
        let first = self.hpas.get(*self.first_hpas.get(&same(hpa))?)?;
        (first.place < hpa.place && !hpa.name().is_empty()).then_some(first.written)
    }

    /// The other workloads that may be in the namespace of one.
    pub fn others(&self, workload: &Workload<'_>) -> impl Iterator<Item = &Workload<'a>> {
        let is_other = |it: &&Workload<'a>| {
            (it.kind(), it.name()) != (workload.kind(), workload.name())
                && !is_owned(it)
                && is_together(it.written, workload.written)
        };
        self.workloads.iter().filter(is_other)
    }

    /// The PodDisruptionBudgets beside a workload that may select its pods, in their order.
    pub fn budgets(&self, workload: &Workload<'_>) -> BTreeMap<usize, &'a Written> {
        let found = labels(workload).flat_map(|label| self.near.all(workload.written, ("budget", label)));
        found.filter_map(|number| Some((number, self.objects.get(number)?))).collect()
    }

    /// What an HPA scales, if it is there.
    pub fn target(&self, hpa: &Subject<'_>) -> Option<&Workload<'a>> {
        self.workloads.get(hpa.workload?)
    }

    /// The first workload applied together with another that no HPA scales and no other object makes, whose labels the other
    /// may select, and that meets a condition.
    pub fn unscaled(
        &self,
        workload: &Workload<'_>,
        is_it: impl Fn(&Workload<'a>) -> bool,
    ) -> Option<&Workload<'a>> {
        let is_it = |number: usize| self.workloads.get(number).is_some_and(&is_it);
        let label = rarest(&self.common, workload);
        let found = self.near.first(workload.written, ("unscaled", label), usize::MAX, is_it)?;
        self.workloads.get(found)
    }

    /// The objects of a kind of the core group that are applied together with this one.
    pub fn beside(&self, written: &Written, kind: &str) -> impl Iterator<Item = &'a Written> {
        let found = self.near.all(written, ("", kind));
        found.into_iter().filter_map(|number| self.objects.get(number))
    }

    /// The first of the objects applied together with this one that have a word, and its place.
    pub fn first_beside(
        &self,
        written: &Written,
        word: impl Hash,
        is_it: impl Fn(&'a Written) -> bool,
    ) -> Option<(usize, &'a Written)> {
        let is_it = |number: usize| self.objects.get(number).is_some_and(&is_it);
        let found = self.near.first(written, word, usize::MAX, is_it)?;
        Some((found, self.objects.get(found)?))
    }

    /// The LimitRanges that hold for the namespace of an object.
    pub fn limit_ranges(&self, written: &Written) -> impl Iterator<Item = &'a Written> {
        let own = Some(namespace(written)).filter(|own| !own.is_empty());
        let others = own.and_then(|own| self.limit_ranges.get(own)).into_iter().flatten();
        let others: Vec<&'a Written> = others.filter_map(|number| self.objects.get(*number)).collect();
        self.beside(written, "LimitRange").chain(others)
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

    /// The first of the earlier HPAs of the same target that is applied together with this one. It has another name: the
    /// same name is the same HPA again.
    pub fn with_target(&self, hpa: &Subject<'_>) -> Option<&Subject<'a>> {
        let word = ("target", hpa.target_id(), None::<usize>);
        self.earlier(hpa, word, |other| other.target_id() == hpa.target_id())
    }

    /// The same of the HPAs whose targets may share pods with a workload.
    pub fn with_pods(
        &self,
        hpa: &Subject<'_>,
        workload: &Workload<'_>,
        is_candidate: impl Fn(&Subject<'a>) -> bool,
    ) -> Option<&Subject<'a>> {
        let selected = self.earlier(hpa, ("label", rarest(&self.common, workload)), &is_candidate);
        let selecting = labels(workload).filter_map(|it| self.earlier(hpa, ("selector", it), &is_candidate));
        selecting.chain(selected).min_by_key(|it| it.place)
    }

    fn earlier(
        &self,
        hpa: &Subject<'_>,
        word: impl Hash,
        is_candidate: impl Fn(&Subject<'a>) -> bool,
    ) -> Option<&Subject<'a>> {
        let below = self.hpas.partition_point(|other| other.place < hpa.place);
        let is_it = |it: &Subject<'a>| it.name() != hpa.name() && is_candidate(it);
        let is_it = |number: usize| self.hpas.get(number).is_some_and(is_it);
        self.hpas.get(self.near.first(hpa.written, word, below, is_it)?)
    }
}

/// The workloads of a kind and a name by the folders that they may be near to, as [`Folders::are_near`] has it.
struct Around<'a> {
    by_place: BTreeMap<(Place, Option<&'a Path>, &'a str, &'a str), Vec<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// In the folder.
    In,
    /// In one that is beside it.
    Beside,
    /// In the folder or in one below it.
    Below,
}

impl<'a> Around<'a> {
    fn of(workloads: &[Workload<'a>]) -> Self {
        let mut by_place = BTreeMap::<_, Vec<usize>>::new();
        for (index, it) in workloads.iter().enumerate() {
            let own = folder(it.written);
            let above = own.into_iter().flat_map(Path::ancestors).map(|folder| (Place::Below, Some(folder)));
            let places = [(Place::In, own), (Place::Beside, own.and_then(Path::parent))];
            for (place, folder) in places.into_iter().chain(above) {
                by_place.entry((place, folder, it.kind(), it.name())).or_default().push(index);
            }
        }
        Self { by_place }
    }

    /// Those that may be near to an HPA, in their order.
    fn all(&self, hpa: &Subject<'_>) -> BTreeSet<usize> {
        let own = folder(hpa.written);
        let (_, kind, name) = hpa.target_id();
        let above = own.into_iter().flat_map(Path::ancestors).map(|folder| (Place::In, Some(folder)));
        let places = [(Place::In, own), (Place::Below, own), (Place::Beside, own.and_then(Path::parent))];
        let places = places.into_iter().chain(above);
        places
            .filter_map(|(place, folder)| self.by_place.get(&(place, folder, kind, name)))
            .flatten()
            .copied()
            .collect()
    }
}

/// File, namespace and name: twice the same is applied over itself.
fn same<'a>(hpa: &Subject<'a>) -> (&'a str, &'a str, &'a str) {
    (&hpa.written.source, namespace(hpa.written), hpa.written.text("/metadata/name"))
}

/// A label that a PodDisruptionBudget asks for, or none.
fn first_label(budget: &Written) -> (&str, &str) {
    let labels = budget.value["spec"]["selector"]["matchLabels"].as_object();
    let first = labels.and_then(|labels| labels.iter().next());
    first.map_or(("", ""), |(key, value)| (key, value.as_str().unwrap_or_default()))
}

/// The labels of a workload's pods, and none of them, which selectors without a certain label select.
fn labels<'w>(workload: &'w Workload<'_>) -> impl Iterator<Item = (&'w str, &'w str)> {
    let labels = workload.labels.iter().flat_map(Labels::iter);
    labels.chain([("", "")])
}

/// The label that a workload's selector asks for and that the fewest workloads have; of none if it asks for none.
fn rarest<'w>(common: &BTreeMap<(String, String), usize>, workload: &'w Workload<'_>) -> (&'w str, &'w str) {
    let asked = workload.selector.iter().flat_map(Selector::labels);
    let count = |label: &(&str, &str)| common.get(&(label.0.to_owned(), label.1.to_owned()));
    asked.min_by_key(count).unwrap_or_default()
}

/// True if another object makes it: the ReplicaSet of a Deployment, the pods of both.
fn is_owned(workload: &Workload<'_>) -> bool {
    let owners = workload.written.value.pointer("/metadata/ownerReferences");
    owners.and_then(Value::as_array).is_some_and(|owners| !owners.is_empty())
}

/// The name of the HPA that a ScaledObject makes.
pub(super) fn made_by(scaled: &Written) -> String {
    match scaled.text("/spec/advanced/horizontalPodAutoscalerConfig/name") {
        "" => format!("keda-hpa-{}", scaled.text("/metadata/name")),
        given => given.to_owned(),
    }
}

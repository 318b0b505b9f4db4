//! Things that a decision depends on, and the same world without one of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{on_target, pod_numbers, sampled};
use crate::model::{
    AllBut, Behavior, Duration, Evidence, Memory, MetricSpec, Policy, PolicyType, Replicas, ScalingRules,
    SelectPolicy,
};
use crate::rules::Rules;
use crate::snapshot::{Reading, Snapshot};
use crate::trace::{
    Calculation, Decision, Direction, Failure, Group, MetricTrace, Proposal, RequestGap, RequestGapKind,
    Verdict,
};

/// Something that can be taken away. Counts are of what is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// The pods without a sample of some metric.
    MissingPods(usize),
    /// What they count as: each is ready and has the samples of the ready pod in the middle instead.
    Filling(usize),
    /// The pods that are unready for some metric, with their samples.
    UnreadyPods(usize),
    /// That they are unready: each counts with its sample, or with that of the ready pod in the middle.
    Unreadiness(usize),
    /// The pods beyond the replicas, with their samples: those of others, of another revision, of a surge.
    SurplusPods(usize),
    /// That pods are not there which the replicas ask for: each has the samples of the ready pod in the middle.
    AbsentPods(usize),
    /// That `scale.status.replicas` is another number than `scale.spec.replicas`.
    StatusReplicas,
    /// The selected pods that are not the target's own, with their samples.
    ForeignPods(usize),
    /// The samples of pods that are not among the selected ones.
    ForeignSamples(usize),
    /// The containers without the request that a utilization needs, with their samples.
    BareContainers(usize),
    /// The tolerance in both directions.
    Tolerance,
    /// The load of a metric, by its place in the spec: it reads exactly its target.
    Load(usize),
    /// One metric of several, by its place in the spec.
    Metric(usize),
    /// The other HPAs that select the same pods.
    OtherHpas(usize),
    /// The stabilization window of a direction.
    Window(Direction),
    /// One policy of several of a direction, by its place.
    Policy(Direction, usize),
    /// What bounds the rate of a direction: its policies, or that it is disabled.
    Rate(Direction),
    /// That without `spec.behavior` a scale-up at most doubles the count, or reaches 4.
    ScaleUpCap,
    /// `spec.minReplicas`, replaced by 1; by 0 if it is 1 and the HPA may scale to zero.
    Min,
    /// `spec.maxReplicas`.
    Max,
    /// What the controller remembers, as by a restart.
    Memory,
}

/// A scale-up that no HPA reaches, while the sums that the controller makes with it stay within an int32.
const UNBOUNDED: i32 = 1_000_000_000;

impl Removal {
    /// All that can be taken away from what a decision was made on.
    #[must_use]
    pub fn all(snapshot: &Snapshot, decision: &Decision) -> Vec<Self> {
        let mut all = of_pods(snapshot, decision);
        all.push(Self::Tolerance);
        all.extend(off_target(decision).map(Self::Load));
        if snapshot.hpa.metrics.len() > 1 {
            all.extend((0..snapshot.hpa.metrics.len()).map(Self::Metric));
        }
        let others = snapshot.others.as_ref().map_or(0, AllBut::len);
        all.extend((others > 0).then_some(Self::OtherHpas(others)));
        match &snapshot.hpa.behavior {
            None => all.extend([Self::Window(Direction::Down), Self::ScaleUpCap]),
            Some(behavior) => {
                all.extend(of_rules(Direction::Up, &behavior.up));
                all.extend(of_rules(Direction::Down, &behavior.down));
            }
        }
        all.extend((snapshot.hpa.min > least(snapshot)).then_some(Self::Min));
        all.extend([Self::Max, Self::Memory]);
        all
    }

    /// That the deciding metric counts other pods than the replicas, or divides by others.
    #[must_use]
    pub fn numbers(snapshot: &Snapshot, decision: &Decision) -> Vec<Self> {
        let surplus = Some(pod_numbers::surplus(snapshot, decision).len()).filter(|number| *number > 0);
        let absent = Some(pod_numbers::absent(snapshot, decision)).filter(|number| *number > 0);
        let status = is_told_by_status(snapshot, decision).then_some(Self::StatusReplicas);
        let numbers = [surplus.map(Self::SurplusPods), absent.map(Self::AbsentPods), status];
        numbers.into_iter().flatten().collect()
    }

    /// The same world without it.
    #[must_use]
    pub fn applied_to(self, snapshot: &Snapshot, decision: &Decision) -> Snapshot {
        let mut world = snapshot.clone();
        match self {
            Self::MissingPods(_) => drop_pods(&mut world, &in_group(decision, is_missing)),
            Self::UnreadyPods(_) => drop_pods(&mut world, &in_group(decision, is_unready)),
            Self::Unreadiness(_) => {
                sampled::fill_unready(&mut world, decision);
                pod_numbers::settle(&mut world, &in_group(decision, is_unready));
            }
            Self::SurplusPods(_) => drop_pods(&mut world, &pod_numbers::surplus(snapshot, decision)),
            Self::AbsentPods(number) => pod_numbers::add(&mut world, decision, number),
            Self::StatusReplicas => level_status(&mut world),
            Self::Load(place) => on_target::read_target(&mut world, decision, place),
            Self::ForeignPods(_) => drop_pods(&mut world, &snapshot.foreign_pods()),
            Self::Filling(_) => {
                sampled::fill(&mut world, decision);
                pod_numbers::settle(&mut world, &in_group(decision, is_missing));
            }
            Self::ForeignSamples(_) => drop_foreign_samples(&mut world),
            Self::BareContainers(_) => drop_containers(&mut world, &bare_containers(decision)),
            Self::Tolerance => drop_tolerance(&mut world),
            Self::Metric(place) => drop_metric(&mut world, place),
            Self::OtherHpas(_) => world.others = Ok(AllBut::default()),
            Self::Window(direction) => drop_window(&mut world, direction),
            Self::Policy(direction, place) => {
                rules_of(&mut world, direction).policies.remove(place);
            }
            Self::Rate(direction) => unbind(rules_of(&mut world, direction), direction),
            // It is in the rules of the controller ([`Self::rules`]), which no sync has used.
            Self::ScaleUpCap => {
                if let Some(synced) = &mut world.history.synced {
                    synced.is_past = true;
                }
            }
            Self::Min => world.hpa.min = least(snapshot),
            Self::Max => world.hpa.max = Replicas(i32::MAX),
            Self::Memory => {
                world.memory = Memory::default();
                world.memory_evidence = Evidence::Given;
            }
        }
        world
    }

    /// The rules of the controller without it.
    #[must_use]
    pub fn rules(self, rules: &Rules) -> Rules {
        let scale_up_factor = rules.scale_up_factor.filter(|_| self != Self::ScaleUpCap);
        Rules { scale_up_factor, ..rules.clone() }
    }
}

impl Removal {
    /// The pods that it is about, by their places; `None` if it is about none.
    #[must_use]
    pub fn pods(self, snapshot: &Snapshot, decision: &Decision) -> Option<BTreeSet<usize>> {
        match self {
            Self::MissingPods(_) | Self::Filling(_) => Some(in_group(decision, is_missing)),
            Self::UnreadyPods(_) | Self::Unreadiness(_) => Some(in_group(decision, is_unready)),
            Self::SurplusPods(_) => Some(pod_numbers::surplus(snapshot, decision)),
            Self::ForeignPods(_) => Some(snapshot.foreign_pods()),
            Self::AbsentPods(_)
            | Self::StatusReplicas
            | Self::Load(_)
            | Self::ForeignSamples(_)
            | Self::BareContainers(_)
            | Self::Tolerance
            | Self::Metric(_)
            | Self::OtherHpas(_)
            | Self::Window(_)
            | Self::Policy(..)
            | Self::Rate(_)
            | Self::ScaleUpCap
            | Self::Min
            | Self::Max
            | Self::Memory => None,
        }
    }
}

fn of_pods(snapshot: &Snapshot, decision: &Decision) -> Vec<Removal> {
    let missing = in_group(decision, is_missing).len();
    let has_ready = decision.metrics.iter().filter_map(|it| it.groups.as_ref()).any(|it| it.ready > 0);
    let samples = decision.metrics.iter().filter_map(|it| it.groups.as_ref()).map(|it| it.foreign.len());
    let counted = [
        (missing, Removal::MissingPods as fn(usize) -> Removal),
        (if has_ready { missing } else { 0 }, Removal::Filling),
        (in_group(decision, is_unready).len(), Removal::UnreadyPods),
        (in_group(decision, is_unready).len(), Removal::Unreadiness),
        (snapshot.foreign_pods().len(), Removal::ForeignPods),
        (samples.max().unwrap_or(0), Removal::ForeignSamples),
        (bare_containers(decision).len(), Removal::BareContainers),
    ];
    let counted = counted.into_iter().filter(|(count, _)| *count > 0);
    counted.map(|(count, removal)| removal(count)).chain(Removal::numbers(snapshot, decision)).collect()
}

/// The lowest `spec.minReplicas` below that of an HPA: 0 takes a metric of an object, or an external one.
fn least(snapshot: &Snapshot) -> Replicas {
    let may_sleep = snapshot.hpa.metrics.iter().any(MetricSpec::outlives_pods);
    Replicas(i32::from(snapshot.hpa.min > Replicas(1) || !may_sleep))
}

/// Whether a metric divides by replicas that are not those asked for.
fn is_told_by_status(snapshot: &Snapshot, decision: &Decision) -> bool {
    let differs = snapshot.scale.as_ref().is_ok_and(|scale| scale.observed != scale.replicas);
    let divides = |it: &Proposal| matches!(it.calculation, Calculation::PerReplica(_));
    differs && decision.metrics.iter().filter_map(MetricTrace::proposal).any(divides)
}

fn level_status(world: &mut Snapshot) {
    if let Ok(scale) = &mut world.scale {
        scale.observed = scale.replicas;
    }
}

/// The metrics that read something else than their target.
fn off_target(decision: &Decision) -> impl Iterator<Item = usize> {
    let is_off = |it: &Proposal| {
        let (ratio, _) = it.calculation.ratios();
        ratio.is_above() || ratio.is_below()
    };
    let metrics = decision.metrics.iter();
    metrics.filter(move |it| it.proposal().is_some_and(is_off)).map(|it| it.index)
}

fn of_rules(direction: Direction, rules: &ScalingRules) -> Vec<Removal> {
    let several = rules.policies.len() > 1 && rules.select != SelectPolicy::Disabled;
    let policies = if several { 0..rules.policies.len() } else { 0..0 };
    let mut all = vec![Removal::Window(direction)];
    all.extend(policies.map(|place| Removal::Policy(direction, place)));
    all.push(Removal::Rate(direction));
    all
}

fn is_missing(group: Group) -> bool {
    matches!(group, Group::Missing(_))
}

fn is_unready(group: Group) -> bool {
    matches!(group, Group::Unready(_))
}

/// The places of the pods that are in a group for any metric.
#[must_use]
pub fn in_group(decision: &Decision, is: fn(Group) -> bool) -> BTreeSet<usize> {
    let groups = decision.metrics.iter().filter_map(|metric| metric.groups.as_ref());
    let members = groups.flat_map(|groups| groups.pods.iter().enumerate());
    members.filter(|(_, member)| is(member.group)).map(|(place, _)| place).collect()
}

/// The same world without the pods at some places, and their samples.
#[must_use]
pub fn without_pods(snapshot: &Snapshot, gone: &BTreeSet<usize>) -> Snapshot {
    let mut world = snapshot.clone();
    drop_pods(&mut world, gone);
    world
}

/// Takes pods out with their samples.
fn drop_pods(world: &mut Snapshot, gone: &BTreeSet<usize>) {
    let Ok(pods) = &mut world.pods else { return };
    *pods = kept(pods, gone).into();
    if let Ok(usages) = &mut world.usages {
        usages.items = usages.foreign.len() + pods.iter().filter(|pod| pod.usage.is_some()).count();
    }
    for reading in &mut world.readings {
        if let Reading::Pods(Ok(samples)) = reading {
            samples.own = kept(&samples.own, gone);
            samples.items = samples.foreign.len() + samples.own.iter().flatten().count();
        }
    }
}

fn kept<T: Clone>(all: &[T], gone: &BTreeSet<usize>) -> Vec<T> {
    let all = all.iter().enumerate();
    all.filter(|(place, _)| !gone.contains(place)).map(|(_, one)| one.clone()).collect()
}

/// The places of the containers that lack a request, by the places of their pods.
fn bare_containers(decision: &Decision) -> BTreeSet<(usize, usize)> {
    let failed = decision.metrics.iter().filter_map(|metric| match &metric.verdict {
        Verdict::Failed(Failure::RequestGaps(gaps)) => Some(gaps),
        Verdict::Failed(_) | Verdict::Proposal(_) | Verdict::Unknown(_) => None,
    });
    let place = |gap: &RequestGap| match gap.kind {
        RequestGapKind::Container(place) => Some((gap.pod, place)),
        RequestGapKind::PodLevel | RequestGapKind::NoSuchContainer => None,
    };
    failed.flatten().filter_map(place).collect()
}

/// Takes containers out of their pods and of the pods' samples.
fn drop_containers(world: &mut Snapshot, gone: &BTreeSet<(usize, usize)>) {
    let Ok(pods) = &mut world.pods else { return };
    // From the last on, so that the places of the others stay.
    for (pod, place) in gone.iter().rev() {
        let Some(pod) = pods.get_mut(*pod).filter(|pod| *place < pod.containers.len()) else { continue };
        let container = Arc::make_mut(&mut pod.containers).remove(*place);
        if let Some(usage) = &mut pod.usage {
            usage.containers =
                usage.containers.iter().filter(|it| it.name != container.name).cloned().collect();
        }
    }
}

fn drop_foreign_samples(world: &mut Snapshot) {
    if let Ok(usages) = &mut world.usages {
        usages.items -= usages.foreign.len();
        usages.foreign.clear();
    }
    for reading in &mut world.readings {
        if let Reading::Pods(Ok(samples)) = reading {
            samples.foreign.clear();
            samples.items = samples.own.iter().flatten().count();
        }
    }
}

fn drop_tolerance(world: &mut Snapshot) {
    world.controller.tolerance.value = 0.0;
    if let Some(behavior) = &mut world.hpa.behavior {
        behavior.up.tolerance = None;
        behavior.down.tolerance = None;
    }
}

fn drop_metric(world: &mut Snapshot, place: usize) {
    world.hpa.metrics.remove(place);
    if place < world.readings.len() {
        world.readings.remove(place);
    }
}

/// Without `spec.behavior` the window is the controller's flag, and a recommendation exactly as old as it still counts.
fn drop_window(world: &mut Snapshot, direction: Direction) {
    if world.hpa.behavior.is_some() {
        rules_of(world, direction).window_seconds = Some(0);
    } else {
        world.controller.downscale_stabilization.value = Duration::from_nanoseconds(-1);
    }
}

/// The rules of a direction; with the API server's defaults where there were none.
pub fn rules_of(world: &mut Snapshot, direction: Direction) -> &mut ScalingRules {
    direction.rules_mut(world.hpa.behavior.get_or_insert_with(Behavior::default))
}

/// One policy that reaches any count at once.
fn unbind(rules: &mut ScalingRules, direction: Direction) {
    let (kind, value) = match direction {
        Direction::Up => (PolicyType::Pods, UNBOUNDED),
        Direction::Down => (PolicyType::Percent, 100),
    };
    rules.select = SelectPolicy::Max;
    rules.policies = vec![Policy { kind, value, period_seconds: 15 }];
}

//! What the metrics APIs show: read now and then, and seen a little later.

use std::sync::Arc;

use super::load::{Load, Measure};
use super::pods::{Plan, Pods, has_samples, shown};
use super::world::World;
use crate::model::{Amounts, Duration, Instant, Milli};
use crate::snapshot::{Container, ContainerUsage, Phase, Pod, PodSamples, PodUsage, Reading, Snapshot};

/// One reading of everything.
#[derive(Debug)]
pub(super) struct Taken {
    /// When it is seen.
    pub(super) visible: Duration,
    /// When it was made, as the API shows it.
    at: Instant,
    /// The numbers of the pods that were read often enough.
    pods: Vec<usize>,
    /// The amounts of these pods: of each as many as there are loads.
    amounts: Vec<Milli>,
    /// Of each load that is one value.
    values: Vec<Option<Milli>>,
}

/// A load at an instant.
struct Amount<'a> {
    load: &'a Load,
    /// The part of each ready pod, and how many of them have one milli-unit more.
    parts: (i128, i128),
}

impl Amount<'_> {
    fn of_pod(&self, plan: &Plan, pod: &Pod, rank: i128) -> Milli {
        if plan.is_ready(pod) {
            self.load.used(self.parts.0 + i128::from(rank < self.parts.1))
        } else if pod.deleting {
            self.load.capped(self.load.idle.0.into())
        } else {
            self.load.capped(self.load.starting.0.into())
        }
    }

    fn of_object(&self) -> Milli {
        self.load.capped(self.parts.0)
    }
}

/// Reads what there is now; `backlogs` are those of the loads.
pub(super) fn take(
    pods: &mut Pods,
    world: &World,
    backlogs: &[i128],
    start: Instant,
    now: Duration,
) -> Taken {
    let ready = i128::try_from(pods.count_ready(None)).unwrap_or(i128::MAX);
    let amounts: Vec<Amount<'_>> = world
        .loads
        .iter()
        .zip(backlogs)
        .map(|(load, backlog)| {
            let whole = if load.backlog.is_some() { *backlog } else { load.curve.demand(load.demand.0, now) };
            Amount { load, parts: load.parts(whole, ready) }
        })
        .collect();
    let mut read = Vec::with_capacity(pods.plans.len());
    let mut of_pods = Vec::with_capacity(pods.plans.len() * amounts.len());
    let mut rank = 0;
    for (plan, pod) in pods.plans.iter_mut().zip(&pods.listed) {
        if pod.phase == Phase::Running && !plan.is_foreign {
            plan.readings = plan.readings.saturating_add(1);
            if plan.readings >= world.readings.needed && !plan.is_silent {
                read.push(plan.number);
                of_pods.extend(amounts.iter().map(|amount| amount.of_pod(plan, pod, rank)));
            }
        }
        rank += i128::from(plan.is_ready(pod));
    }
    Taken {
        visible: now.plus(world.readings.lag),
        at: shown(start, now),
        pods: read,
        amounts: of_pods,
        values: amounts.iter().map(|amount| is_one_value(amount.load).then(|| amount.of_object())).collect(),
    }
}

/// Only Object and External metrics are one value; which of the metrics these are, the snapshot knows.
fn is_one_value(load: &Load) -> bool {
    matches!(load.measure, Measure::Metric(_))
}

/// Puts what was read in the place of what was seen until now.
pub(super) fn show(taken: &Taken, pods: &mut Pods, snapshot: &mut Snapshot, world: &World) {
    let has_usages = snapshot.usages.is_ok()
        && world.loads.iter().any(|load| matches!(load.measure, Measure::Container { .. }));
    let has_samples = has_samples(&snapshot.readings);
    let loads = world.loads.len();
    let of_pod = |place: usize| taken.amounts.get(place * loads..(place + 1) * loads).unwrap_or_default();
    let mut read = taken.pods.iter().enumerate().map(|(place, number)| (*number, of_pod(place))).peekable();
    let own = pods.plans.iter_mut().zip(&mut pods.listed).filter(|(plan, _)| !plan.is_foreign);
    // Nearly all pods use what the pod before uses: a list for each pod and sync would take most of a play's time.
    let mut last: Option<Shared<'_>> = None;
    for (plan, pod) in own {
        while read.next_if(|(number, _)| *number < plan.number).is_some() {}
        let amounts = read.next_if(|(number, _)| *number == plan.number).map(|(_, amounts)| amounts);
        if has_usages {
            plan.samples.has_usage = amounts.is_some();
            pod.usage = amounts.map(|amounts| {
                let is_same =
                    |it: &Shared<'_>| it.amounts == amounts && Arc::ptr_eq(&it.pod, &pod.containers);
                let shared =
                    last.take_if(|it| is_same(it)).unwrap_or_else(|| Shared::of(pod, amounts, world));
                let containers = Arc::clone(&last.insert(shared).usage);
                PodUsage { at: taken.at, window: world.readings.resolution, containers, place: 0 }
            });
        }
        if has_samples {
            plan.samples.of_metrics.resize(snapshot.readings.len(), None);
        }
        for (place, load) in world.loads.iter().enumerate() {
            if let Measure::Metric(metric) = load.measure
                && let Some(sample) = plan.samples.of_metrics.get_mut(metric)
            {
                *sample = amounts.and_then(|amounts| amounts.get(place).copied());
            }
        }
    }
    for (load, value) in world.loads.iter().zip(&taken.values) {
        if let Measure::Metric(metric) = load.measure
            && let Some(Reading::Object(Ok(values)) | Reading::External(Ok(values))) =
                snapshot.readings.get_mut(metric)
        {
            *values = value.iter().copied().collect();
        }
    }
}

/// The usage of pods that have these containers and amounts.
struct Shared<'a> {
    pod: Arc<Vec<Container>>,
    amounts: &'a [Milli],
    usage: Arc<[ContainerUsage]>,
}

impl<'a> Shared<'a> {
    fn of(pod: &Pod, amounts: &'a [Milli], world: &World) -> Self {
        let of_container = |name: &str| -> Amounts {
            let of = |(load, amount): (&Load, &Milli)| match &load.measure {
                Measure::Container { container, resource } if **container == *name => {
                    Some((resource.clone(), *amount))
                }
                Measure::Container { .. } | Measure::Metric(_) => None,
            };
            world.loads.iter().zip(amounts).filter_map(of).collect()
        };
        let usage = pod.containers.iter().map(|it| (&it.name, of_container(&it.name)));
        let measured = usage.filter(|(_, usage)| usage.iter().next().is_some());
        let usage = measured.map(|(name, usage)| ContainerUsage { name: name.clone(), usage }).collect();
        Self { pod: Arc::clone(&pod.containers), amounts, usage }
    }
}

/// What the APIs answer about the pods that are listed now.
pub(super) fn answer(snapshot: &mut Snapshot, pods: &mut Pods) {
    if let Ok(usages) = &mut snapshot.usages {
        let mut place = usages.foreign.len();
        for usage in pods.listed.iter_mut().filter_map(|pod| pod.usage.as_mut()) {
            usage.place = place;
            place += 1;
        }
        usages.items = place;
    }
    for (metric, reading) in snapshot.readings.iter_mut().enumerate() {
        if let Reading::Pods(Ok(PodSamples { items, own, foreign })) = reading {
            own.clear();
            own.extend(pods.plans.iter().map(|plan| plan.samples.of_metrics.get(metric).copied().flatten()));
            *items = own.iter().flatten().count() + foreign.len();
        }
    }
}

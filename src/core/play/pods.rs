//! The pods of a world: how they come, change and go.

use std::cell::LazyCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::Arc;

use super::world::{Delays, Future, World};
use crate::model::{Duration, Instant, Milli};
use crate::snapshot::{ConditionStatus, Phase, Pod, Readiness, Reading, Snapshot};

/// The listed pods, and what becomes of each.
#[derive(Debug)]
pub(super) struct Pods {
    start: Instant,
    /// As the API shows them.
    pub(super) listed: Vec<Pod>,
    /// Of each listed pod, at the same place, in the order of their numbers.
    pub(super) plans: Vec<Plan>,
    /// The active pods, by whether they are old and whether they are ready; last those that are deleted first, so that a new pod
    /// moves no others.
    active: [[BTreeSet<Reverse<Rank>>; 2]; 2],
    /// When a pod, named by its number, may change: a pod that was deleted meanwhile does not.
    due: BinaryHeap<Reverse<(Duration, usize)>>,
    /// The numbers of those that are gone: they are taken off the list before anybody looks.
    gone: BTreeSet<usize>,
    /// How many were created since the first sync.
    created: usize,
    /// No number is ever given twice: a sample that is seen late may be of a pod that is gone.
    next_number: usize,
}

/// The order in which pods are deleted, as upstream's `ActivePodsWithRanks`: without a node, not running, not ready, ready
/// for a shorter time, younger. The last is the pod's number.
type Rank = (bool, bool, bool, Reverse<Option<Instant>>, Reverse<usize>);

/// What becomes of a pod, and what is known of it beside the API.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Its place in the order of creation.
    pub(super) number: usize,
    /// Whether a rolling update replaces it.
    pub(super) is_old: bool,
    /// Whether it has no sample any more.
    pub(super) is_silent: bool,
    /// Whether it is somebody else's.
    pub(super) is_foreign: bool,
    /// How often it was read.
    pub(super) readings: usize,
    /// What is seen of it.
    pub(super) samples: Samples,
    scheduled: Option<Duration>,
    running: Option<Duration>,
    ready: Option<Duration>,
    gone: Option<Duration>,
}

impl Plan {
    /// The changes that are still to come.
    fn changes(&self) -> impl Iterator<Item = Reverse<(Duration, usize)>> {
        let times = [self.scheduled, self.running, self.ready, self.gone].into_iter().flatten();
        times.map(|at| Reverse((at, self.number)))
    }

    fn rank(&self, pod: &Pod) -> Rank {
        let is_ready = self.is_ready(pod);
        let ready_since = pod.ready.filter(|_| is_ready).map(|ready| ready.since.to_second());
        let is_running = pod.phase == Phase::Running;
        (pod.started.is_some(), is_running, is_ready, Reverse(ready_since), Reverse(self.number))
    }

    /// Whether it counts as one of the target's replicas (upstream `IsPodActive`).
    pub(super) fn is_active(&self, pod: &Pod) -> bool {
        !self.is_foreign && pod.is_active()
    }

    pub(super) fn is_ready(&self, pod: &Pod) -> bool {
        self.is_active(pod) && pod.is_running_and_ready()
    }
}

impl Pods {
    /// The pods of the first snapshot, each with its future.
    pub(super) fn new(start: Instant, listed: Vec<Pod>, futures: &[Future], samples: Vec<Samples>) -> Self {
        let by_name = LazyCell::new(|| {
            futures.iter().map(|future| (&*future.name, future)).collect::<BTreeMap<&str, &Future>>()
        });
        let none = Future::default();
        let plan = |(number, (pod, samples)): (usize, (&Pod, Samples))| {
            // Mostly they are in the order of the pods.
            let own = futures.get(number).filter(|future| *future.name == *pod.name);
            let future = own.or_else(|| by_name.get(&*pod.name).copied()).unwrap_or(&none);
            let &Future { name: _, scheduled, running, ready, gone, is_silent, is_foreign } = future;
            let moves = |time: Option<Duration>| time.filter(|_| !pod.deleting);
            Plan {
                number,
                is_silent,
                is_foreign,
                readings: if samples.is_empty() { 0 } else { usize::MAX },
                samples,
                scheduled: moves(scheduled),
                running: moves(running),
                ready: moves(ready),
                gone: gone.filter(|_| pod.deleting),
                is_old: false,
            }
        };
        let plans: Vec<Plan> = listed.iter().zip(samples).enumerate().map(plan).collect();
        let due = plans.iter().flat_map(Plan::changes).collect();
        let next_number = listed.len();
        let mut pods = Self {
            start,
            listed,
            plans,
            active: Default::default(),
            due,
            gone: BTreeSet::new(),
            created: 0,
            next_number,
        };
        pods.rank_all();
        pods
    }

    pub(super) fn next(&self) -> Option<Duration> {
        self.due.peek().map(|Reverse((at, _))| *at)
    }

    /// Makes the changes that are due; returns whether any pod changed.
    pub(super) fn change(&mut self, now: Duration) -> bool {
        let mut has_changed = false;
        while let Some(&Reverse((at, number))) = self.due.peek()
            && at <= now
        {
            self.due.pop();
            if let Some(place) = self.place(number) {
                has_changed |= self.change_one(place, now);
            }
        }
        has_changed
    }

    fn place(&self, number: usize) -> Option<usize> {
        self.plans.binary_search_by_key(&number, |plan| plan.number).ok()
    }

    fn change_one(&mut self, place: usize, now: Duration) -> bool {
        self.unrank(place);
        let has_changed = self.pass(place, now);
        self.rank(place);
        has_changed
    }

    /// Lets everything happen to one pod that is due.
    fn pass(&mut self, place: usize, now: Duration) -> bool {
        let (Some(plan), Some(pod)) = (self.plans.get_mut(place), self.listed.get_mut(place)) else {
            return false;
        };
        let since = shown(self.start, now);
        let is_due = |time: &mut Option<Duration>| time.take_if(|at| *at <= now).is_some();
        let mut has_changed = false;
        if is_due(&mut plan.scheduled) && pod.started.is_none() {
            pod.started = Some(since);
            has_changed = true;
        }
        if is_due(&mut plan.running) && pod.phase == Phase::Pending {
            pod.phase = Phase::Running;
            pod.ready = Some(Readiness { status: ConditionStatus::False, since });
            pod.unscheduled = None;
            pod.stuck = None;
            has_changed = true;
        }
        if is_due(&mut plan.ready) && pod.phase == Phase::Running && !pod.is_running_and_ready() {
            pod.ready = Some(Readiness { status: ConditionStatus::True, since });
            has_changed = true;
        }
        if is_due(&mut plan.gone) {
            self.gone.insert(plan.number);
            has_changed = true;
        }
        has_changed
    }

    /// Takes the pods that are gone off the list.
    pub(super) fn sweep(&mut self) {
        let gone = std::mem::take(&mut self.gone);
        if gone.is_empty() {
            return;
        }
        let mut plans = self.plans.iter();
        self.listed.retain(|_| plans.next().is_none_or(|plan| !gone.contains(&plan.number)));
        self.plans.retain(|plan| !gone.contains(&plan.number));
    }

    fn rank_all(&mut self) {
        self.active = Default::default();
        for place in 0..self.plans.len() {
            self.rank(place);
        }
    }

    fn rank(&mut self, place: usize) {
        let (plan, pod) = (&self.plans[place], &self.listed[place]);
        if plan.is_active(pod) {
            let kind = &mut self.active[usize::from(plan.is_old)][usize::from(plan.is_ready(pod))];
            kind.insert(Reverse(plan.rank(pod)));
        }
    }

    fn unrank(&mut self, place: usize) {
        let (plan, pod) = (&self.plans[place], &self.listed[place]);
        let kind = &mut self.active[usize::from(plan.is_old)][usize::from(plan.is_ready(pod))];
        kind.remove(&Reverse(plan.rank(pod)));
    }

    /// The active pods, or those of them that are old, or not.
    pub(super) fn count_active(&self, is_old: Option<bool>) -> usize {
        self.count_unready(is_old) + self.count_ready(is_old)
    }

    /// The ready pods, or those of them that are old, or not.
    pub(super) fn count_ready(&self, is_old: Option<bool>) -> usize {
        self.count(is_old, true)
    }

    /// The active pods that are not ready, or those of them that are old, or not.
    pub(super) fn count_unready(&self, is_old: Option<bool>) -> usize {
        self.count(is_old, false)
    }

    fn count(&self, is_old: Option<bool>, is_ready: bool) -> usize {
        let of = |is_old: bool| self.active[usize::from(is_old)][usize::from(is_ready)].len();
        is_old.map_or_else(|| of(false) + of(true), of)
    }

    /// From now on the active pods are old.
    pub(super) fn grow_old(&mut self) {
        for (plan, pod) in self.plans.iter_mut().zip(&self.listed) {
            plan.is_old = plan.is_active(pod);
        }
        self.rank_all();
    }

    /// As many pods as there are replicas (upstream `manageReplicas` of the `ReplicaSet` controller).
    pub(super) fn follow(&mut self, replicas: usize, world: &World, now: Duration) {
        let active = self.count_active(None);
        self.create(replicas.saturating_sub(active), world, now);
        self.delete(active.saturating_sub(replicas), world, now, |_, _| true);
    }

    pub(super) fn create(&mut self, count: usize, world: &World, now: Duration) {
        let Some(template) = &world.template else { return };
        for _ in 0..count {
            let delays = match world.delays.len() {
                0 => Delays::default(),
                several => world.delays[self.created % several],
            };
            self.created += 1;
            self.plans.push(Plan {
                number: self.next_number,
                scheduled: Some(now.plus(delays.scheduled)),
                running: Some(now.plus(delays.running)),
                ready: Some(now.plus(delays.ready)),
                ..Plan::default()
            });
            self.next_number += 1;
            self.listed.push(Pod {
                name: format_name(self.created),
                phase: Phase::Pending,
                deleting: false,
                started: None,
                ready: None,
                unscheduled: None,
                stuck: None,
                resizing: Vec::new(),
                usage: None,
                labels: template.labels.clone(),
                owner: template.owner.clone(),
                containers: template.containers.clone(),
                pod_requests: template.pod_requests.clone(),
            });
            let place = self.plans.len() - 1;
            self.pass(place, now);
            self.rank(place);
            self.due.extend(self.plans[place].changes());
        }
    }

    /// Deletes as many of the active pods of a kind: old or not, ready or not.
    pub(super) fn delete(
        &mut self,
        count: usize,
        world: &World,
        now: Duration,
        is_meant: impl Fn(bool, bool) -> bool,
    ) {
        for _ in 0..count {
            let kinds = [(false, false), (false, true), (true, false), (true, true)].into_iter();
            let meant = kinds.filter(|(is_old, is_ready)| is_meant(*is_old, *is_ready));
            let first = |(is_old, is_ready): (bool, bool)| {
                self.active[usize::from(is_old)][usize::from(is_ready)].last()
            };
            let Some(Reverse((.., Reverse(number)))) = meant.filter_map(first).max() else { return };
            let Some(place) = self.place(*number) else { return };
            self.delete_one(place, world, now);
        }
    }

    fn delete_one(&mut self, place: usize, world: &World, now: Duration) {
        self.unrank(place);
        let plan = &mut self.plans[place];
        (plan.scheduled, plan.running, plan.ready) = (None, None, None);
        plan.gone = Some(now.plus(world.termination));
        self.listed[place].deleting = true;
        self.pass(place, now);
        self.due.extend(self.plans[place].changes());
    }
}

/// What a pod of a world is called.
fn format_name(number: usize) -> Arc<str> {
    ["played-", &number.to_string()].concat().into()
}

/// A time as the API shows it: to the second.
pub(super) fn shown(start: Instant, time: Duration) -> Instant {
    (start + time).to_second()
}

/// True if pods have samples of their own beside their usage.
pub(super) fn has_samples(readings: &[Reading]) -> bool {
    readings.iter().any(|reading| matches!(reading, Reading::Pods(_)))
}

/// What is seen of one pod: of each metric of the spec that is of type Pods its value.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    /// Whether it has an item in the resource metrics API.
    pub(super) has_usage: bool,
    /// By the metric's place; empty where no metric is of type Pods.
    pub(super) of_metrics: Vec<Option<Milli>>,
}

impl Samples {
    pub(super) fn is_empty(&self) -> bool {
        !self.has_usage && self.of_metrics.iter().all(Option::is_none)
    }

    /// What a snapshot shows of each of its pods.
    pub(super) fn of(snapshot: &Snapshot, pods: &[Pod]) -> Vec<Self> {
        let of_metric = |reading: &Reading, place: usize| match reading {
            Reading::Pods(Ok(samples)) => samples.own.get(place).copied().flatten(),
            _ => None,
        };
        let readings = if has_samples(&snapshot.readings) { &*snapshot.readings } else { &[] };
        let of_pod = |(place, pod): (usize, &Pod)| Self {
            has_usage: pod.usage.is_some(),
            of_metrics: readings.iter().map(|reading| of_metric(reading, place)).collect(),
        };
        pods.iter().enumerate().map(of_pod).collect()
    }
}

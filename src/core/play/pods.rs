//! The pods of a world: how they come, change and go.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::reading::Samples;
use super::world::{Delays, Future, World};
use crate::model::{Duration, Instant};
use crate::snapshot::{ConditionStatus, Phase, Pod, Readiness};

/// The listed pods, and what becomes of each.
#[derive(Debug)]
pub(super) struct Pods {
    start: Instant,
    /// As the API shows them.
    pub(super) listed: Vec<Pod>,
    /// Of each listed pod, at the same place.
    pub(super) plans: Vec<Plan>,
    /// How many were created since the first sync.
    created: usize,
    /// No number is ever given twice: a sample that is seen late may be of a pod that is gone.
    next_number: usize,
}

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
    /// The first change that is still to come.
    fn next(&self) -> Option<Duration> {
        [self.scheduled, self.running, self.ready, self.gone].into_iter().flatten().min()
    }

    /// Whether it counts as one of the target's replicas (upstream `IsPodActive`).
    pub(super) fn is_active(&self, pod: &Pod) -> bool {
        !self.is_foreign && !pod.deleting && !matches!(pod.phase, Phase::Succeeded | Phase::Failed)
    }

    pub(super) fn is_ready(&self, pod: &Pod) -> bool {
        self.is_active(pod) && pod.is_running_and_ready()
    }
}

impl Pods {
    /// The pods of the first snapshot, each with its future.
    pub(super) fn new(start: Instant, listed: Vec<Pod>, futures: &[Future], samples: Vec<Samples>) -> Self {
        let futures: BTreeMap<&str, &Future> = futures.iter().map(|future| (&*future.name, future)).collect();
        let plan = |(number, (pod, samples)): (usize, (&Pod, Samples))| {
            let future = futures.get(&*pod.name).map(|future| (*future).clone()).unwrap_or_default();
            let Future { name: _, scheduled, running, ready, gone, is_silent, is_foreign } = future;
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
        Self { start, created: 0, next_number: listed.len(), listed, plans }
    }

    pub(super) fn next(&self) -> Option<Duration> {
        self.plans.iter().filter_map(Plan::next).min()
    }

    /// Makes the changes that are due; returns whether any pod changed.
    pub(super) fn change(&mut self, now: Duration) -> bool {
        let is_due = |plan: &Plan| plan.next().is_some_and(|at| at <= now);
        let due: Vec<usize> = (0..self.plans.len()).filter(|place| is_due(&self.plans[*place])).collect();
        let mut has_changed = false;
        for place in &due {
            has_changed |= self.change_one(*place, now);
        }
        let before = self.plans.len();
        self.keep(|plan| plan.gone.is_none_or(|at| at > now));
        has_changed || self.plans.len() < before
    }

    fn change_one(&mut self, place: usize, now: Duration) -> bool {
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
            has_changed = true;
        }
        if is_due(&mut plan.ready) && pod.phase == Phase::Running && !pod.is_running_and_ready() {
            pod.ready = Some(Readiness { status: ConditionStatus::True, since });
            has_changed = true;
        }
        has_changed
    }

    fn keep(&mut self, is_kept: impl Fn(&Plan) -> bool) {
        if self.plans.iter().all(&is_kept) {
            return;
        }
        let mut kept = self.plans.iter().map(&is_kept).collect::<Vec<_>>().into_iter();
        self.listed.retain(|_| kept.next().unwrap_or(true));
        self.plans.retain(is_kept);
    }

    /// The active pods, or those of them that are old, or not.
    pub(super) fn count_active(&self, is_old: Option<bool>) -> usize {
        self.count(is_old, Plan::is_active)
    }

    /// The ready pods, or those of them that are old, or not.
    pub(super) fn count_ready(&self, is_old: Option<bool>) -> usize {
        self.count(is_old, Plan::is_ready)
    }

    fn count(&self, is_old: Option<bool>, counts: fn(&Plan, &Pod) -> bool) -> usize {
        let all = self.plans.iter().zip(&self.listed);
        all.filter(|(plan, pod)| is_old.is_none_or(|is_old| plan.is_old == is_old) && counts(plan, pod))
            .count()
    }

    /// From now on the active pods are old.
    pub(super) fn grow_old(&mut self) {
        for (plan, pod) in self.plans.iter_mut().zip(&self.listed) {
            plan.is_old = plan.is_active(pod);
        }
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
                resizing: Vec::new(),
                usage: None,
                ..template.clone()
            });
            self.change_one(self.plans.len() - 1, now);
        }
    }

    /// Deletes as many of the active pods of a kind, in the order of upstream's `ActivePodsWithRanks`: without a node,
    /// not running, not ready, ready for a shorter time, younger.
    pub(super) fn delete(
        &mut self,
        count: usize,
        world: &World,
        now: Duration,
        is_meant: impl Fn(&Plan, &Pod) -> bool,
    ) {
        if count == 0 {
            return;
        }
        let meant = |place: &usize| {
            self.plans[*place].is_active(&self.listed[*place])
                && is_meant(&self.plans[*place], &self.listed[*place])
        };
        let mut places: Vec<usize> = (0..self.plans.len()).filter(meant).collect();
        places.sort_by_key(|place| {
            let (pod, plan) = (&self.listed[*place], &self.plans[*place]);
            let ready_since = pod.ready.filter(|_| plan.is_ready(pod)).map(|ready| ready.since.to_second());
            (
                pod.started.is_some(),
                pod.phase == Phase::Running,
                plan.is_ready(pod),
                Reverse(ready_since),
                Reverse(plan.number),
            )
        });
        for place in places.into_iter().take(count) {
            let plan = &mut self.plans[place];
            (plan.scheduled, plan.running, plan.ready) = (None, None, None);
            plan.gone = Some(now.plus(world.termination));
            self.listed[place].deleting = true;
        }
        self.keep(|plan| plan.gone.is_none_or(|at| at > now));
    }
}

/// What a pod of a world is called.
fn format_name(number: usize) -> Box<str> {
    ["played-", &number.to_string()].concat().into()
}

/// A time as the API shows it: to the second.
pub(super) fn shown(start: Instant, time: Duration) -> Instant {
    (start + time).to_second()
}

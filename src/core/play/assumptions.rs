//! A world that goes on from a snapshot, by what is assumed of it.

use std::sync::Arc;

use super::curve::Curve;
use super::demand::Demand;
use super::load::{Backlog, Load, Measure, Spread};
use super::player::{MOST_SYNCS, Unplayable};
use super::start::{MeasuredPods, StartLoad};
use super::world::{Delays, Future, Part, Readings, Rollout, World};
use crate::engine::counts_sample;
use crate::model::{Duration, MetricSpec, Milli, ResourceName, Source};
use crate::snapshot::{Phase, Pod, PodUsage, Reading, Snapshot, Unscheduled, UnscheduledReason};

/// So many delays are drawn; then they come again.
const DRAWN: usize = 1_009;
/// A pod that has run for longer than this and has no sample never gets one.
pub(super) const MEASURED_WITHIN: Duration = Duration::from_seconds(120);

/// What is assumed of the future. The default is the simple world: demand stays, the ready pods share it, new pods are ready and measured
/// at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumptions {
    /// How long it goes on.
    pub over: Duration,
    /// How demand changes: of one metric or, without a name, of every one.
    pub curves: Vec<(Option<String>, Curve)>,
    /// The demand that a record has, instead of curves.
    pub demand: Option<Arc<Demand>>,
    /// The curves in words, as somebody typed them.
    pub typed_curves: Vec<String>,
    /// From a pod's creation until it runs.
    pub start_delay: Delay,
    /// From then until it is ready.
    pub ready_delay: Delay,
    /// What a pod uses without any demand, by metric; without a name of the only metric of pods.
    pub base_usage: Vec<(Option<String>, Milli)>,
    /// How long after it was read a metric is seen.
    pub metrics_lag: Duration,
    /// Object and External metrics that count work which waits: what a ready pod does in a second, in milli-units. As much arrives
    /// as the ready pods do now.
    pub backlog: Vec<(Option<String>, Milli)>,
    /// When a rolling update begins, a quarter of the pods at a time.
    pub rollout: Option<Duration>,
    /// What delays are drawn by.
    pub seed: u64,
}

/// A delay between two bounds, both included; drawn to the millisecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delay {
    /// The shortest.
    pub least: Duration,
    /// The longest: not less.
    pub most: Duration,
}

impl Assumptions {
    /// Whether pods are ready and measured as soon as they are there.
    #[must_use]
    pub fn is_simple_start(&self) -> bool {
        self.start_delay.most <= Duration::ZERO && self.ready_delay.most <= Duration::ZERO
    }

    /// Whether the load stays from the end on.
    #[must_use]
    pub fn load_rests(&self) -> bool {
        let is_over = |curve: &Curve| {
            curve.repeat.is_none() && curve.points.last().is_none_or(|last| last.at <= self.over)
        };
        self.demand.is_none()
            && self.backlog.is_empty()
            && self.curves.iter().all(|(_, curve)| is_over(curve))
    }

    /// The world that goes on from a snapshot.
    ///
    /// # Errors
    /// The pods or the scale are not known, there is no pod to copy, or a name is that of no metric.
    pub fn world(&self, snapshot: &Snapshot) -> Result<World, Unplayable> {
        let (Ok(pods), Ok(_)) = (&snapshot.pods, &snapshot.scale) else { return Err(Unplayable::Unread) };
        let sync_period = snapshot.controller.sync_period.value;
        if sync_period <= Duration::ZERO {
            return Err(Unplayable::NoPeriod);
        }
        let own = own(snapshot, pods);
        let steps = self.over.nanoseconds() / sync_period.nanoseconds();
        let syncs = usize::try_from(steps).unwrap_or(0) + 1;
        if syncs > MOST_SYNCS {
            return Err(Unplayable::TooManySyncs(syncs));
        }
        Ok(World {
            syncs,
            sync_period,
            readings: Readings {
                resolution: sync_period,
                first: sync_period,
                lag: self.metrics_lag,
                needed: if self.is_simple_start() { 1 } else { 2 },
            },
            loads: self.loads(snapshot, &own)?,
            template: Some(template(snapshot, &own)?),
            delays: self.delays(),
            termination: Duration::ZERO,
            existing: pods.iter().map(|pod| self.future(snapshot, pod)).collect(),
            // A Deployment's own defaults: 25%, the surge rounded up and the others down, of the replicas at the time.
            rollout: self.rollout.map(|at| Rollout {
                at,
                surge: Part::Percent(25),
                unavailable: Part::Percent(25),
            }),
        })
    }

    fn delays(&self) -> Vec<Delays> {
        let is_fixed = self.start_delay.is_fixed() && self.ready_delay.is_fixed();
        let mut draws = Draws(self.seed);
        let mut one = || {
            let running = self.start_delay.draw(&mut draws);
            let ready = running.plus(self.ready_delay.draw(&mut draws));
            Delays { scheduled: Duration::ZERO, running, ready }
        };
        (0..if is_fixed { 1 } else { DRAWN }).map(|_| one()).collect()
    }

    /// A pod that starts comes up as a new one does; one that waits for a node, has a container that waits for more than its
    /// start, or has been unready for long stays so.
    fn future(&self, snapshot: &Snapshot, pod: &Pod) -> Future {
        let age = pod.started.map(|started| snapshot.taken_at.since(started));
        let is_young = age.is_none_or(|age| age <= snapshot.controller.cpu_initialization_period.value);
        let waits = matches!(
            pod.unscheduled,
            Some(Unscheduled {
                reason: UnscheduledReason::Unschedulable | UnscheduledReason::SchedulingGated,
                ..
            })
        );
        let comes_up = is_young && !waits && pod.stuck.is_none();
        let may_be_measured = age.is_none_or(|age| age <= MEASURED_WITHIN);
        let running = self.start_delay.most;
        Future {
            name: pod.name.clone(),
            scheduled: comes_up.then_some(Duration::ZERO),
            running: comes_up.then_some(running),
            ready: comes_up.then_some(running.plus(self.ready_delay.most)),
            gone: Some(Duration::ZERO),
            is_silent: pod.phase == Phase::Running
                && pod.usage.is_none()
                && !may_be_measured
                && needs_usage(snapshot),
            is_foreign: pod.is_of_another(&snapshot.hpa.target),
        }
    }

    fn loads(&self, snapshot: &Snapshot, own: &Own<'_>) -> Result<Vec<Load>, Unplayable> {
        let measures = measures(snapshot, false);
        let known: Vec<&str> = measures.iter().map(|measure| name_of(snapshot, measure)).collect();
        let typed = self.curves.iter().map(|(name, _)| name);
        let typed = typed.chain(self.base_usage.iter().chain(&self.backlog).map(|(name, _)| name));
        for name in typed.flatten() {
            if !known.contains(&name.as_str()) {
                return Err(Unplayable::NoSuchMetric(name.clone(), known.join(", ")));
            }
        }
        let loads = measures.iter().map(|measure| self.load(snapshot, own, measure));
        let mut loads: Vec<Load> = loads.filter_map(Result::transpose).collect::<Result<_, _>>()?;
        if let Some(demand) = &self.demand {
            loads = loads.into_iter().map(|load| demand.recorded(snapshot, load)).collect();
        }
        let mut scaled = loads.iter().filter(|load| load.backlog.is_none() && load.curve != Curve::default());
        if let Some(first) = scaled.next()
            && !self.typed_curves.is_empty()
            && first.demand == Milli(0)
            && scaled.all(|load| load.demand == Milli(0))
        {
            return Err(Unplayable::NothingToScale(name_of(snapshot, &first.measure).to_owned()));
        }
        // What neither moves nor is shared stays as it was answered, value by value.
        loads.retain(|load| {
            load.spread == Spread::Shared || load.backlog.is_some() || load.curve != Curve::default()
        });
        if !self.backlog.is_empty() && loads.iter().all(|load| load.backlog.is_none()) {
            return Err(Unplayable::NoBacklog);
        }
        Ok(loads)
    }

    fn curve(&self, name: &str) -> Curve {
        let of_name = self.curves.iter().rev().find(|(other, _)| other.as_deref() == Some(name));
        let of_all = || self.curves.iter().rev().find(|(other, _)| other.is_none());
        of_name.or_else(of_all).map(|(_, curve)| curve.clone()).unwrap_or_default()
    }

    /// The load that a play of a snapshot starts from, of each metric of which any is measured.
    #[must_use]
    pub fn starts(&self, snapshot: &Snapshot) -> Vec<StartLoad> {
        let own = own(snapshot, snapshot.pods.as_deref().unwrap_or_default());
        let measures = measures(snapshot, false);
        let start = |(place, metric): (usize, &MetricSpec)| {
            let fed: Vec<&Measure> =
                measures.iter().filter(|measure| feeds(measure, place, &metric.source)).collect();
            let loads = fed.iter().filter_map(|measure| self.load(snapshot, &own, measure).ok().flatten());
            let loads: Vec<Load> = loads.collect();
            let demand = |load: &Load| load.backlog.map_or(load.demand, |backlog| backlog.start).0.into();
            let is_shared = loads.first()?.spread == Spread::Shared;
            let starting = Milli(sum(loads.iter().map(|load| load.starting.0.into())));
            let pods = is_shared.then(|| MeasuredPods { starting, ..measured_pods(snapshot, &own, &fed) });
            Some(StartLoad { metric: place, demand: Milli(sum(loads.iter().map(demand))), pods })
        };
        snapshot.hpa.metrics.iter().enumerate().filter_map(start).collect()
    }

    /// What is measured now, made a demand; none if the pods have no samples.
    pub(super) fn load(
        &self,
        snapshot: &Snapshot,
        own: &Own<'_>,
        measure: &Measure,
    ) -> Result<Option<Load>, Unplayable> {
        let name = name_of(snapshot, measure);
        let plain = |demand: Milli, spread: Spread| Load {
            measure: measure.clone(),
            demand,
            curve: self.curve(name),
            spread,
            idle: Milli(0),
            ceiling: None,
            starting: Milli(0),
            backlog: None,
        };
        let (ready, unready) = by_readiness(own);
        if let Some(value) = value(snapshot, measure) {
            let Some(rate) = typed(&self.backlog, name) else { return Ok(Some(plain(value, Spread::Whole))) };
            let count = i128::try_from(ready.len()).unwrap_or(i128::MAX);
            let arrives = Milli(i64::try_from(count * i128::from(rate.0)).unwrap_or(i64::MAX));
            let backlog = Some(Backlog { start: value, rate });
            return Ok(Some(Load { backlog, ..plain(arrives, Spread::Whole) }));
        }
        let of_pods = |pods: &Own<'_>| -> Vec<i128> {
            pods.iter().filter_map(|pod| counted(snapshot, measure, *pod)).map(|it| it.0.into()).collect()
        };
        let (measured, starting) = (of_pods(&ready), of_pods(&unready));
        let mut pods = ready.iter().chain(&unready).peekable();
        if pods.peek().is_some() && measured.is_empty() && starting.is_empty() {
            let is_refused = pods.any(|pod| amount(snapshot, measure, *pod).is_some());
            return if is_refused { Err(Unplayable::NoLoad(name.to_owned())) } else { Ok(None) };
        }
        let idle = typed(&self.base_usage, name).unwrap_or(Milli(0));
        let no_total = || Unplayable::NoTotal(name.to_owned());
        if measured.iter().any(|used| *used < 0) {
            return Err(no_total());
        }
        let busy = measured.iter().map(|used| (used - i128::from(idle.0)).max(0)).sum::<i128>();
        // Ready pods without a sample have their part of the demand too.
        let [all, seen] = [ready.len(), measured.len().max(1)].map(|it| i128::try_from(it).unwrap_or(1));
        let demand = i64::try_from(busy * all / seen).map_err(|_| no_total())?;
        let mean = starting.iter().sum::<i128>() / i128::try_from(starting.len().max(1)).unwrap_or(1);
        let starting = Milli(i64::try_from(mean).unwrap_or(0)).max(idle);
        Ok(Some(Load { idle, starting, ..plain(Milli(demand), Spread::Shared) }))
    }
}

/// The last amount that was typed for a metric or for all.
fn typed(list: &[(Option<String>, Milli)], name: &str) -> Option<Milli> {
    let found = list.iter().rev().find(|(other, _)| other.as_deref().is_none_or(|other| other == name));
    found.map(|(_, amount)| *amount)
}

/// The value of an Object metric, or the sum of an External one.
fn value(snapshot: &Snapshot, measure: &Measure) -> Option<Milli> {
    let Measure::Metric(place) = measure else { return None };
    match snapshot.readings.get(*place) {
        Some(Reading::Object(Ok(values)) | Reading::External(Ok(values))) if !values.is_empty() => {
            Some(Milli(sum(values.iter().map(|value| value.0.into()))))
        }
        _ => None,
    }
}

/// The target's pods, with their places in the snapshot.
pub(super) type Own<'a> = Vec<(usize, &'a Pod)>;

pub(super) fn own<'a>(snapshot: &Snapshot, pods: &'a [Pod]) -> Own<'a> {
    pods.iter().enumerate().filter(|(_, pod)| !pod.is_of_another(&snapshot.hpa.target)).collect()
}

fn needs_usage(snapshot: &Snapshot) -> bool {
    let mut sources = snapshot.hpa.metrics.iter().map(|metric| &metric.source);
    sources.any(|source| matches!(source, Source::Resource(_) | Source::ContainerResource { .. }))
}

/// What new pods are made of: the target's first ready pod, or else its first one.
fn template(snapshot: &Snapshot, own: &Own<'_>) -> Result<Pod, Unplayable> {
    let ready = own.iter().find(|(_, pod)| !pod.deleting && pod.is_running_and_ready());
    let found = ready.or(own.first()).map(|(_, pod)| (*pod).clone());
    let is_measured_in_pods = |metric: &MetricSpec| !metric.outlives_pods();
    match found {
        Some(pod) => Ok(pod),
        None if snapshot.hpa.metrics.iter().any(is_measured_in_pods) => Err(Unplayable::NoPod),
        None => Ok(bare()),
    }
}

/// A pod of which only matters that it is there.
fn bare() -> Pod {
    Pod {
        name: "".into(),
        labels: crate::model::Labels::default(),
        owner: None,
        phase: Phase::Pending,
        deleting: false,
        started: None,
        ready: None,
        unscheduled: None,
        stuck: None,
        resizing: Vec::new(),
        containers: std::sync::Arc::default(),
        pod_requests: None,
        usage: None,
    }
}

/// All that the metrics of the spec measure, and perhaps every other resource of the pods.
pub(super) fn measures(snapshot: &Snapshot, with_others: bool) -> Vec<Measure> {
    let mut measures: Vec<Measure> = Vec::new();
    let mut resources: Vec<&ResourceName> = Vec::new();
    for (place, metric) in snapshot.hpa.metrics.iter().enumerate() {
        match &metric.source {
            Source::Resource(resource) | Source::ContainerResource { resource, .. } => {
                if !resources.contains(&resource) {
                    resources.push(resource);
                }
            }
            Source::Pods(_) | Source::Object { .. } | Source::External(_) => {
                measures.push(Measure::Metric(place));
            }
        }
    }
    let pods = snapshot.pods.as_deref().unwrap_or_default();
    let used = pods.iter().filter_map(|pod| pod.usage.as_ref()).flat_map(|usage| &*usage.containers);
    for (resource, _) in used.filter(|_| with_others).flat_map(|container| container.usage.iter()) {
        if !resources.contains(&resource) {
            resources.push(resource);
        }
    }
    let mut containers: Vec<&str> = Vec::new();
    for name in pods.iter().filter_map(|pod| pod.usage.as_ref()).flat_map(names) {
        if !containers.contains(&name) {
            containers.push(name);
        }
    }
    for container in containers {
        measures.extend(resources.iter().map(|resource| Measure::Container {
            container: container.into(),
            resource: (*resource).clone(),
        }));
    }
    measures
}

fn names(usage: &PodUsage) -> impl Iterator<Item = &str> {
    usage.containers.iter().map(|container| &*container.name)
}

/// By what name a person speaks of it.
fn name_of<'a>(snapshot: &'a Snapshot, measure: &'a Measure) -> &'a str {
    match measure {
        Measure::Container { resource, .. } => resource.as_str(),
        Measure::Metric(place) => match snapshot.hpa.metrics.get(*place).map(|metric| &metric.source) {
            Some(Source::Pods(metric) | Source::Object { metric, .. } | Source::External(metric)) => {
                &metric.name
            }
            _ => "",
        },
    }
}

/// What a pod is measured to have of it.
fn amount(snapshot: &Snapshot, measure: &Measure, (place, pod): (usize, &Pod)) -> Option<Milli> {
    match measure {
        Measure::Container { container, resource } => pod.usage.as_ref()?.of_container(resource, container),
        Measure::Metric(metric) => match snapshot.readings.get(*metric) {
            Some(Reading::Pods(Ok(samples))) => samples.own.get(place).copied().flatten(),
            _ => None,
        },
    }
}

/// The same, if the controller counts it.
pub(super) fn counted(snapshot: &Snapshot, measure: &Measure, pod: (usize, &Pod)) -> Option<Milli> {
    let resource = match measure {
        Measure::Container { resource, .. } => Some(resource),
        Measure::Metric(_) => None,
    };
    // A Resource metric counts a pod only if each of its containers is measured.
    let is_complete = |resource: &ResourceName| {
        let is_by_container = |metric: &MetricSpec| matches!(&metric.source, Source::ContainerResource { resource: other, .. } if other == resource);
        pod.1.usage.as_ref().is_some_and(|usage| usage.of_pod(resource).is_some())
            || snapshot.hpa.metrics.iter().any(is_by_container)
    };
    let is_counted = counts_sample(snapshot, resource, pod.1) && resource.is_none_or(is_complete);
    amount(snapshot, measure, pod).filter(|_| is_counted)
}

/// Whether what is measured is part of what a metric of the spec shows.
pub(super) fn feeds(measure: &Measure, place: usize, source: &Source) -> bool {
    match (measure, source) {
        (Measure::Metric(metric), _) => *metric == place,
        (Measure::Container { resource, .. }, Source::Resource(other)) => resource == other,
        (
            Measure::Container { container, resource },
            Source::ContainerResource { resource: other, container: name },
        ) => resource == other && container == name,
        (Measure::Container { .. }, _) => false,
    }
}

fn measured_pods(snapshot: &Snapshot, own: &Own<'_>, measures: &[&Measure]) -> MeasuredPods {
    let is_counted = |pod: (usize, &Pod)| measures.iter().any(|it| counted(snapshot, it, pod).is_some());
    let has_sample = |pod: (usize, &Pod)| measures.iter().any(|it| amount(snapshot, it, pod).is_some());
    let (ready, unready) = by_readiness(own);
    MeasuredPods {
        ready: ready.len(),
        measured: ready.iter().filter(|pod| is_counted(**pod)).count(),
        refused: own.iter().filter(|pod| has_sample(**pod) && !is_counted(**pod)).count(),
        unready: unready.len(),
        starting: Milli(0),
    }
}

/// The pods that serve, and those that may come to; what is deleted or has ended will not.
fn by_readiness<'a>(own: &Own<'a>) -> (Own<'a>, Own<'a>) {
    let stays = own.iter().filter(|(_, pod)| pod.is_active());
    stays.partition(|(_, pod)| pod.is_running_and_ready())
}

fn sum(values: impl Iterator<Item = i128>) -> i64 {
    i64::try_from(values.sum::<i128>().max(0)).unwrap_or(i64::MAX)
}

impl Delay {
    fn is_fixed(self) -> bool {
        self.least == self.most
    }

    fn draw(self, draws: &mut Draws) -> Duration {
        const MILLISECOND: i64 = 1_000_000;
        if self.is_fixed() {
            return self.least;
        }
        let span =
            u64::try_from((self.most.nanoseconds() - self.least.nanoseconds()) / MILLISECOND).unwrap_or(0);
        let more = i64::try_from(draws.next() % (span + 1)).unwrap_or(0) * MILLISECOND;
        self.least.plus(Duration::from_nanoseconds(more))
    }
}

/// Numbers that a seed gives (SplitMix64, Steele, Lea and Flood 2014).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

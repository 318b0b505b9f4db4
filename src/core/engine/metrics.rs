//! One metric of the spec, from its reading to its proposal (upstream `computeReplicasForMetric`).

use std::sync::Arc;

use super::per_pod::Totals;
use super::pod_groups::{self, Clock, Sample};
use super::requests::{Part, request};
use super::total::{
    Usage, count_ready, of_object, propose_per_replica, propose_total, sum_for_average, sum_for_total,
};
use crate::model::{
    Architecture, MetricIdentifier, MetricSpec, Milli, ResourceName, Source, Target, TargetType, Tolerances,
};
use crate::rules::{Rules, UnmeasuredContainer};
use crate::snapshot::{Pod, PodSamples, PodUsage, Read, Reading, Scale, Scope, Snapshot};
use crate::trace::{
    Failure, Foreign, Measure, MetricTrace, MetricsApi, Missing, PodGroups, Proposal, RequestGap, Unread,
    Verdict,
};

/// What every metric of one reconcile shares.
#[derive(Clone, Copy)]
pub(super) struct MetricContext<'a> {
    pub snapshot: &'a Snapshot,
    pub rules: &'a Rules,
    pub scale: &'a Scale,
    pub tolerances: Tolerances,
    /// Where floats become integers.
    pub arch: Architecture,
}

/// Why a metric has no proposal: it failed for the controller too, or what the controller read is not known.
enum Stop {
    Failed(Failure),
    Unknown(Unread),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// A proposal and the pods behind it, or what became of it instead.
struct Work {
    groups: Option<PodGroups>,
    result: Result<Proposal, Stop>,
}

impl Work {
    fn without_groups(result: Result<Proposal, Stop>) -> Self {
        Self { groups: None, result }
    }
}

impl MetricContext<'_> {
    /// Decides on one metric of the spec.
    pub fn trace(self, index: usize, spec: &MetricSpec) -> MetricTrace {
        let work = match &spec.source {
            Source::Resource(resource) => self.usage(&spec.target, Part { resource, container: None }),
            Source::ContainerResource { .. } if !self.rules.container_metrics => {
                Work::without_groups(Err(Failure::SwitchedOff.into()))
            }
            Source::ContainerResource { resource, container } => {
                self.usage(&spec.target, Part { resource, container: Some(container) })
            }
            Source::Pods(metric) => self.pods(index, metric, &spec.target),
            Source::Object { metric, .. } => Work::without_groups(self.object(index, metric, &spec.target)),
            Source::External(metric) => Work::without_groups(self.external(index, metric, &spec.target)),
        };
        let verdict = match work.result {
            Ok(proposal) => Verdict::Proposal(proposal),
            Err(Stop::Failed(failure)) => Verdict::Failed(failure),
            Err(Stop::Unknown(unread)) => Verdict::Unknown(unread),
        };
        MetricTrace { index, groups: work.groups, verdict }
    }

    /// Resource and ContainerResource (upstream `computeStatusForResourceMetricGeneric`): an average value is
    /// preferred, whatever the target's type says.
    fn usage(self, target: &Target, part: Part<'_>) -> Work {
        let measure = match (target.average_milli(), target.average_utilization) {
            (Some(value), _) => Measure::Value(value),
            (None, Some(percent)) => Measure::Utilization(percent),
            (None, None) => return Work::without_groups(Err(Failure::NoTarget.into())),
        };
        match self.usage_samples(part) {
            Ok((pods, foreign)) => {
                let sample = |_, pod: &Pod| sample_of(pod, part);
                self.per_pod(pods, foreign, sample, measure, Some(part))
            }
            Err(stop) => Work::without_groups(Err(stop)),
        }
    }

    /// The pods, and the samples that belong to none of them (upstream `GetResourceMetric`).
    fn usage_samples(&self, part: Part<'_>) -> Result<(&[Pod], Vec<Foreign>), Stop> {
        let usages = known(&self.snapshot.usages, MetricsApi::Resource)?;
        // Upstream counts the items before it looks into them (`GetResourceMetric`): items that all lack the resource
        // are not an empty answer, but missing pods.
        if usages.items == 0 {
            return Err(Failure::NoSamples(MetricsApi::Resource).into());
        }
        self.check_containers(part)?;
        let foreign = usages.foreign.iter().enumerate();
        let foreign =
            foreign.filter_map(|(index, (_, usage))| Some(Foreign { index, sample: value_of(usage, part)? }));
        // Pods come last because upstream lists them after the metrics: if both fail, the error is that of the metrics
        // API.
        Ok((self.known_pods()?, foreign.collect()))
    }

    /// Up to 1.32 the first sample without the container fails the metric (upstream `getContainerMetrics`).
    fn check_containers(&self, part: Part<'_>) -> Result<(), Failure> {
        let Some(container) = part.container else { return Ok(()) };
        if self.rules.unmeasured_container == UnmeasuredContainer::MissingPod {
            return Ok(());
        }
        let pods = self.snapshot.pods.iter().flatten();
        let own = pods.filter_map(|pod| Some((&*pod.name, pod.usage.as_ref()?)));
        let foreign = self.snapshot.usages.iter().flat_map(|usages| &usages.foreign);
        let samples = own.chain(foreign.map(|(name, usage)| (&**name, usage)));
        let lacking = samples.filter(|(_, usage)| usage.container(container).is_none());
        let first = lacking.min_by_key(|(_, usage)| usage.place);
        first.map_or(Ok(()), |(name, _)| Err(Failure::UnmeasuredContainer(name.into())))
    }

    /// Pods metrics (upstream `computeStatusForPodsMetric`): always an average value.
    fn pods(self, index: usize, metric: &MetricIdentifier, target: &Target) -> Work {
        match self.pod_samples(index, metric, target) {
            Ok((pods, samples, target)) => {
                let foreign = samples.foreign.iter().enumerate();
                let foreign =
                    foreign.map(|(index, (_, sample))| Foreign { index, sample: *sample }).collect();
                let sample = |place: usize, _: &Pod| {
                    let value = samples.own.get(place).copied().flatten().ok_or(Missing::NoSample)?;
                    // `GetMetricReplicas` passes an empty resource name, so `groupPods` skips the cpu rules, and with
                    // them the age of samples.
                    Ok(Sample::timeless(value, self.snapshot.taken_at))
                };
                self.per_pod(pods, foreign, sample, Measure::Value(target), None)
            }
            Err(stop) => Work::without_groups(Err(stop)),
        }
    }

    fn pod_samples(
        &self,
        index: usize,
        metric: &MetricIdentifier,
        target: &Target,
    ) -> Result<(&[Pod], &PodSamples, Milli), Stop> {
        check_selector(metric, self.rules)?;
        let target = target.average_milli().ok_or(Failure::NoTarget)?;
        let samples = match self.reading(index)? {
            Reading::Pods(answer) => known(answer, MetricsApi::Custom)?,
            _ => return Err(Stop::Unknown(Unread::NotInCase)),
        };
        if samples.items == 0 {
            return Err(Failure::NoSamples(MetricsApi::Custom).into());
        }
        Ok((self.known_pods()?, samples, target))
    }

    /// Groups the pods and proposes.
    fn per_pod(
        self,
        pods: &[Pod],
        foreign: Vec<Foreign>,
        sample: impl Fn(usize, &Pod) -> Result<Sample, Missing>,
        measure: Measure,
        part: Option<Part<'_>>,
    ) -> Work {
        if pods.is_empty() {
            return Work::without_groups(Err(Failure::NoPods.into()));
        }
        let watched = part.is_some_and(|part| pod_groups::watches_readiness(part.resource));
        let asked = part.filter(|_| matches!(measure, Measure::Utilization(_)));
        // Pods of one template share their containers, and so their request.
        let mut last = None;
        let request = |pod: &Pod| {
            let part = asked?;
            let shared = pod.pod_requests.is_none().then_some(Arc::as_ptr(&pod.containers));
            match last {
                Some((containers, request)) if shared == Some(containers) => Some(request),
                _ => {
                    let request = request(pod, part, self.rules);
                    last = shared.map(|containers| (containers, request));
                    Some(request)
                }
            }
        };
        let clock = watched.then(|| Clock::of(self.snapshot));
        let (mut groups, gaps) = pod_groups::group_pods(pods, sample, request, foreign, clock);
        let result = self.propose(&mut groups, gaps, measure);
        Work { groups: Some(groups), result: result.map_err(Stop::Failed) }
    }

    /// Upstream reads requests after it has looked for samples that count, and up to some version before
    /// ([`Rules::requests_first`]): of two things wrong the first is the failure, and what was not reached is not told.
    fn propose(
        self,
        groups: &mut PodGroups,
        gaps: Vec<RequestGap>,
        measure: Measure,
    ) -> Result<Proposal, Failure> {
        // Samples of pods that the selector does not match stay in upstream's map, so they alone keep it from being
        // empty.
        let no_samples = groups.ready + groups.foreign.len() == 0;
        // Both checks fail the metric: their order only decides whose error is reported.
        if no_samples && (gaps.is_empty() || !self.rules.requests_first) {
            if !self.rules.requests_first {
                groups.pods.iter_mut().for_each(|pod| pod.request = None);
            }
            return Err(Failure::NoUsableSamples);
        }
        if !gaps.is_empty() {
            return Err(Failure::RequestGaps(gaps));
        }
        let totals = Totals::of(groups, measure, self.rules, self.arch);
        totals.propose(self.tolerances, self.scale.replicas)
    }

    /// Object metrics (upstream `computeStatusForObjectMetric`): the only ones decided by the target's type.
    fn object(self, index: usize, metric: &MetricIdentifier, target: &Target) -> Result<Proposal, Stop> {
        check_selector(metric, self.rules)?;
        match (target.kind, target.value_milli(), target.average_milli()) {
            (TargetType::Value, Some(target), _) => {
                let usage = self.object_usage(index)?;
                self.total(usage, target)
            }
            (TargetType::AverageValue, _, Some(target)) => {
                let usage = self.object_usage(index)?;
                // AverageValue is the only calculation with `scale.status.replicas`; all others start from
                // `scale.spec.replicas`.
                Ok(propose_per_replica(usage, target, self.tolerances, self.scale.observed, false, self.arch))
            }
            // The controller followed the target's type to a value that is nil (PR 121015).
            (TargetType::Value | TargetType::AverageValue, ..) if !self.rules.checks_object_target => {
                Err(Failure::Crash.into())
            }
            _ => Err(Failure::NoTarget.into()),
        }
    }

    fn object_usage(self, index: usize) -> Result<Usage, Stop> {
        match self.reading(index)? {
            Reading::Object(answer) => Ok(of_object(known(answer, MetricsApi::Custom)?)?),
            _ => Err(Stop::Unknown(Unread::NotInCase)),
        }
    }

    /// External metrics (upstream `computeStatusForExternalMetric`): an average value is preferred.
    fn external(self, index: usize, metric: &MetricIdentifier, target: &Target) -> Result<Proposal, Stop> {
        match (target.average_milli(), target.value_milli()) {
            (Some(target), _) => {
                let usage = sum_for_average(self.external_values(index, metric)?, self.rules);
                let (tolerances, observed) = (self.tolerances, self.scale.observed);
                Ok(propose_per_replica(
                    usage,
                    target,
                    tolerances,
                    observed,
                    self.rules.average_capped,
                    self.arch,
                ))
            }
            (None, Some(target)) => {
                let usage = sum_for_total(self.external_values(index, metric)?, self.rules);
                self.total(usage, target)
            }
            (None, None) => Err(Failure::NoTarget.into()),
        }
    }

    fn external_values(&self, index: usize, metric: &MetricIdentifier) -> Result<&[Milli], Stop> {
        check_selector(metric, self.rules)?;
        let values = match self.reading(index)? {
            Reading::External(answer) => known(answer, MetricsApi::External)?,
            _ => return Err(Stop::Unknown(Unread::NotInCase)),
        };
        if values.is_empty() { Err(Failure::NoSamples(MetricsApi::External).into()) } else { Ok(values) }
    }

    /// Against a Value target; pods are listed only when they are needed.
    fn total(self, usage: Usage, target: Milli) -> Result<Proposal, Stop> {
        // Upstream lists the pods only outside the tolerance and not from zero, so a failed list is an error only if
        // the calculation gets that far (`getUsageRatioReplicaCount`).
        let (pods, stop) = match self.known_pods() {
            Ok(pods) => (count_ready(pods), None),
            Err(stop) => (None, Some(stop)),
        };
        let proposal =
            propose_total(usage, target, self.tolerances, self.scale.replicas, pods, (self.rules, self.arch));
        proposal.map_err(|failure| match stop {
            Some(Stop::Failed(Failure::PodsUnlisted(error))) => Failure::PodsUncounted(error).into(),
            Some(stop) => stop,
            None => failure.into(),
        })
    }

    fn reading(&self, index: usize) -> Result<&Reading, Stop> {
        self.snapshot.readings.get(index).ok_or(Stop::Unknown(Unread::NotInCase))
    }

    /// The pods. An error that the controller gets too has ended the reconcile before, except up to 1.25.
    fn known_pods(&self) -> Result<&[Pod], Stop> {
        self.snapshot.pods.as_deref().map_err(|error| match error.scope {
            Scope::Everyone => Failure::PodsUnlisted(error.clone()).into(),
            Scope::Reader => Stop::Unknown(Unread::Refused(error.clone())),
        })
    }
}

fn sample_of(pod: &Pod, part: Part<'_>) -> Result<Sample, Missing> {
    let usage = pod.usage.as_ref().ok_or(Missing::NoSample)?;
    Ok(Sample::of(usage, value_of(usage, part).ok_or(Missing::NoSuchUsage)?))
}

fn value_of(usage: &PodUsage, part: Part<'_>) -> Option<Milli> {
    let resource: &ResourceName = part.resource;
    part.container.map_or_else(|| usage.of_pod(resource), |name| usage.of_container(resource, name))
}

/// A read's value; its error is the metric's failure, or unknown where only the reader got it.
fn known<T>(answer: &Read<T>, api: MetricsApi) -> Result<&T, Stop> {
    answer.as_ref().map_err(|error| match error.scope {
        Scope::Everyone => Stop::Failed(Failure::Api { api, error: error.clone() }),
        Scope::Reader => Stop::Unknown(Unread::Refused(error.clone())),
    })
}

fn check_selector(metric: &MetricIdentifier, rules: &Rules) -> Result<(), Failure> {
    let selector = metric.selector.as_ref().map_or(Ok(()), |selector| selector.to_selector().map(drop));
    selector.map_err(|error| Failure::MetricSelector(error.words(rules.selector_words).into()))
}

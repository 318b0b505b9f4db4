//! Sorting pods into the controller's four sets (upstream `groupPods`).

use crate::model::{Duration, Instant, Milli, ResourceName};
use crate::snapshot::{ConditionStatus, Phase, Pod, PodUsage, Readiness, Snapshot};
use crate::trace::{
    Foreign, Group, GroupedPod, Ignored, Missing, PodGroups, Ready, RequestGap, RequestGapKind, Unready,
};

/// A pod's sample, as far as the groups need it.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    /// The value.
    pub value: Milli,
    /// End of the measured window.
    pub at: Instant,
    /// Its length.
    pub window: Duration,
}

impl Sample {
    /// A sample of the resource metrics API.
    pub fn of(usage: &PodUsage, value: Milli) -> Self {
        Self { value, at: usage.at, window: usage.window }
    }

    /// A sample whose age has no part in the groups.
    pub fn timeless(value: Milli, at: Instant) -> Self {
        Self { value, at, window: Duration::default() }
    }
}

/// The clock and the settings that the groups depend on.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    /// The instant of the reconcile.
    pub now: Instant,
    /// `--horizontal-pod-autoscaler-cpu-initialization-period`.
    pub cpu_initialization_period: Duration,
    /// `--horizontal-pod-autoscaler-initial-readiness-delay`.
    pub initial_readiness_delay: Duration,
}

impl Clock {
    pub fn of(snapshot: &Snapshot) -> Self {
        Self {
            now: snapshot.taken_at,
            cpu_initialization_period: snapshot.controller.cpu_initialization_period.value,
            initial_readiness_delay: snapshot.controller.initial_readiness_delay.value,
        }
    }
}

/// Whether a pod's sample of a resource counts as it is, or of a Pods metric where there is no resource: the controller takes the
/// pod neither for unready nor for ignored.
pub(crate) fn counts_sample(snapshot: &Snapshot, resource: Option<&ResourceName>, pod: &Pod) -> bool {
    let sample = match (resource, &pod.usage) {
        (Some(_), Some(usage)) => Sample::of(usage, Milli(0)),
        (Some(_), None) => return false,
        (None, _) => Sample::timeless(Milli(0), snapshot.taken_at),
    };
    let clock = resource.is_some_and(watches_readiness).then(|| Clock::of(snapshot));
    matches!(group(pod, Ok(sample), clock), Group::Ready(_))
}

/// Sorts all pods. `sample` gives a pod's sample or why it is missing; only for cpu (`watches_readiness`) does a
/// pod's readiness matter. `request` gives a pod's request or why it lacks one, and `None` if requests have no part; the
/// pods that lack theirs are listed beside the groups.
///
/// Upstream walks over the pods twice (`groupPods`, `calculateRequests`). Here each is looked at once, because ten thousand
/// of them do not fit into a processor's cache.
pub(super) fn group_pods(
    pods: &[Pod],
    sample: impl Fn(usize, &Pod) -> Result<Sample, Missing>,
    mut request: impl FnMut(&Pod) -> Option<Result<Milli, RequestGapKind>>,
    foreign: Vec<Foreign>,
    readiness: Option<Clock>,
) -> (PodGroups, Vec<RequestGap>) {
    let mut gaps = Vec::new();
    let mut groups = PodGroups {
        pods: Vec::with_capacity(pods.len()),
        foreign,
        ready: 0,
        unready: 0,
        missing: 0,
        ignored: 0,
    };
    for (place, pod) in pods.iter().enumerate() {
        let sample = sample(place, pod);
        let group = group(pod, sample, readiness);
        groups.count(group);
        let request = request(pod).and_then(|request| match request {
            Ok(request) => Some(request),
            Err(kind) => {
                gaps.push(RequestGap { pod: place, kind });
                None
            }
        });
        let sample = sample.ok().map(|sample| sample.value);
        groups.pods.push(GroupedPod { group, request, sample });
    }
    (groups, gaps)
}

/// Whether a resource has the rules about readiness: only cpu.
pub(super) fn watches_readiness(resource: &ResourceName) -> bool {
    *resource == ResourceName::Cpu
}

fn group(pod: &Pod, sample: Result<Sample, Missing>, readiness: Option<Clock>) -> Group {
    // Upstream's order: a pod that is deleted, failed or pending is sorted out before anybody looks for its sample.
    if pod.deleting {
        return Group::Ignored(Ignored::Deleting);
    }
    match (pod.phase, sample) {
        (Phase::Failed, _) => Group::Ignored(Ignored::Failed),
        (Phase::Pending, _) => Group::Unready(Unready::Pending),
        (_, Err(missing)) => Group::Missing(missing),
        (_, Ok(sample)) => {
            readiness.map_or(Group::Ready(Ready::HasSample), |clock| settle(pod, sample, clock))
        }
    }
}

/// The cpu rules.
fn settle(pod: &Pod, sample: Sample, clock: Clock) -> Group {
    let Some(ready) = pod.ready else {
        return Group::Unready(Unready::NoReadyCondition);
    };
    let Some(started) = pod.started else {
        return Group::Unready(Unready::NoStartTime);
    };
    let until = started + clock.cpu_initialization_period;
    // Strictly after, as `Time.After`: at the very end of the period the later rule applies.
    if until > clock.now {
        return settle_early(ready, sample, until);
    }
    match ready.status {
        // Upstream has no record of earlier readiness. If Ready turned False within the delay after the start, it takes
        // the pod for one that was never ready; later, for one that was.
        ConditionStatus::False if started + clock.initial_readiness_delay > ready.since => {
            Group::Unready(Unready::NeverReady)
        }
        ConditionStatus::False => Group::Ready(Ready::WasReadyOnce),
        // Upstream compares with False only, so Ready=Unknown (a lost node) counts as ready.
        ConditionStatus::True | ConditionStatus::Unknown => Group::Ready(Ready::Settled),
    }
}

/// The cpu rules within the initialization period.
fn settle_early(ready: Readiness, sample: Sample, until: Instant) -> Group {
    let needed = ready.since + sample.window;
    if ready.status == ConditionStatus::False {
        Group::Unready(Unready::Initializing { until })
    } else if sample.at < needed {
        Group::Unready(Unready::SampleTooEarly { until, needed })
    } else {
        Group::Ready(Ready::SettledEarly)
    }
}

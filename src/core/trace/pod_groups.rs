//! Which pod counts as what: the controller's four sets, each pod with its reason (upstream `groupPods`).

use crate::model::{Instant, Milli};

/// The pods of one metric in their groups, in the snapshot's order, and samples that belong to no pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodGroups {
    /// One entry per pod of the snapshot.
    pub pods: Vec<GroupedPod>,
    /// Samples of pods that the selector does not match. They count in the number of samples, and in the mean of
    /// values; a utilization leaves them out of its sums.
    pub foreign: Vec<Foreign>,
    /// How many pods are ready.
    pub ready: usize,
    /// How many pods are unready.
    pub unready: usize,
    /// How many pods are missing.
    pub missing: usize,
    /// How many pods are ignored.
    pub ignored: usize,
}

impl PodGroups {
    /// Adds one to the count of a group.
    pub(crate) fn count(&mut self, group: Group) {
        match group {
            Group::Ready(_) => self.ready += 1,
            Group::Unready(_) => self.unready += 1,
            Group::Missing(_) => self.missing += 1,
            Group::Ignored(_) => self.ignored += 1,
        }
    }
}

/// One pod and what it counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupedPod {
    /// Its group, and why.
    pub group: Group,
    /// Its request; `None` if requests do not matter, or before they were read.
    pub request: Option<Milli>,
    /// Its sample, whether it counts or not.
    pub sample: Option<Milli>,
}

impl GroupedPod {
    /// What it counts for in the first pass: its sample, if it is ready.
    #[must_use]
    pub fn counted(&self) -> Option<Milli> {
        self.sample.filter(|_| matches!(self.group, Group::Ready(_)))
    }
}

/// A sample without a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// Its place in the snapshot's list of foreign samples.
    pub index: usize,
    /// Its value.
    pub sample: Milli,
}

/// The controller's four sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Counts with its sample.
    Ready(Ready),
    /// Its sample is left out; when scaling up, it counts as 0.
    Unready(Unready),
    /// Has no sample; counts with an assumed one.
    Missing(Missing),
    /// Is left out entirely.
    Ignored(Ignored),
}

/// Why a pod is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ready {
    /// It has a sample, and this metric requires nothing else.
    HasSample,
    /// cpu: in its initialization period, Ready, and the sample was taken entirely after it became Ready.
    SettledEarly,
    /// cpu: past its initialization period and not Ready=False.
    Settled,
    /// cpu: past its initialization period, Ready=False, but it was ready once.
    WasReadyOnce,
}

/// Why a pod is unready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unready {
    /// `status.phase` is Pending.
    Pending,
    /// cpu: it has no Ready condition.
    NoReadyCondition,
    /// cpu: it has no start time.
    NoStartTime,
    /// cpu: Ready=False in its initialization period, which ends then.
    Initializing {
        /// End of the period.
        until: Instant,
    },
    /// cpu: in its initialization period, and the sample reaches back before it became ready.
    SampleTooEarly {
        /// End of the period.
        until: Instant,
        /// From which sample time on it counts.
        needed: Instant,
    },
    /// cpu: Ready=False since a time within the initial readiness delay: it has never been ready.
    NeverReady,
}

/// Why a pod is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The metrics API returned nothing for it.
    NoSample,
    /// It returned the pod, but a container lacks the resource, or the container is not there.
    NoSuchUsage,
}

/// Why a pod is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ignored {
    /// It is being deleted.
    Deleting,
    /// It failed.
    Failed,
}

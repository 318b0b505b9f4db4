//! What a world does by itself.

use std::sync::Arc;

use super::load::Load;
use crate::model::Duration;
use crate::snapshot::Pod;

/// How a world goes on from a first sync. Times count from that sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// How many syncs there are, the first one included.
    pub syncs: usize,
    /// The time between two syncs: more than 0.
    pub sync_period: Duration,
    /// When metrics are read and seen.
    pub readings: Readings,
    /// What metrics show; of what is not here the first snapshot's answers stay.
    pub loads: Vec<Load>,
    /// What a new pod is made of; without it none is made.
    pub template: Option<Pod>,
    /// The delays of the pods that are created, one after the other and from the beginning again; none without any.
    pub delays: Vec<Delays>,
    /// How long a deleted pod is still listed.
    pub termination: Duration,
    /// What becomes of the first snapshot's pods.
    pub existing: Vec<Future>,
    /// A rolling update.
    pub rollout: Option<Rollout>,
}

/// When metrics are read and seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readings {
    /// The time between two readings, and the window of a sample: more than 0.
    pub resolution: Duration,
    /// The first reading: later than 0.
    pub first: Duration,
    /// How long after a reading its values are seen.
    pub lag: Duration,
    /// From which of a pod's readings on it has a sample.
    pub needed: usize,
}

/// How long after its creation a pod comes to each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    /// It has a node and a start time.
    pub scheduled: Duration,
    /// It runs, and is not ready.
    pub running: Duration,
    /// It is ready.
    pub ready: Duration,
}

/// What becomes of a pod of the first snapshot. What never comes is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Future {
    /// The pod's name.
    pub name: Arc<str>,
    /// It has a node and a start time, if it has none yet.
    pub scheduled: Option<Duration>,
    /// It runs, if it is Pending.
    pub running: Option<Duration>,
    /// It is ready, if it runs then.
    pub ready: Option<Duration>,
    /// It is no longer listed, if it is being deleted.
    pub gone: Option<Duration>,
    /// It has no sample any more.
    pub is_silent: bool,
    /// It is not the target's: it stays as it is, with its samples.
    pub is_foreign: bool,
}

/// A rolling update of a Deployment (`maxSurge`, `maxUnavailable`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rollout {
    /// When it begins: later than 0.
    pub at: Duration,
    /// How many pods there may be above the replicas.
    pub surge: Part,
    /// How many may be missing.
    pub unavailable: Part,
}

/// A number of pods, or a percentage of the replicas that there are at the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// So many.
    Pods(usize),
    /// So much of the replicas.
    Percent(usize),
}

impl Part {
    pub(super) fn rounded_up(self, replicas: usize) -> usize {
        match self {
            Self::Pods(pods) => pods,
            Self::Percent(percent) => (replicas * percent).div_ceil(100),
        }
    }

    pub(super) fn rounded_down(self, replicas: usize) -> usize {
        match self {
            Self::Pods(pods) => pods,
            Self::Percent(percent) => replicas * percent / 100,
        }
    }
}

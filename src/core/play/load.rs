//! What pods and objects are asked for, and how it shows in metrics.

use super::curve::Curve;
use crate::model::{Duration, Milli, ResourceName};

/// One amount that metrics show, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// Where it shows.
    pub measure: Measure,
    /// The whole of it where the curve is at 1,000,000, in milli-units; what arrives in a second, if there is a backlog.
    pub demand: Milli,
    /// How it changes.
    pub curve: Curve,
    /// Who has to do with it.
    pub spread: Spread,
    /// What a pod uses without any demand.
    pub idle: Milli,
    /// What a pod uses at most.
    pub ceiling: Option<Milli>,
    /// What a pod uses that is running and not ready yet.
    pub starting: Milli,
    /// If work that is not done stays.
    pub backlog: Option<Backlog>,
}

/// Where an amount shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// In what a container uses of a resource.
    Container {
        /// The container's name, in every pod that has it.
        container: Box<str>,
        /// The resource.
        resource: ResourceName,
    },
    /// In the answer about a metric of the spec, by its place; of type Pods, Object or External.
    Metric(usize),
}

/// Who has to do with a demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// The ready pods share it. A single value of it is the share of one pod.
    Shared,
    /// Each ready pod has all of it.
    Each,
    /// It is one value, whatever the pods do.
    Whole,
}

/// Work that waits: what arrives comes to it, what ready pods do goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// What waits at the first sync, in milli-units.
    pub start: Milli,
    /// What a ready pod does in a second, in milli-units.
    pub rate: Milli,
}

impl Load {
    /// What waits, a time after it was `before`.
    pub(super) fn backlog(
        &self,
        backlog: Backlog,
        before: i128,
        now: Duration,
        passed: i64,
        ready: i128,
    ) -> i128 {
        let within = |rate: i128| rate * i128::from(passed) / 1_000_000_000;
        let arrived = within(self.curve.demand(self.demand.0, now));
        (before + arrived - within(ready * i128::from(backlog.rate.0))).max(0)
    }

    /// The part that each of the ready pods has, and how many of them have one milli-unit more.
    pub(super) fn parts(&self, whole: i128, ready: i128) -> (i128, i128) {
        match self.spread {
            Spread::Each | Spread::Whole => (whole, 0),
            Spread::Shared => (whole / ready.max(1), whole % ready.max(1)),
        }
    }

    /// What a pod uses with a part of the demand.
    pub(super) fn used(&self, part: i128) -> Milli {
        self.capped(part + i128::from(self.idle.0))
    }

    pub(super) fn capped(&self, amount: i128) -> Milli {
        let amount = Milli(i64::try_from(amount).unwrap_or(i64::MAX));
        self.ceiling.map_or(amount, |ceiling| amount.min(ceiling))
    }
}

//! The totals of a run.

use crate::model::{Duration, Replicas, ResourceName};
use crate::snapshot::Snapshot;
use crate::trace::{Decision, MetricTrace, Proposal};

/// The totals of a run. Times are whole sync periods.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// How long it went on.
    pub time: Duration,
    /// Pods times time, in nanoseconds.
    pub pod_time: i128,
    /// The requests of those pods times time, in milli-units times nanoseconds: cpu, then memory.
    pub requested: [i128; 2],
    /// With a metric above its target.
    pub over_target: Duration,
    /// The longest of those times.
    pub longest_over_target: Duration,
    /// With a metric above its target by more than the tolerance.
    pub over_tolerance: Duration,
    /// Without a decision by the metrics: something is broken, paused or not known.
    pub undecided: Duration,
    /// At maxReplicas.
    pub at_max: Duration,
    /// At minReplicas.
    pub at_min: Duration,
    /// How often the replicas changed.
    pub rescales: usize,
    /// How often they turned from up to down or from down to up.
    pub flips: usize,
}

/// The totals so far, and what they hang on.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) totals: Totals,
    /// For how long a metric has been above its target.
    spell: Duration,
    /// True if the last change was up.
    last_up: Option<bool>,
}

impl Tally {
    /// Counts a decision for the time before it.
    pub(super) fn count(&mut self, snapshot: &Snapshot, length: Duration, decision: &Decision) {
        let add = |time: &mut Duration, is_so: bool| {
            if is_so {
                *time = time.plus(length);
            }
        };
        let totals = &mut self.totals;
        let is_over = proposals(decision).any(is_over_target);
        add(&mut totals.time, true);
        add(&mut totals.over_target, is_over);
        add(&mut totals.over_tolerance, proposals(decision).any(is_over_tolerance));
        add(&mut totals.undecided, decision.choice.is_none());
        self.spell = if is_over { self.spell.plus(length) } else { Duration::ZERO };
        totals.longest_over_target = totals.longest_over_target.max(self.spell);
        let nanoseconds = i128::from(length.nanoseconds());
        for pod in snapshot.pods.iter().flatten().filter(|pod| pod.is_active()) {
            totals.pod_time += nanoseconds;
            for (total, resource) in
                totals.requested.iter_mut().zip([ResourceName::Cpu, ResourceName::Memory])
            {
                *total += i128::from(pod.requested(&resource).unwrap_or_default().0) * nanoseconds;
            }
        }
        if let Ok(scale) = &snapshot.scale {
            add(&mut totals.at_max, scale.replicas >= snapshot.hpa.max);
            add(&mut totals.at_min, scale.replicas <= snapshot.hpa.min);
        }
    }

    /// Counts a change of the replicas.
    pub(super) fn rescaled(&mut self, from: Replicas, to: Replicas) {
        let is_up = to > from;
        self.totals.flips += usize::from(self.last_up.is_some_and(|last| last != is_up));
        self.last_up = Some(is_up);
        self.totals.rescales += 1;
    }
}

pub(super) fn proposals(decision: &Decision) -> impl Iterator<Item = &Proposal> {
    decision.metrics.iter().filter_map(MetricTrace::proposal)
}

fn is_over_target(proposal: &Proposal) -> bool {
    proposal.calculation.ratios().0.is_above()
}

fn is_over_tolerance(proposal: &Proposal) -> bool {
    is_over_target(proposal) && !proposal.tolerances.holds(proposal.calculation.ratios().0)
}

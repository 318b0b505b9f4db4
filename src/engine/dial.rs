//! One metric's usage as a dial: what would be proposed, were it another.

use super::arith::{count, within_int32};
use super::per_pod::Totals;
use super::total::{
    Usage, count_ready, propose_per_replica_of_external, propose_per_replica_of_object, propose_total,
};
use crate::model::{Milli, Replicas, Source, Tolerances};
use crate::snapshot::Snapshot;
use crate::trace::{Calculation, Decision, MetricTrace, PerReplica, Proposal, Total, Verdict};

/// The metrics of one decision, of which one can be set to another usage. The groups of the pods, their requests and
/// all else stay as they are.
#[derive(Clone, Debug)]
pub struct Dial {
    metrics: Vec<MetricTrace>,
    place: usize,
    usage: Milli,
    tolerances: Tolerances,
    current: Replicas,
    calculation: Recalculation,
}

/// What a proposal depends on besides the usage.
#[derive(Clone, Debug)]
enum Recalculation {
    PerPod(Totals),
    Total { made: Total, ready: Option<usize> },
    PerReplica { made: PerReplica, is_external: bool },
}

impl Dial {
    /// The dial of the metric at a place in a decision's list; `None` where it made no proposal.
    #[must_use]
    pub fn of(snapshot: &Snapshot, decision: &Decision, place: usize) -> Option<Self> {
        let trace = decision.metrics.get(place)?;
        let Verdict::Proposal(proposal) = &trace.verdict else { return None };
        let (usage, calculation) = match &proposal.calculation {
            Calculation::PerPod(per_pod) => {
                let totals = Totals::of(trace.census.as_ref()?, per_pod.measure);
                (totals.usage(), Recalculation::PerPod(totals))
            }
            Calculation::Total(made) => {
                let ready = snapshot.pods.as_ref().ok().and_then(|pods| count_ready(pods));
                (made.usage, Recalculation::Total { made: *made, ready })
            }
            Calculation::PerReplica(made) => {
                let source = &snapshot.hpa.metrics.get(trace.index)?.source;
                let is_external = matches!(source, Source::External(_));
                (made.usage, Recalculation::PerReplica { made: *made, is_external })
            }
        };
        Some(Self {
            metrics: decision.metrics.iter().map(MetricTrace::without_census).collect(),
            place,
            usage,
            tolerances: proposal.tolerances,
            current: snapshot.scale.as_ref().ok()?.replicas,
            calculation,
        })
    }

    /// The place of its metric in the decision's list.
    #[must_use]
    pub fn place(&self) -> usize {
        self.place
    }

    /// Where it stands: the sum of the samples that count, or the one value, in milli-units.
    #[must_use]
    pub fn usage(&self) -> Milli {
        self.usage
    }

    /// The largest usage up to which no step of the calculation leaves its integers.
    #[must_use]
    pub fn largest(&self) -> Milli {
        match &self.calculation {
            Recalculation::PerPod(totals) => totals.largest_usage(),
            Recalculation::Total { made, ready } => within_int32(made.target, ready.unwrap_or(1)),
            Recalculation::PerReplica { made, .. } => within_int32(made.target, 1),
        }
    }

    /// What the metric proposes at a usage; `None` where it fails.
    #[must_use]
    pub fn propose(&self, usage: Milli) -> Option<Proposal> {
        let (tolerances, current) = (self.tolerances, self.current);
        match &self.calculation {
            Recalculation::PerPod(totals) => totals.with_usage(usage).propose(tolerances, current).ok(),
            Recalculation::Total { made, ready } => {
                let usage = Usage { value: usage, series: made.series };
                propose_total(usage, made.target, tolerances, current, *ready).ok()
            }
            Recalculation::PerReplica { made, is_external } => {
                let usage = Usage { value: usage, series: made.series };
                Some(per_replica(*is_external)(usage, made.target, tolerances, made.replicas))
            }
        }
    }

    /// What the metric proposes when as many pods as there are replicas are ready and share its usage.
    #[must_use]
    pub fn shared_by(&self, replicas: Replicas) -> Option<Proposal> {
        let tolerances = self.tolerances;
        match &self.calculation {
            Recalculation::PerPod(totals) => totals.shared_by(replicas).propose(tolerances, replicas).ok(),
            Recalculation::Total { made, .. } => {
                let usage = Usage { value: made.usage, series: made.series };
                propose_total(usage, made.target, tolerances, replicas, Some(count(replicas))).ok()
            }
            Recalculation::PerReplica { made, is_external } => {
                let usage = Usage { value: made.usage, series: made.series };
                Some(per_replica(*is_external)(usage, made.target, tolerances, replicas))
            }
        }
    }

    /// All metrics, this one with another proposal.
    #[must_use]
    pub fn metrics_with(&self, proposal: Proposal) -> Vec<MetricTrace> {
        let mut metrics = self.metrics.clone();
        if let Some(trace) = metrics.get_mut(self.place) {
            trace.verdict = Verdict::Proposal(proposal);
        }
        metrics
    }
}

fn per_replica(is_external: bool) -> fn(Usage, Milli, Tolerances, Replicas) -> Proposal {
    if is_external { propose_per_replica_of_external } else { propose_per_replica_of_object }
}

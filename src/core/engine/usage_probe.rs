//! One metric's usage as a probe: what would be proposed, were it another.

use super::arith::{WHOLE, within_int32};
use super::per_pod::Totals;
use super::total::{Usage, count_ready, propose_per_replica, propose_total};
use crate::model::{Architecture, Milli, Replicas, Tolerances};
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::trace::{Calculation, Decision, MetricTrace, PerReplica, Proposal, Total, Verdict};

/// The metrics of one decision, one of which can be set to another usage. The groups of the pods, their requests and
/// everything else stay the same.
#[derive(Clone, Debug)]
pub struct UsageProbe {
    others: Others,
    index: usize,
    usage: Milli,
    tolerances: Tolerances,
    current: Replicas,
    rules: Rules,
    arch: Architecture,
    calculation: Recalculation,
}

/// What a proposal depends on besides the usage.
#[derive(Clone, Debug)]
enum Recalculation {
    PerPod(Totals),
    Total { made: Total, ready: Option<usize> },
    PerReplica(PerReplica),
}

impl UsageProbe {
    /// The probe of the metric at a place in a decision's list; `None` where it made no proposal.
    #[must_use]
    pub fn of(snapshot: &Snapshot, rules: &Rules, decision: &Decision, place: usize) -> Option<Self> {
        let trace = decision.metrics.get(place)?;
        let Verdict::Proposal(proposal) = &trace.verdict else { return None };
        let arch = snapshot.controller.architecture.value;
        let (usage, calculation) = match &proposal.calculation {
            Calculation::PerPod(per_pod) => {
                let totals = Totals::of(trace.groups.as_ref()?, per_pod.measure, rules, arch);
                (totals.usage(), Recalculation::PerPod(totals))
            }
            Calculation::Total(made) => {
                let ready = snapshot.pods.as_ref().ok().and_then(|pods| count_ready(pods));
                (made.usage, Recalculation::Total { made: *made, ready })
            }
            Calculation::PerReplica(made) => (made.usage, Recalculation::PerReplica(*made)),
        };
        Some(Self {
            others: Others::of(decision, place),
            index: trace.index,
            usage,
            tolerances: proposal.tolerances,
            current: snapshot.scale.as_ref().ok()?.replicas,
            rules: rules.clone(),
            arch,
            calculation,
        })
    }

    /// The current usage: the sum of the samples that count, or the one value, in milli-units.
    #[must_use]
    pub fn usage(&self) -> Milli {
        self.usage
    }

    /// The largest usage up to which no step of the calculation leaves its integers.
    #[must_use]
    pub fn largest(&self) -> Milli {
        match &self.calculation {
            Recalculation::PerPod(totals) => totals.largest_usage(),
            Recalculation::Total { made, ready } => within_int32(made.target, WHOLE, ready.unwrap_or(1)),
            Recalculation::PerReplica(made) => within_int32(made.target, WHOLE, 1),
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
                propose_total(usage, made.target, tolerances, current, *ready, (&self.rules, self.arch)).ok()
            }
            Recalculation::PerReplica(made) => {
                let usage = Usage { value: usage, series: made.series };
                Some(propose_per_replica(
                    usage,
                    made.target,
                    tolerances,
                    made.replicas,
                    made.is_capped,
                    self.arch,
                ))
            }
        }
    }

    /// The metrics that a decision needs, this one with another proposal: of the others those that can bear on the
    /// count.
    #[must_use]
    pub fn metrics_with(&self, proposal: Proposal) -> Vec<MetricTrace> {
        let own = MetricTrace { index: self.index, groups: None, verdict: Verdict::Proposal(proposal) };
        let Others { before, after } = &self.others;
        before.iter().cloned().chain([own]).chain(after.iter().cloned()).collect()
    }
}

/// The metrics before and after one.
#[derive(Clone, Debug)]
struct Others {
    before: Vec<MetricTrace>,
    after: Vec<MetricTrace>,
}

impl Others {
    /// All of them; or where no proposal is negative, so that the highest counts wherever it stands, that one and one
    /// that failed.
    fn of(decision: &Decision, place: usize) -> Self {
        let metrics = &decision.metrics;
        let others = || metrics.iter().enumerate().filter(|(other, _)| *other != place);
        if others().any(|(_, metric)| proposed(metric).is_some_and(|replicas| replicas < Replicas(0))) {
            let all = |metrics: &[MetricTrace]| metrics.iter().map(MetricTrace::without_groups).collect();
            return Self { before: all(&metrics[..place]), after: all(&metrics[place + 1..]) };
        }
        let failed = others().find(|(_, metric)| proposed(metric).is_none());
        let highest = others().max_by_key(|(_, metric)| proposed(metric));
        let highest = highest.filter(|(_, metric)| proposed(metric).is_some());
        let (before, after): (Vec<_>, Vec<_>) =
            failed.into_iter().chain(highest).partition(|(other, _)| *other < place);
        let bare = |kept: Vec<(usize, &MetricTrace)>| {
            kept.into_iter().map(|(_, metric)| metric.without_groups()).collect()
        };
        Self { before: bare(before), after: bare(after) }
    }
}

fn proposed(metric: &MetricTrace) -> Option<Replicas> {
    metric.proposal().map(|proposal| proposal.replicas)
}

//! What decided a change of the replicas.

use crate::trace::{Calculation, Code, Decision, Limited, MetricTrace, Proposal, Stabilized, TotalBasis};

/// What decided a change of the replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deciding {
    /// The window, policy or bound that bends the replicas last; without one what the deciding metric reads.
    pub code: Code,
    /// The deciding metric by its place in the spec, and what it reads; none if a bound decides before any metric is read.
    pub metric: Option<(usize, Code)>,
    /// The pods that the metric's ratio is multiplied by, or that its value is divided among.
    pub pods: Option<usize>,
}

impl Deciding {
    pub(super) fn of(decision: &Decision) -> Self {
        let winner = decision.choice.and_then(|choice| {
            let trace = decision.metrics.iter().find(|metric| metric.index == choice.winner)?;
            Some((trace, trace.proposal()?))
        });
        let reads = winner.map(|(MetricTrace { index, .. }, proposal)| (*index, proposal.code()));
        let code = bend(decision).or(reads.map(|(_, code)| code)).unwrap_or_else(|| decision.gate.code());
        Self { code, metric: reads, pods: winner.and_then(|(_, proposal)| multiplier(proposal)) }
    }
}

/// The last stage after the metrics that leaves other replicas than it is given.
fn bend(decision: &Decision) -> Option<Code> {
    let floor = decision.floor.filter(|floor| floor.before != floor.after).map(|_| Code::RaisedToMin);
    let limited = || decision.limited.as_ref().filter(|limited| limited.before != limited.after);
    let window = || decision.stabilized.as_ref().filter(|window| window.before != window.after);
    floor.or_else(|| limited().map(Limited::code)).or_else(|| window().map(Stabilized::code))
}

fn multiplier(proposal: &Proposal) -> Option<usize> {
    match &proposal.calculation {
        Calculation::PerPod(it) => Some(it.refill.map_or(it.first, |refill| refill.pass).multiplier),
        Calculation::Total(total) => match total.basis {
            TotalBasis::ReadyPods(ready) => Some(ready),
            TotalBasis::FromZero | TotalBasis::WithinTolerance => None,
        },
        Calculation::PerReplica(it) => usize::try_from(it.replicas.0).ok(),
    }
}

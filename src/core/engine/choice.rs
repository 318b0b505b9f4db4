//! The winner among the proposals (upstream `computeReplicasForMetrics`).

use crate::model::Replicas;
use crate::trace::{Choice, Failure, HoldReason, MetricTrace, Unread, Verdict};

/// Why no proposal wins.
pub(super) enum NoChoice {
    /// Invalid metrics keep the current replicas.
    Hold(HoldReason),
    /// What the controller read for a metric is not known.
    Unknown(Unread),
}

/// The highest proposal wins, of equal ones the first. As long as the best one is 0 the next one replaces it,
/// whatever it is. With an invalid metric the count may rise, but not fall; with none valid it stays.
pub(super) fn choose(metrics: &[MetricTrace], current: Replicas) -> Result<Choice, NoChoice> {
    let mut best: Option<(usize, Replicas)> = None;
    let mut invalid = 0;
    for metric in metrics {
        match &metric.verdict {
            Verdict::Unknown(unread) => return Err(NoChoice::Unknown(unread.clone())),
            Verdict::Failed(Failure::Crash) => return Err(NoChoice::Hold(HoldReason::Crash)),
            Verdict::Failed(_) => invalid += 1,
            Verdict::Proposal(proposal) => {
                let beaten = best.is_none_or(|(_, best)| best == Replicas(0) || proposal.replicas > best);
                best = if beaten { Some((metric.index, proposal.replicas)) } else { best };
            }
        }
    }
    match best {
        None => Err(NoChoice::Hold(HoldReason::AllMetricsInvalid)),
        Some((_, wanted)) if invalid > 0 && wanted < current => {
            Err(NoChoice::Hold(HoldReason::InvalidMetricBlocksDown))
        }
        Some((winner, before)) => Ok(Choice { winner, invalid, before, after: before.max(Replicas(0)) }),
    }
}

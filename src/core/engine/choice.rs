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
    // Upstream starts with an int32 of 0 and cannot tell that from a proposal of 0, so after a 0 any next proposal
    // wins.
    let mut best: Option<(usize, Replicas)> = None;
    let mut invalid = 0;
    for metric in metrics {
        match &metric.verdict {
            // An unread metric could win or, if it failed, block a scale-down: without it nothing is certain.
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
        // An invalid metric could have asked for more, so only a scale-down is blocked (since 1.21).
        Some((_, wanted)) if invalid > 0 && wanted < current => {
            Err(NoChoice::Hold(HoldReason::InvalidMetricBlocksDown))
        }
        // Upstream compares the result with a `desiredReplicas` that starts at 0, so a negative proposal becomes 0.
        Some((winner, before)) => Ok(Choice { winner, invalid, before, after: before.max(Replicas(0)) }),
    }
}

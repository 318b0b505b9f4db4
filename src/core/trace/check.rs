//! Laws of every decision, whatever was read: each release checks them, too.

use super::{Calculation, Decision, Gate, Limit, Measure, MetricTrace, PerPod, PodGroups, Stage};
use crate::model::Replicas;
use crate::snapshot::Hpa;

/// How a decision contradicts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A stage does not begin with the replicas that the stage before it gave, or the last one does not end at the
    /// outcome.
    #[error("a step does not go on from the step before it")]
    Chain,
    /// The outcome is not within `minReplicas` and `maxReplicas`, where these apply.
    #[error("the replicas are not within minReplicas and maxReplicas")]
    Bounds,
    /// The groups of a metric are not its pods, or a pass has more or fewer samples than its groups.
    #[error("the pods of a metric do not add up")]
    Pods,
}

impl Decision {
    /// Checks what holds for each decision on this HPA.
    ///
    /// # Errors
    /// It contradicts itself.
    pub fn check(&self, hpa: &Hpa) -> Result<(), Fault> {
        if !self.goes_on() {
            return Err(Fault::Chain);
        }
        if !self.is_within(hpa) {
            return Err(Fault::Bounds);
        }
        if !self.metrics.iter().all(adds_up) {
            return Err(Fault::Pods);
        }
        Ok(())
    }

    /// The chain law.
    fn goes_on(&self) -> bool {
        let chain = self.chain();
        chain.first().map(|link| link.before) == self.found()
            && chain.windows(2).all(|pair| pair[0].after == pair[1].before)
            && chain.iter().all(|link| link.stage != Stage::Outcome || link.before == link.after)
    }

    fn is_within(&self, hpa: &Hpa) -> bool {
        let Some(replicas) = self.desired() else { return true };
        match self.gate {
            Gate::NoScale(_) | Gate::Unknown(_) => false,
            Gate::Disabled => replicas == Replicas(0),
            Gate::AboveMax => replicas == hpa.max,
            Gate::BelowMin => replicas == hpa.min,
            Gate::Metrics => hpa.min <= replicas && replicas <= hpa.max || self.overflowed(),
            // Without a selector or a metric the HPA's own zero stays, even below a raised `minReplicas`.
            Gate::MetricsFromZero => Replicas(0) <= replicas && replicas <= hpa.max,
        }
    }

    /// True if twice the current replicas were more than an int32, which on amd64 wraps to a rate below zero.
    fn overflowed(&self) -> bool {
        let how = self.limited.as_ref().map(|limited| &limited.how);
        matches!(how, Some(Limit::Legacy { rate }) if *rate < Replicas(0))
    }
}

fn adds_up(metric: &MetricTrace) -> bool {
    let Some(groups) = &metric.groups else { return true };
    let calculation = metric.proposal().map(|proposal| &proposal.calculation);
    groups.ready + groups.unready + groups.missing + groups.ignored == groups.pods.len()
        && match calculation {
            Some(Calculation::PerPod(per_pod)) => has_samples_of(groups, per_pod),
            _ => true,
        }
}

/// True if each pass has the samples of the groups that count in it.
fn has_samples_of(groups: &PodGroups, per_pod: &PerPod) -> bool {
    let foreign = match per_pod.measure {
        Measure::Value(_) => groups.foreign.len(),
        Measure::Utilization(_) => 0,
    };
    let first = groups.ready + foreign;
    let refilled = per_pod.refill.as_ref().is_none_or(|refill| {
        let missing = refill.missing.map_or(0, |_| groups.missing);
        let unready = if refill.unready_as_zero { groups.unready } else { 0 };
        refill.pass.samples == first + missing + unready
    });
    per_pod.first.samples == first && refilled
}

//! A metric of the spec with what became of it.

use super::Explanation;
use crate::model::{MetricSpec, Replicas};
use crate::snapshot::Reading;
use crate::trace::{Failure, MetricTrace, Proposal, Verdict};

/// One metric of the spec with what became of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metric<'a> {
    /// As it is specified.
    pub spec: &'a MetricSpec,
    /// What the controller made of it.
    pub trace: &'a MetricTrace,
}

impl<'a> Metric<'a> {
    /// What it wants, where it could be read.
    #[must_use]
    pub fn proposal(self) -> Option<&'a Proposal> {
        self.trace.proposal()
    }
}

impl Explanation {
    /// The metrics that were asked, in spec order.
    pub fn metrics(&self) -> impl Iterator<Item = Metric<'_>> {
        let specs = &self.snapshot.hpa.metrics;
        let traces = self.decision().metrics.iter();
        traces.filter_map(|trace| Some(Metric { spec: specs.get(trace.index)?, trace }))
    }

    /// The metrics that failed, with why.
    pub fn failed(&self) -> impl Iterator<Item = (Metric<'_>, &Failure)> {
        self.metrics().filter_map(|metric| match &metric.trace.verdict {
            Verdict::Failed(failure) => Some((metric, failure)),
            Verdict::Proposal(_) | Verdict::Unknown(_) => None,
        })
    }

    /// Of those the ones that are at fault: at zero replicas a metric of pods has no value, and the others decide when there
    /// are pods again.
    pub fn faulty(&self) -> impl Iterator<Item = (Metric<'_>, &Failure)> {
        self.failed().filter(|(_, failure)| !self.sleeps(failure))
    }

    /// True if a metric fails only because its target sleeps.
    #[must_use]
    pub fn sleeps(&self, failure: &Failure) -> bool {
        let of_pods = failure.lacks_samples_of_pods() || *failure == Failure::NoPods;
        of_pods && self.current() == Some(Replicas(0)) && self.decision().choice.is_some()
    }

    /// The metric whose proposal was taken.
    #[must_use]
    pub fn winner(&self) -> Option<(Metric<'_>, &Proposal)> {
        let (trace, proposal) = self.decision().winner()?;
        Some((Metric { spec: self.snapshot.hpa.metrics.get(trace.index)?, trace }, proposal))
    }

    /// The metric that would be taken of those that work: the highest, but a proposal of 0 gives way to whatever follows it
    /// (upstream `computeReplicasForMetrics`).
    #[must_use]
    pub fn taken(&self) -> Option<(Metric<'_>, Replicas)> {
        let proposals = self.metrics().filter_map(|metric| Some((metric, metric.proposal()?.replicas)));
        proposals.reduce(|taken, next| if taken.1 == Replicas(0) || next.1 > taken.1 { next } else { taken })
    }

    /// The metrics that want as much as the winner, in spec order; empty where it is alone.
    #[must_use]
    pub fn tied(&self) -> Vec<Metric<'_>> {
        let Some((_, won)) = self.winner() else { return Vec::new() };
        let equal = |metric: &Metric<'_>| metric.proposal().is_some_and(|it| it.replicas == won.replicas);
        let tied: Vec<Metric<'_>> = self.metrics().filter(equal).collect();
        if tied.len() > 1 { tied } else { Vec::new() }
    }

    /// The name of the pod that a sample is of, of those samples that no matched pod has, by its place among them.
    #[must_use]
    pub fn foreign_name(&self, metric: Metric<'_>, place: usize) -> Option<&str> {
        match self.snapshot.readings.get(metric.trace.index)? {
            Reading::Pods(Ok(samples)) => samples.foreign.get(place).map(|(name, _)| &**name),
            Reading::Usage => self.snapshot.usages.as_ref().ok()?.foreign.get(place).map(|(name, _)| &**name),
            Reading::Pods(Err(_)) | Reading::Object(_) | Reading::External(_) | Reading::Absent => None,
        }
    }
}

//! What a renderer is given, and the short ways into it.

use crate::model::{Evidence, Instant, MetricSpec, Replicas};
use crate::rules::Rules;
use crate::snapshot::{Pod, Selection, Snapshot};
use crate::status::Report;
use crate::trace::{Decision, MetricTrace, Proposal, Verdict};

/// A decision with all that it came from: what every renderer gets, and all that it gets.
#[derive(Clone, Copy, Debug)]
pub struct Explanation<'a> {
    /// What the controller looked at.
    pub snapshot: &'a Snapshot,
    /// What it decided.
    pub decision: &'a Decision,
    /// What it says about that.
    pub report: &'a Report,
    /// The rules by which it decided.
    pub rules: &'a Rules,
}

/// One metric of the spec with what became of it.
#[derive(Clone, Copy)]
pub(in crate::render) struct Metric<'a> {
    pub spec: &'a MetricSpec,
    pub trace: &'a MetricTrace,
}

impl<'a> Metric<'a> {
    pub fn proposal(self) -> Option<&'a Proposal> {
        match &self.trace.verdict {
            Verdict::Proposal(proposal) => Some(proposal),
            Verdict::Failed(_) | Verdict::Unknown(_) => None,
        }
    }
}

impl<'a> Explanation<'a> {
    pub(in crate::render) fn now(self) -> Instant {
        self.snapshot.taken_at
    }

    /// `scale.spec.replicas`, where it is known.
    pub(in crate::render) fn current(self) -> Option<Replicas> {
        self.snapshot.scale.as_ref().ok().map(|scale| scale.replicas)
    }

    pub(in crate::render) fn pods(self) -> &'a [Pod] {
        self.snapshot.pods.as_deref().unwrap_or_default()
    }

    /// The metrics that were asked, in spec order.
    pub(in crate::render) fn metrics(self) -> impl Iterator<Item = Metric<'a>> {
        let specs = &self.snapshot.hpa.metrics;
        let traces = self.decision.metrics.iter();
        traces.filter_map(|trace| Some(Metric { spec: specs.get(trace.index)?, trace }))
    }

    /// The metric whose proposal was taken.
    pub(in crate::render) fn winner(self) -> Option<(Metric<'a>, &'a Proposal)> {
        let winner = self.decision.choice?.winner;
        let metric = self.metrics().find(|metric| metric.trace.index == winner)?;
        Some((metric, metric.proposal()?))
    }

    /// The target's selector as it is written.
    pub(in crate::render) fn selector(self) -> &'a str {
        match self.snapshot.scale.as_ref().map(|scale| &scale.selector) {
            Ok(Selection::Parsed { text, .. } | Selection::Invalid { text, .. }) => text,
            Ok(Selection::Missing) | Err(_) => "",
        }
    }

    /// `Deployment/web`.
    pub(in crate::render) fn target(self) -> String {
        let target = &self.snapshot.hpa.target;
        format!("{}/{}", target.kind, target.name)
    }

    /// Whether the controller's memory is known well enough to speak of it as a fact.
    pub(in crate::render) fn memory_is_known(self) -> bool {
        match self.snapshot.memory_evidence {
            Evidence::Given | Evidence::Observed | Evidence::Inferred => true,
            Evidence::Assumed | Evidence::Unknown => false,
        }
    }
}

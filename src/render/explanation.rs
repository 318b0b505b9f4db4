//! What a renderer is given, and the short ways into it.

use kubectl_hpa_core::advice::Advice;
use kubectl_hpa_core::model::{Evidence, Instant, MetricSpec, Recommendation, Replicas};
use kubectl_hpa_core::recall::{Limits, Recall, Reliance};
use kubectl_hpa_core::rules::{FromZero, Rules};
use kubectl_hpa_core::snapshot::{OtherHpa, Pod, Reading, Selection, Snapshot};
use kubectl_hpa_core::status::Report;
use kubectl_hpa_core::trace::{Decision, MetricTrace, Proposal, Stabilized, Verdict};
use kubectl_hpa_core::whatif::{Blame, Outlook};

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
    /// What the decision rests on where the controller's memory is not known ([`kubectl_hpa_core::recall::Answer`]).
    pub recall: Option<&'a Recall>,
    /// Lowest and highest replicas that such a memory leads to; `None` where the answer is exact.
    pub interval: Option<(Replicas, Replicas)>,
    /// What would change it.
    pub outlook: &'a Outlook,
    /// What to do about it.
    pub advice: &'a [Advice],
    /// Which single things it hangs on, where somebody asked.
    pub blame: Option<&'a Blame>,
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

    /// Whether the controller takes each zero for a pause, one that it scaled to itself as well.
    pub(super) fn never_wakes(self) -> bool {
        self.rules.from_zero == FromZero::Condition && !self.rules.scale_to_zero
    }

    /// Whether the controller has not reconciled this autoscaler before.
    pub(in crate::render) fn is_first_reconcile(self) -> bool {
        self.recall.is_some_and(|recall| recall.reliance.contains(&Reliance::NeverReconciled))
    }

    /// Lowest and highest replicas that are decided; equal where the answer is exact.
    pub(in crate::render) fn range(self) -> Option<(Replicas, Replicas)> {
        self.interval.or_else(|| self.decision.desired().map(|desired| (desired, desired)))
    }

    /// `scale.spec.replicas`, where it is known.
    pub(in crate::render) fn current(self) -> Option<Replicas> {
        self.snapshot.scale.as_ref().ok().map(|scale| scale.replicas)
    }

    pub(in crate::render) fn pods(self) -> &'a [Pod] {
        self.snapshot.pods.as_deref().unwrap_or_default()
    }

    /// The other autoscalers of the namespace, as far as they are known.
    pub(in crate::render) fn others(self) -> &'a [OtherHpa] {
        self.snapshot.others.as_deref().unwrap_or_default()
    }

    /// The metrics that were asked, in spec order.
    pub(in crate::render) fn metrics(self) -> impl Iterator<Item = Metric<'a>> {
        let specs = &self.snapshot.hpa.metrics;
        let traces = self.decision.metrics.iter();
        traces.filter_map(|trace| Some(Metric { spec: specs.get(trace.index)?, trace }))
    }

    /// Whether the metrics are worth a table: there are several, or one that has no pods to show.
    pub(in crate::render) fn has_metrics_table(self) -> bool {
        self.metrics().count() > 1 || self.metrics().any(|metric| metric.spec.outlives_pods())
    }

    /// The metric whose proposal was taken.
    pub(in crate::render) fn winner(self) -> Option<(Metric<'a>, &'a Proposal)> {
        let winner = self.decision.choice?.winner;
        let metric = self.metrics().find(|metric| metric.trace.index == winner)?;
        Some((metric, metric.proposal()?))
    }

    /// The metrics that want as much as the winner, in spec order; empty where it is alone.
    pub(in crate::render) fn tied(self) -> Vec<Metric<'a>> {
        let Some((_, won)) = self.winner() else { return Vec::new() };
        let equal = |metric: &Metric<'_>| metric.proposal().is_some_and(|it| it.replicas == won.replicas);
        let tied: Vec<Metric<'a>> = self.metrics().filter(equal).collect();
        if tied.len() > 1 { tied } else { Vec::new() }
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

    /// How the controller's memory is known.
    pub(in crate::render) fn remembered(self) -> Remembered {
        match (self.recall, self.interval, self.snapshot.memory_evidence) {
            (_, Some((low, high)), _) => Remembered::Bounded(low, high),
            (Some(_), None, _) => Remembered::Recalled,
            (None, None, Evidence::Given | Evidence::Observed | Evidence::Inferred) => Remembered::Known,
            (None, None, Evidence::Assumed | Evidence::Unknown) => Remembered::Unknown,
        }
    }

    /// Whether the count that stabilization left is a stand-in for a recommendation that nobody knows, and no number to
    /// be shown.
    pub(in crate::render) fn stands_in(self, stabilized: &Stabilized) -> bool {
        let Some(recall) = self.recall.filter(|_| stabilized.before != stabilized.after) else {
            return false;
        };
        let shown = recall.last_sync.filter(|sync| sync.limits == Limits::Within);
        !self.is_first_reconcile() && shown.is_none_or(|sync| sync.desired != stabilized.after)
    }

    /// Whether the rates were found with stand-ins for scale events that nobody knows.
    pub(in crate::render) fn imagines_events(self) -> bool {
        let is_bound = |it: &Reliance| {
            matches!(
                it,
                Reliance::NothingAboutScaleEvents
                    | Reliance::SizeBeforeUnknown(_)
                    | Reliance::ResizedByWhom(_)
            )
        };
        self.recall.is_some_and(|recall| recall.reliance.iter().any(is_bound))
    }

    /// Whether each single recommendation can be spoken of as a fact: also where there has been none yet.
    pub(in crate::render) fn memory_is_known(self) -> bool {
        self.remembered() == Remembered::Known || self.is_first_reconcile()
    }

    /// What the controller puts into an empty memory before it looks for anything in it (upstream
    /// `recordInitialRecommendation`): the current replicas.
    pub(in crate::render) fn initial(self) -> Option<Recommendation> {
        let is_empty = self.snapshot.memory.recommendations.is_empty() && self.memory_is_known();
        let replicas = self.current().filter(|_| is_empty && self.decision.stabilized.is_some())?;
        Some(Recommendation { replicas, at: self.now() })
    }
}

/// How the controller's memory is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::render) enum Remembered {
    /// Recommendation by recommendation.
    Known,
    /// Not itself, but every memory that agrees with what the API shows leads to this decision.
    Recalled,
    /// Not itself; those that agree with what the API shows lead to counts between these two.
    Bounded(Replicas, Replicas),
    /// Not at all, and nobody asked what it can be.
    Unknown,
}

/// The pod whose sample a foreign one is.
pub(in crate::render) fn foreign_name(
    explanation: Explanation<'_>,
    metric: Metric<'_>,
    index: usize,
) -> String {
    let name = match explanation.snapshot.readings.get(metric.trace.index) {
        Some(Reading::Pods(Ok(samples))) => samples.foreign.get(index).map(|(name, _)| name),
        Some(Reading::Usage) => explanation
            .snapshot
            .usages
            .as_ref()
            .ok()
            .and_then(|usages| usages.foreign.get(index))
            .map(|(name, _)| name),
        Some(Reading::Pods(Err(_)) | Reading::Object(_) | Reading::External(_) | Reading::Absent) | None => {
            None
        }
    };
    name.map_or_else(String::new, ToString::to_string)
}

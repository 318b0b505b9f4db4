//! Common questions about an explanation.

use super::Explanation;
use crate::attested::Attested;
use crate::causes::{ZeroOf, zero_of};
use crate::memory_bounds::{Limits, MemorySource, OpenWay};
use crate::model::{AllBut, Evidence, Instant, Replicas};
use crate::play::{Assumptions, Player, Unplayable};
use crate::rules::{FromZero, Rules};
use crate::snapshot::{OtherHpa, Pod};
use crate::trace::{LimitReason, Outcome, Stabilized};
use crate::whatif::counted;

impl Explanation {
    /// When the controller looked.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.snapshot.taken_at
    }

    /// Whose the zero replicas are at which the controller stops.
    #[must_use]
    pub fn zero_of(&self) -> ZeroOf {
        zero_of(&self.snapshot, &self.rules)
    }

    /// Whether the controller takes each zero for a pause, one that it scaled to itself as well.
    #[must_use]
    pub fn never_wakes(&self) -> bool {
        self.rules.from_zero == FromZero::Condition && !self.rules.scale_to_zero
    }

    /// The version of an API server that refuses to write this HPA because its minReplicas is 0. It keeps one that is stored.
    #[must_use]
    pub fn zero_refused_by(&self) -> Option<&str> {
        let controller = &self.snapshot.controller;
        let version = controller.api_server.as_deref().unwrap_or(&controller.version.value);
        let accepts = Rules::accepts_zero(version, &controller.feature_gates).unwrap_or(true);
        (self.snapshot.hpa.min == Replicas(0) && !accepts).then_some(version)
    }

    /// The sources of the bounds of its memory; none if the memory is known.
    pub fn memory_sources(&self) -> impl Iterator<Item = MemorySource> + '_ {
        self.memory_bounds().into_iter().flat_map(|bounds| &bounds.sources).copied()
    }

    /// Whether the controller has not reconciled this HPA before.
    #[must_use]
    pub fn is_first_reconcile(&self) -> bool {
        self.memory_sources().any(|it| it == MemorySource::NeverReconciled)
    }

    /// Whether what the controller reads could not be read, so that nothing is decided.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        matches!(self.decision().outcome, Outcome::Unknown(_))
    }

    /// Lowest and highest replicas that are decided; equal where the answer is exact.
    #[must_use]
    pub fn range(&self) -> Option<(Replicas, Replicas)> {
        self.answer().range()
    }

    /// `scale.spec.replicas`, if it is known: also if only the controller cannot read it.
    #[must_use]
    pub fn current(&self) -> Option<Replicas> {
        let read = self.snapshot.scale.as_ref().ok().or(self.attested().scale.as_ref());
        read.map(|scale| scale.replicas)
    }

    /// What the controller's own words show of its reads, its writes and its rivals.
    #[must_use]
    pub fn attested(&self) -> &Attested {
        &self.answer().attested
    }

    /// The interval, if it is the memory that leaves it open: of a decision that is carried out or would be.
    #[must_use]
    pub fn remembered_interval(&self) -> Option<(Replicas, Replicas)> {
        self.interval().filter(|_| self.answer().is_of_memory).or(self.answer().asked)
    }

    /// Whether it is not known which replicas come, and the memory is not all that leaves them open.
    #[must_use]
    pub fn is_in_doubt(&self) -> bool {
        self.interval().is_some() && !self.attested().is_empty()
    }

    /// Whether the target has as many replicas as are asked for, and how many.
    #[must_use]
    pub fn complete(&self) -> Option<Replicas> {
        let scale = self.snapshot.scale.as_ref().ok()?;
        (scale.observed == scale.replicas).then_some(scale.replicas)
    }

    /// Whether the replicas stay while the load does, whatever the controller remembers: they are all there, the decision is to
    /// keep them, and none follows.
    #[must_use]
    pub fn is_stable(&self) -> bool {
        let is_kept = self.complete().is_some_and(|replicas| self.range() == Some((replicas, replicas)));
        let projection = self.projection();
        is_kept && projection.is_known && projection.steps.is_empty() && !projection.goes_on
    }

    /// The pods that the selector matches; empty where they are not known.
    #[must_use]
    pub fn pods(&self) -> &[Pod] {
        self.snapshot.pods.as_deref().unwrap_or_default()
    }

    /// How many pods the deciding metric counts; `None` if it counts none.
    #[must_use]
    pub fn counted_pods(&self) -> Option<usize> {
        counted(&self.snapshot, self.decision()).map(|places| places.len())
    }

    /// True if the metrics want more replicas below their target, or fewer above it: they count other pods than the replicas.
    #[must_use]
    pub fn goes_against_load(&self) -> bool {
        let Some((current, (_, proposal))) = self.current().zip(self.winner()) else { return false };
        let (ratio, _) = proposal.calculation.ratios();
        ratio.is_below() && proposal.replicas > current || ratio.is_above() && proposal.replicas < current
    }

    /// The other HPAs of the namespace, as far as they are known.
    pub fn others(&self) -> impl Iterator<Item = &OtherHpa> {
        self.snapshot.others.iter().flat_map(AllBut::iter)
    }

    /// The target's selector as it is written.
    #[must_use]
    pub fn selector(&self) -> &str {
        self.snapshot.selector_text()
    }

    /// `Deployment/web`.
    #[must_use]
    pub fn target(&self) -> String {
        let target = &self.snapshot.hpa.target;
        format!("{}/{}", target.kind, target.name)
    }

    /// How the controller's memory is known.
    #[must_use]
    pub fn remembered(&self) -> Remembered {
        match (self.memory_bounds(), self.remembered_interval(), self.snapshot.memory_evidence) {
            (_, Some((low, high)), _) => Remembered::Bounded(low, high),
            (Some(_), None, _) => Remembered::BoundsAgree,
            (None, None, Evidence::Given | Evidence::Observed | Evidence::Inferred) => Remembered::Known,
            (None, None, Evidence::Assumed | Evidence::Unknown) => Remembered::Unknown,
        }
    }

    /// The stages of the decision that hang on a memory that is not known.
    #[must_use]
    pub const fn open_way(&self) -> OpenWay {
        self.answer.open_way
    }

    /// The rate or bound that limits the count, if that is known.
    #[must_use]
    pub fn limit_reason(&self) -> Option<LimitReason> {
        self.decision().limited.as_ref().filter(|_| !self.open_way().limit).map(|limited| limited.reason)
    }

    /// Whether the stabilized count is a placeholder for an unknown recommendation, and not a number to show.
    #[must_use]
    pub fn stands_in(&self, stabilized: &Stabilized) -> bool {
        let Some(bounds) = self.memory_bounds().filter(|_| stabilized.before != stabilized.after) else {
            return false;
        };
        let shown = bounds.last_sync.filter(|sync| sync.limits == Limits::Within);
        !self.is_first_reconcile() && shown.is_none_or(|sync| sync.desired != stabilized.after)
    }

    /// Whether the rates were computed with placeholders for unknown scale events.
    #[must_use]
    pub fn imagines_events(&self) -> bool {
        let is_bound = |it: &MemorySource| {
            it.hides_rescales()
                || matches!(it, MemorySource::SizeBeforeUnknown(_) | MemorySource::ResizedByWhom(_))
        };
        self.memory_bounds().is_some_and(|bounds| {
            let (loose, tight) = (&bounds.loosest, &bounds.tightest);
            let same = loose.scale_ups == tight.scale_ups && loose.scale_downs == tight.scale_downs;
            !same || bounds.sources.iter().any(is_bound)
        })
    }

    /// What is to come, by what is assumed of it. It begins with the decision, and goes on from the memory of the decision.
    ///
    /// # Errors
    /// It cannot be played.
    pub fn player(&self, assumptions: &Assumptions) -> Result<Player<'_>, Unplayable> {
        Player::start(self.snapshot.clone(), assumptions.world(&self.snapshot)?, &self.rules)
    }
}

/// How the controller's memory is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remembered {
    /// Recommendation by recommendation.
    Known,
    /// Not known, but every memory that agrees with the API's evidence leads to this decision.
    BoundsAgree,
    /// Not known; the memories that agree with the API's evidence lead to counts between these two.
    Bounded(Replicas, Replicas),
    /// Not at all, and nobody asked what it can be.
    Unknown,
}

//! Two decisions side by side: whether they are the same, where they first differ, and what follows from the
//! difference.

mod changes;
mod effect;
mod first_difference;
mod later;
mod net_effect;
mod regrouped;
mod unanswered;
mod upgrade;
mod versions;

pub use changes::{ChangeCause, ChangeSource, Look, ReplicaChange, Trail};
pub use effect::{Effect, Pair, Span, Totals};
pub use first_difference::FirstDifference;
pub use later::{Foreseen, Later, Precaution, Situation};
pub use net_effect::{NetEffect, Requested};
pub use regrouped::{CountedAs, RegroupedPod};
pub use unanswered::Unanswered;
pub use upgrade::Upgrade;
pub use versions::{Difference, Extent, Neighbors, Versions};

use crate::explanation::Explanation;
use crate::model::Replicas;
use crate::trace::SelectorVerdict;

/// A decision as it is, and a second one to compare it with.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    /// As it is; `None` where the HPA is not there yet.
    pub now: Option<&'a Explanation>,
    /// As it would be.
    pub then: &'a Explanation,
}

/// How two decisions compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The same is decided.
    Same,
    /// Something else is decided.
    Different,
    /// Nobody can say: a side is not known, or only its bounds are, and both sides may come to the same or not.
    Unknown,
}

impl<'a> Sides<'a> {
    /// Two decisions on one world.
    #[must_use]
    pub fn of(now: &'a Explanation, then: &'a Explanation) -> Self {
        Self { now: Some(now), then }
    }

    /// The version of the API server that refuses the proposed minReplicas 0, unless such a server has stored it.
    #[must_use]
    pub fn zero_refused_by(&self) -> Option<&'a str> {
        self.then.zero_refused_by().filter(|_| self.now.is_none_or(|now| now.zero_refused_by().is_none()))
    }

    /// Whether nothing is decided on some side, because what the controller reads could not be read.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.then.is_unknown() || self.now.is_some_and(Explanation::is_unknown)
    }

    /// Whether the same is decided, as far as that is known.
    #[must_use]
    pub fn comparison(&self) -> Comparison {
        if self.is_unknown() {
            return Comparison::Unknown;
        }
        let is_exact = |it: &Explanation| it.interval().is_none();
        match (self.is_same(), is_exact(self.then) && self.now.is_none_or(is_exact)) {
            (true, true) => Comparison::Same,
            (false, true) => Comparison::Different,
            (true, false) if self.takes_memory_alike() => Comparison::Same,
            (_, false) if self.is_apart() => Comparison::Different,
            (_, false) => Comparison::Unknown,
        }
    }

    /// Whether no number of replicas is possible on both sides.
    fn is_apart(&self) -> bool {
        let current = |it: Replicas| (it, it);
        let now = self.now.map_or_else(|| self.then.current().map(current), Explanation::range);
        let (Some(now), Some(then)) = (now, self.then.range()) else { return false };
        now.1 < then.0 || then.1 < now.0
    }

    /// Whether everything between the metrics and the outcome is the same on both sides, whatever the controller
    /// remembers.
    fn takes_memory_alike(&self) -> bool {
        let Some(now) = self.now else { return false };
        let sides = [now, self.then];
        let [now, then] = sides.map(|it| &it.snapshot().hpa);
        let [wanted, wanted_then] = sides.map(|it| it.decision().choice.map(|choice| choice.after));
        let [scale, scale_then] = sides.map(|it| &it.snapshot().scale);
        let [window, window_then] = sides.map(|it| it.snapshot().controller.downscale_stabilization.value);
        let [rules, rules_then] = sides.map(Explanation::rules);
        let bounds = [now, then].map(|hpa| (hpa.min, hpa.max));
        now.behavior == then.behavior
            && (bounds[0] == bounds[1] || sides.into_iter().all(Self::is_within))
            && (wanted, window) == (wanted_then, window_then)
            && scale == scale_then
            && (rules.rate_events, rules.scale_up_factor)
                == (rules_then.rate_events, rules_then.scale_up_factor)
            && (rules.from_zero, rules.scale_to_zero) == (rules_then.from_zero, rules_then.scale_to_zero)
    }

    /// Whether neither minReplicas nor maxReplicas bears on what is decided, whatever the controller remembers.
    fn is_within(side: &Explanation) -> bool {
        let hpa = &side.snapshot().hpa;
        let inside = |it: Replicas| Replicas(0) < hpa.min && hpa.min < it && it < hpa.max;
        side.current().is_some_and(inside)
            && side.range().is_some_and(|(low, high)| inside(low) && inside(high))
    }

    /// Whether the same is decided; of an HPA that is not there yet: whether the replicas stay as they are.
    #[must_use]
    pub fn is_same(&self) -> bool {
        let Some(now) = self.now else {
            return self.then.current().is_some_and(|current| self.then.range() == Some((current, current)));
        };
        let decisions = [now.decision(), self.then.decision()];
        let [selector, selector_then] =
            decisions.map(|it| it.selector.as_ref().and_then(SelectorVerdict::code));
        let [outcome, outcome_then] = decisions.map(|it| it.outcome.code());
        (now.range(), outcome, selector) == (self.then.range(), outcome_then, selector_then)
    }
}

//! Where two decisions part.

use super::Sides;
use crate::explanation::{Explanation, Step};
use crate::model::{Replicas, Source};
use crate::trace::Stage;

/// A step on both sides; `None` where a side has come to its end.
#[derive(Clone, Copy, Debug)]
pub struct FirstDifference<'a> {
    place: usize,
    /// Its place among all steps of a side; past the last where a side has come to its end.
    places: [usize; 2],
    /// As it is.
    pub now: Option<Step<'a>>,
    /// As it would be.
    pub then: Option<Step<'a>>,
}

/// What a step that belongs to a metric is about.
fn source<'a>(step: &Step<'a>) -> Option<&'a Source> {
    step.metric.map(|metric| &metric.spec.source)
}

/// Whether the same is done: the same branch from the same count to the same, or with the same numbers.
fn does_as(one: &Step<'_>, other: &Step<'_>) -> bool {
    let same_numbers = || source(one) == source(other) && one.detail.has_numbers_of(&other.detail);
    one.code == other.code && one.link == other.link && (one.link.is_some() || same_numbers())
}

/// Whether the same is done on both sides, or nothing any more.
fn both_do(one: Option<&Step<'_>>, other: Option<&Step<'_>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => does_as(one, other),
        (None, None) => true,
        _ => false,
    }
}

impl<'a> Sides<'a> {
    /// Whether each step is the same.
    #[must_use]
    pub fn goes_the_same_way(&self) -> bool {
        self.now.is_some() && self.earliest_difference().is_none()
    }

    /// Whether a second pair first differs at the same step, and does there what this one does.
    #[must_use]
    pub fn parts_as(&self, other: &Sides<'_>) -> bool {
        match (self.earliest_difference(), other.earliest_difference()) {
            (Some(one), Some(other)) => {
                one.place == other.place && both_do(one.then.as_ref(), other.then.as_ref())
            }
            _ => false,
        }
    }

    /// The first step that differs.
    #[must_use]
    pub fn earliest_difference(&self) -> Option<FirstDifference<'a>> {
        let (now, then) = (self.now?.steps(), self.then.steps());
        let place =
            (0..now.len().max(then.len())).find(|place| !both_do(now.get(*place), then.get(*place)))?;
        Some(FirstDifference {
            place,
            places: [place; 2],
            now: now.get(place).copied(),
            then: then.get(place).copied(),
        })
    }

    /// The first step with another outcome. Steps that come to the same on both sides are passed over: the gate, if it
    /// goes the same way from the same count, and all steps of a metric that wants the same. If all come to the same, the
    /// first step with other numbers.
    #[must_use]
    pub fn first_difference(&self) -> Option<FirstDifference<'a>> {
        let steps = [self.now?.steps(), self.then.steps()];
        // From another count every step counts from another one: that is the first difference, not what follows.
        let gate =
            |steps: &[Step<'_>], side: &Explanation| (steps.first().map(|gate| gate.code), side.current());
        let goes_on = gate(&steps[0], self.now?) == gate(&steps[1], self.then);
        let passes = |step: &Step<'_>| step.stage == Stage::Gate && goes_on;
        let wants_the_same = |step: &Step<'_>| {
            let Some(metric) = source(step) else { return false };
            let wanted = steps.each_ref().map(|steps| wants(steps, metric));
            !wanted[0].is_empty() && wanted[0] == wanted[1]
        };
        first_open(&steps, |step| passes(step) || wants_the_same(step)).or_else(|| first_open(&steps, passes))
    }

    /// The step of each side that its outcome comes of, where the outcomes differ and not by the first other step alone.
    #[must_use]
    pub fn deciding(&self) -> Option<[Step<'a>; 2]> {
        let difference = self.first_difference().filter(|_| !self.is_same())?;
        let last = |explanation: &'a Explanation| {
            explanation.steps().into_iter().enumerate().rfind(|(_, it)| !it.changes_nothing())
        };
        let (now, then) = (last(self.now?)?, last(self.then)?);
        let is_later = now.0 > difference.places[0] || then.0 > difference.places[1];
        is_later.then_some([now.1, then.1])
    }
}

/// What the metrics of a source want.
fn wants(steps: &[Step<'_>], metric: &Source) -> Vec<Option<(Replicas, Replicas)>> {
    let endings = steps.iter().filter(|it| it.stage == Stage::Replicas && source(it) == Some(metric));
    endings.map(|it| it.link).collect()
}

/// The first step that differs, among those that are not skipped.
fn first_open<'a>(
    steps: &[Vec<Step<'a>>; 2],
    skips: impl Fn(&Step<'a>) -> bool,
) -> Option<FirstDifference<'a>> {
    let places = steps.each_ref().map(|steps| {
        let open = steps.iter().enumerate().filter(|(_, step)| !skips(step));
        open.map(|(place, _)| place).collect::<Vec<_>>()
    });
    (0..places[0].len().max(places[1].len())).find_map(|place| {
        let [now, then] = [0, 1].map(|side: usize| {
            let place = places[side].get(place).copied().unwrap_or(steps[side].len());
            (place, steps[side].get(place).copied())
        });
        let is_other = now.1.is_none() || !both_do(now.1.as_ref(), then.1.as_ref());
        is_other.then_some(FirstDifference { place, places: [now.0, then.0], now: now.1, then: then.1 })
    })
}

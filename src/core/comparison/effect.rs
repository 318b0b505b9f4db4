//! What a change comes to in numbers: for one HPA, and for many together.

use super::{Comparison, Sides};
use crate::explanation::Explanation;
use crate::model::{Replicas, ResourceName};

/// The lowest and the highest number that is possible; the same where it is known. Wider than what is counted, so that no sum
/// overflows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The lowest.
    pub low: i128,
    /// The highest.
    pub high: i128,
}

/// What there is as it is, and as it would be.
pub type Pair = [Span; 2];

/// What a change comes to for one HPA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The replicas after this sync.
    pub next: Pair,
    /// The replicas where they settle while the load stays, if that is known of both sides.
    pub settled: Option<Pair>,
    /// What all replicas of [`Self::replicas`] request, in thousandths of a cpu; `None` if the pods of a side do not all
    /// request the same.
    pub cpu: Option<Pair>,
    /// The same in thousandths of a byte.
    pub memory: Option<Pair>,
}

/// What a change comes to for many HPAs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many there are.
    pub hpas: usize,
    /// The replicas of all.
    pub replicas: Pair,
    /// Of so many HPAs these are the replicas after this sync: where they settle is not known.
    pub unsettled: usize,
    /// The cpu of those that it is known of.
    pub cpu: Pair,
    /// Of so many HPAs it is not known.
    pub without_cpu: usize,
    /// The memory of those that it is known of.
    pub memory: Pair,
    /// Of so many HPAs it is not known.
    pub without_memory: usize,
}

impl Span {
    /// A number that is known.
    #[must_use]
    pub fn exactly(number: impl Into<i128>) -> Self {
        let number = number.into();
        Self { low: number, high: number }
    }

    /// Whether the number is known.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.low == self.high
    }

    fn of((low, high): (Replicas, Replicas)) -> Self {
        Self { low: low.0.into(), high: high.0.into() }
    }

    fn times(self, each: i64) -> Self {
        let ends = [self.low, self.high].map(|end| end.saturating_mul(each.into()));
        Self { low: ends[0].min(ends[1]), high: ends[0].max(ends[1]) }
    }

    fn plus(self, other: Self) -> Self {
        Self { low: self.low.saturating_add(other.low), high: self.high.saturating_add(other.high) }
    }
}

impl Sides<'_> {
    /// What the change comes to; `None` where nothing is decided on some side.
    #[must_use]
    pub fn effect(&self) -> Option<Effect> {
        let current = |it: Replicas| (it, it);
        let now = self.now.map_or_else(|| self.then.current().map(current), Explanation::range);
        let next = [now?, self.then.range()?].map(Span::of);
        let settled = self.ends().map(|ends| ends.map(|end| Span::exactly(end.0)));
        let replicas = settled.unwrap_or(next);
        let requests = |resource: &ResourceName| {
            let [now, then] = self.requested_each(resource);
            Some([replicas[0].times(now?.0), replicas[1].times(then?.0)])
        };
        let (cpu, memory) = (requests(&ResourceName::Cpu), requests(&ResourceName::Memory));
        Some(Effect { next, settled, cpu, memory })
    }

    /// Whether another number is decided now, or else the replicas are known to settle elsewhere.
    #[must_use]
    pub fn sooner_or_later(&self) -> Comparison {
        match (self.comparison(), self.ends()) {
            (Comparison::Same, Some([now, then])) if now != then => Comparison::Different,
            (comparison, _) => comparison,
        }
    }

    /// Whether the next syncs may lead elsewhere with the change, or in other steps.
    #[must_use]
    pub fn may_differ_later(&self) -> bool {
        let steps = &self.then.projection().steps;
        self.makes_a_difference() != Comparison::Same
            || self.now.is_some_and(|now| now.projection().steps != *steps)
    }

    /// Whether the change makes a difference, now or where the replicas settle. Where that is not known, a decision that is the
    /// same now may differ later.
    #[must_use]
    pub fn makes_a_difference(&self) -> Comparison {
        let goes_on = |it: &Explanation| !it.decision().outcome.is_stopped();
        let may_differ = || goes_on(self.then) && self.now.is_none_or(goes_on);
        match (self.comparison(), self.ends()) {
            (Comparison::Different, _) => Comparison::Different,
            (_, Some([now, then])) if now != then => Comparison::Different,
            (Comparison::Same, None) if may_differ() => Comparison::Unknown,
            (comparison, _) => comparison,
        }
    }
}

impl Effect {
    /// The replicas where they settle; where that is not known, those after this sync.
    #[must_use]
    pub fn replicas(&self) -> Pair {
        self.settled.unwrap_or(self.next)
    }
}

impl Totals {
    /// The sums of what is known.
    #[must_use]
    pub fn of<'a>(effects: impl Iterator<Item = &'a Effect>) -> Self {
        let mut totals = Self::default();
        for effect in effects {
            totals.hpas += 1;
            totals.unsettled += usize::from(effect.settled.is_none());
            totals.without_cpu += usize::from(effect.cpu.is_none());
            totals.without_memory += usize::from(effect.memory.is_none());
            totals.replicas = both(totals.replicas, effect.replicas());
            totals.cpu = both(totals.cpu, effect.cpu.unwrap_or_default());
            totals.memory = both(totals.memory, effect.memory.unwrap_or_default());
        }
        totals
    }
}

fn both(one: Pair, other: Pair) -> Pair {
    [one[0].plus(other[0]), one[1].plus(other[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effect(next: [(i128, i128); 2], settled: Option<[i128; 2]>, cpu: Option<i64>) -> Effect {
        let next = next.map(|(low, high)| Span { low, high });
        let settled = settled.map(|ends| ends.map(Span::exactly));
        let replicas = settled.unwrap_or(next);
        Effect { next, settled, cpu: cpu.map(|each| replicas.map(|it| it.times(each))), memory: None }
    }

    #[test]
    fn a_sum_of_intervals_is_an_interval_and_what_is_not_known_is_counted() {
        let effects = [
            effect([(10, 10), (10, 10)], Some([10, 7]), Some(100)),
            effect([(4, 8), (3, 8)], None, Some(1_000)),
            effect([(2, 2), (5, 5)], Some([2, 6]), None),
        ];
        let totals = Totals::of(effects.iter());
        assert_eq!(totals.replicas, [Span { low: 16, high: 20 }, Span { low: 16, high: 21 }]);
        assert_eq!(totals.cpu, [Span { low: 5_000, high: 9_000 }, Span { low: 3_700, high: 8_700 }]);
        assert_eq!((totals.hpas, totals.unsettled), (3, 1));
        assert_eq!((totals.without_cpu, totals.without_memory), (1, 3));
    }

    #[test]
    fn no_sum_overflows() {
        let most = i128::from(i32::MAX);
        let effects = vec![effect([(most, most); 2], Some([most, most]), Some(i64::MAX)); 10_000];
        let totals = Totals::of(effects.iter());
        assert_eq!(totals.cpu[0], Span::exactly(most * i128::from(i64::MAX) * 10_000));
        assert_eq!(totals.replicas[1], Span::exactly(most * 10_000));
    }
}

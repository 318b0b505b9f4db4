//! Ranges of recommendations, and what shows them.

use crate::model::{Instant, Recommendation, Replicas};

/// Lowest and highest recommendation.
pub(super) type ReplicaRange = (Replicas, Replicas);

/// Any recommendation is possible.
pub(super) const ANY: ReplicaRange = (Replicas(0), Replicas(i32::MAX));

/// The range of every recommendation that the controller can remember, in steps: a recommendation up to an instant lies
/// in that step's range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Steps(Vec<(Instant, ReplicaRange)>);

impl Steps {
    /// One range for everything up to now.
    pub fn all(now: Instant, range: ReplicaRange) -> Self {
        Self(vec![(now, range)])
    }

    /// Any recommendation up to an instant, one range from then on.
    pub fn since(at: Instant, now: Instant, range: ReplicaRange) -> Self {
        if at >= now { Self::all(now, ANY) } else { Self(vec![(at, ANY), (now, range)]) }
    }

    /// The intersection. If the two contradict each other, neither is believed.
    pub fn and(&self, other: &Self) -> Self {
        let mut ends: Vec<Instant> = self.0.iter().chain(&other.0).map(|(end, _)| *end).collect();
        ends.sort_unstable();
        ends.dedup();
        let both = |end: Instant| {
            let (one, two) = (self.at(end), other.at(end));
            let both = (one.0.max(two.0), one.1.min(two.1));
            (end, if both.0 <= both.1 { both } else { ANY })
        };
        Self(ends.into_iter().map(both).collect())
    }

    /// The range of a recommendation made at an instant.
    fn at(&self, at: Instant) -> ReplicaRange {
        self.0.iter().find(|(end, _)| at <= *end).map_or(ANY, |(_, range)| *range)
    }

    /// The same if nothing was recommended after an instant.
    pub fn until(mut self, last: Instant) -> Self {
        for (end, _) in &mut self.0 {
            *end = last.min(*end);
        }
        self
    }

    /// The recommendations with the most effect: both ends of each step, as late as possible.
    pub fn extremes(&self) -> impl Iterator<Item = Recommendation> {
        let both = |(at, (low, high)): &(Instant, ReplicaRange)| {
            [*low, *high].map(|replicas| Recommendation { replicas, at: *at })
        };
        self.0.iter().flat_map(both)
    }
}

/// A recommendation that is certainly in the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Certain {
    pub range: ReplicaRange,
    /// It is not older than this.
    pub earliest: Instant,
    pub by: RecommendationSource,
}

/// Evidence of a recommendation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecommendationSource {
    /// The time of a condition.
    Status,
    /// A rescale: the recommendation was at or beyond the size that it led to.
    Rescale,
    /// The very first sync, which records the current replicas.
    First,
}

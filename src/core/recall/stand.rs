//! The time during which one status stands, and the syncs that leave it standing.

use super::mark::{Bounds, Mark};
use crate::model::{Duration, Evidence, Instant};
use crate::snapshot::{Controller, Recommended};

/// An instant that is known to lie between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Between {
    pub earliest: Instant,
    pub latest: Instant,
}

/// How far apart two syncs of one autoscaler are (upstream `FixedItemIntervalRateLimiter`: never less than the sync period,
/// counted from the end of the one before).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    pub shortest: Duration,
    pub longest: Duration,
}

impl Pace {
    /// A busy controller may be half a period late. Where nobody knows the period, it may be a fourth or the double of
    /// the default.
    pub fn of(controller: &Controller) -> Self {
        let period = controller.sync_period.value.nanoseconds();
        let (shortest, longest) = match controller.sync_period.evidence {
            Evidence::Given | Evidence::Observed | Evidence::Inferred => (period, period),
            Evidence::Assumed | Evidence::Unknown => (period / 4, period.saturating_mul(2)),
        };
        let longest = longest.saturating_add(longest / 2);
        Self { shortest: Duration::from_nanoseconds(shortest), longest: Duration::from_nanoseconds(longest) }
    }
}

/// A status that stands, or stood.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stand {
    pub mark: Mark,
    /// When its first sync was; of a status that stood already, long ago.
    pub first: Between,
    /// From when on syncs that leave it can be counted on.
    pub certain_from: Instant,
    /// What it tells of its syncs' recommendation by itself; `None` where they make none.
    pub told: Option<Bounds>,
    /// What the looks tell that saw what leads to it; `None` where none did.
    pub seen: Option<Bounds>,
}

impl Stand {
    /// The last sync that left it, where the next one that did not was at an instant, or none was until then.
    pub fn ended(&self, next: Between, is_sync: bool, pace: Pace) -> Option<Recommended> {
        let (lowest, highest) = self.bounds()?;
        // The sync before the next one came a period earlier; where there is no next one, it may be about to come.
        let latest = if is_sync { next.latest - pace.shortest } else { next.latest };
        let earliest = (next.earliest - pace.longest).max(self.reached(next.earliest, pace));
        let (earliest, latest) = (earliest.max(self.first.earliest), latest.max(self.first.latest));
        let is_certain = earliest >= self.certain_from;
        Some(Recommended { lowest, highest, earliest: earliest.min(latest), latest, is_certain })
    }

    /// What its syncs recommend: what was seen, as far as the status agrees.
    fn bounds(&self) -> Option<Bounds> {
        let (told, seen) = (self.told?, self.seen.unwrap_or(self.told?));
        let both = (told.0.max(seen.0), told.1.min(seen.1));
        Some(if both.0 <= both.1 { both } else { told })
    }

    /// From its first sync on they come at least so often that the last of them cannot have been before this.
    fn reached(&self, next: Instant, pace: Pace) -> Instant {
        let (stood, longest) =
            (next.since(self.first.latest).nanoseconds(), pace.longest.nanoseconds().max(1));
        let syncs = (stood.saturating_sub(1)).max(0) / longest;
        self.first.earliest + Duration::from_nanoseconds(pace.shortest.nanoseconds().saturating_mul(syncs))
    }
}

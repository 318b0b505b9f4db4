//! The time between two syncs of one HPA.

use crate::model::{Duration, Evidence};
use crate::snapshot::Controller;

/// Shortest and longest time from one sync to the next (upstream `FixedItemIntervalRateLimiter`: never less than the
/// sync period, counted from the end of the previous sync).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    pub shortest: Duration,
    /// From the begin of one to the begin of the next.
    pub longest: Duration,
    /// A look that takes longer shows an API server that may be as slow for the controller.
    pub slow: Duration,
}

/// How late a busy controller may be even if the period is short.
const LATE: Duration = Duration::from_nanoseconds(2_000_000_000);
/// A look that takes no longer is not slow, however short the period is.
const QUICK: Duration = Duration::from_nanoseconds(250_000_000);

/// The longest time from one sync to the next in that period: a busy controller may be half of it late, or two seconds if that
/// is longer.
#[must_use]
pub fn longest_wait(period: Duration) -> Duration {
    let late = (period.nanoseconds() / 2).max(LATE.nanoseconds());
    Duration::from_nanoseconds(period.nanoseconds().saturating_add(late))
}

impl Pace {
    /// If the period is not known, it may be a quarter or twice the default. The longest time is two periods: a sync may be half
    /// a period late, after one that took as long.
    pub fn of(controller: &Controller) -> Self {
        let period = controller.sync_period.value.nanoseconds();
        let (shortest, longest) = match controller.sync_period.evidence {
            Evidence::Given | Evidence::Observed | Evidence::Inferred => (period, period),
            Evidence::Assumed | Evidence::Unknown => (period / 4, period.saturating_mul(2)),
        };
        let late = longest.max(LATE.nanoseconds());
        Self {
            shortest: Duration::from_nanoseconds(shortest),
            longest: Duration::from_nanoseconds(longest.saturating_add(late)),
            slow: Duration::from_nanoseconds(shortest / 6).max(QUICK),
        }
    }
}

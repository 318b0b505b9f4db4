//! The time between two syncs of one HPA.

use crate::model::{Duration, Evidence};
use crate::snapshot::Controller;

/// Shortest and longest time from one sync to the next (upstream `FixedItemIntervalRateLimiter`: never less than the
/// sync period, counted from the end of the previous sync).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    pub shortest: Duration,
    pub longest: Duration,
}

impl Pace {
    /// A busy controller may be half a period late. If the period is not known, it may be a quarter or twice the
    /// default.
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

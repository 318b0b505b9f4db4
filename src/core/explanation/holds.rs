//! What keeps the count from what the metrics want, as [`causes`](crate::causes) finds it.

use super::Explanation;
use crate::causes;
use crate::model::{Duration, Recommendation};
use crate::trace::{Direction, Stabilized};

impl Explanation {
    /// The direction that the metrics want and `selectPolicy: Disabled` forbids ([`causes::disabled`]).
    #[must_use]
    pub fn disabled(&self) -> Option<Direction> {
        causes::disabled(&self.snapshot, self.decision())
    }

    /// Whether each single recommendation can be spoken of as a fact ([`causes::is_memory_known`]).
    #[must_use]
    pub fn memory_is_known(&self) -> bool {
        causes::is_memory_known(&self.snapshot, &self.answer)
    }

    /// The recommendation with which a first reconcile begins ([`causes::initial`]).
    #[must_use]
    pub fn initial(&self) -> Option<Recommendation> {
        causes::initial(&self.snapshot, &self.answer)
    }

    /// The recommendations that are young enough to count ([`causes::in_window`]).
    #[must_use]
    pub fn in_window(&self, window: Duration) -> Vec<Recommendation> {
        causes::in_window(&self.snapshot, &self.answer, window)
    }

    /// The recommendation with which the hold ends ([`causes::holder`]).
    #[must_use]
    pub fn holder(&self, stabilized: &Stabilized) -> Option<Recommendation> {
        causes::holder(&self.snapshot, &self.answer, stabilized)
    }
}

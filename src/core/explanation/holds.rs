//! What keeps the count from what the metrics want: a window and what is remembered in it, or a direction that is disabled.

use super::Explanation;
use crate::model::{Duration, Instant, Recommendation, Replicas, SelectPolicy};
use crate::trace::{Direction, Stabilized};

impl Explanation {
    /// The direction that the metrics want and `selectPolicy: Disabled` forbids, whatever window holds the count as well.
    #[must_use]
    pub fn disabled(&self) -> Option<Direction> {
        let behavior = self.snapshot.hpa.behavior.as_ref()?;
        let wanted = self.decision().choice?.after;
        let (direction, rules) = match wanted.cmp(&self.current()?) {
            std::cmp::Ordering::Greater => (Direction::Up, &behavior.up),
            std::cmp::Ordering::Less => (Direction::Down, &behavior.down),
            std::cmp::Ordering::Equal => return None,
        };
        (rules.select == SelectPolicy::Disabled).then_some(direction)
    }

    /// The recommendations that are young enough to count, the one included with which a first reconcile begins.
    #[must_use]
    pub fn in_window(&self, window: Duration) -> Vec<Recommendation> {
        let cutoff = self.now() - window;
        let legacy = self.snapshot.hpa.behavior.is_none();
        let counts = |at: Instant| if legacy { at >= cutoff } else { at > cutoff };
        let mut all = self.snapshot.memory.recommendations.clone();
        all.extend(self.initial());
        all.retain(|recommendation| counts(recommendation.at));
        all
    }

    /// The recommendation with which the hold ends: the youngest of those that are as far off as what was held. `None`
    /// where nothing holds.
    #[must_use]
    pub fn holder(&self, stabilized: &Stabilized) -> Option<Recommendation> {
        let holds = |replicas: Replicas| match stabilized.after.cmp(&stabilized.before) {
            std::cmp::Ordering::Greater => replicas >= stabilized.after,
            std::cmp::Ordering::Less => replicas <= stabilized.after,
            std::cmp::Ordering::Equal => false,
        };
        let earlier = self.in_window(stabilized.window()).into_iter();
        earlier
            .filter(|recommendation| holds(recommendation.replicas))
            .max_by_key(|recommendation| recommendation.at)
    }
}

//! Whether the controller's event recorder can have dropped an event, by those that it let pass.
//!
//! It begins with [`BURST`] tokens for each object (and type, in newer versions), takes one for each event, and gets one
//! back every [`REFILL`]; without a token it drops the event (client-go `EventSourceObjectSpamFilter`).

use super::past::SECOND;
use crate::model::{Duration, Instant};
use crate::snapshot::{Emitted, Snapshot};

const BURST: i128 = 25;
const REFILL: Duration = Duration::from_nanoseconds(300_000_000_000);
/// For how long the API server keeps an event (`--event-ttl`).
const KEPT: Duration = Duration::from_nanoseconds(3_600_000_000_000);

/// The events about one object that one process let pass.
pub(super) struct Recorder {
    emitted: Vec<Emitted>,
    /// All events since this instant are known, if none was dropped.
    from: Instant,
    /// How many tokens there were then, at least.
    tokens: i128,
}

impl Recorder {
    pub fn of_hpa(snapshot: &Snapshot) -> Self {
        let created = snapshot.hpa.created;
        let is_own = |it: &&Emitted| created.is_none_or(|created| created <= it.last);
        let emitted = snapshot.signs.emitted.iter().filter(is_own).copied().collect();
        Self::of(snapshot, emitted, created)
    }

    /// Of HPAs of the same name that were there before this one.
    pub fn of_earlier(snapshot: &Snapshot, created: Instant) -> Self {
        let is_earlier = |it: &&Emitted| it.first <= created;
        let emitted = snapshot.signs.emitted.iter().filter(is_earlier).copied().collect();
        Self::of(snapshot, emitted, None)
    }

    /// `None` if the events are not known.
    pub fn of_target(snapshot: &Snapshot) -> Option<Self> {
        let target = &snapshot.signs.target;
        Some(Self::of(snapshot, target.emitted.clone()?, target.created))
    }

    fn of(snapshot: &Snapshot, emitted: Vec<Emitted>, created: Option<Instant>) -> Self {
        let started = snapshot.controller.started.as_ref().map(|it| it.value);
        let horizon = snapshot.taken_at - KEPT;
        match started.max(created) {
            Some(fresh) if fresh > horizon => Self { emitted, from: fresh, tokens: BURST },
            _ => Self { emitted, from: horizon, tokens: 0 },
        }
    }

    /// Since when it is known what was emitted.
    pub fn from(&self) -> Instant {
        self.from
    }

    /// Whether none can have been dropped between two instants.
    pub fn dropped_none(&self, since: Instant, until: Instant) -> bool {
        let times = self.emitted.iter().flat_map(|it| [it.first, it.last]);
        let inside = times.filter(|at| since <= *at && *at < until);
        let mut starts = std::iter::once(since).chain(inside);
        starts.all(|at| self.had_tokens(at) || self.passes_soon(at))
    }

    /// Whether there was a token at an instant, by all that can have been taken before.
    fn had_tokens(&self, at: Instant) -> bool {
        let gained = at.since(self.from).nanoseconds().max(0) / REFILL.nanoseconds();
        let taken = self.emitted.iter().filter(|it| it.last >= self.from).map(|it| taken_before(it, at));
        self.tokens + i128::from(gained) - taken.sum::<i128>() >= 1
    }

    /// Whether two events passed within a refill after an instant: so there was more than one token then.
    fn passes_soon(&self, at: Instant) -> bool {
        let normal = self.emitted.iter().filter(|it| it.is_normal);
        let times = normal.flat_map(|it| if it.count > 1 { vec![it.first, it.last] } else { vec![it.last] });
        let mut later: Vec<Instant> = times.filter(|time| *time > at).collect();
        later.sort();
        later.get(1).is_some_and(|second| *second + SECOND <= at + REFILL)
    }
}

/// How many of the equal events may have come up to an instant: at least the last one has not if it is later.
fn taken_before(it: &Emitted, at: Instant) -> i128 {
    if it.first > at {
        return 0;
    }
    i128::from(if it.last > at { it.count - 1 } else { it.count })
}

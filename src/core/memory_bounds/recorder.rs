//! Whether the controller's event recorder can have dropped an event, judged by the events that it sent.
//!
//! It begins with [`BURST`] tokens for each object (and type, in newer versions), uses one for each event, and gets one
//! back every [`REFILL`]. Without a token it drops the event (client-go `EventSourceObjectSpamFilter`).

use super::second::SECOND;
use std::collections::BTreeMap;

use crate::model::{Duration, Evidence, Instant};
use crate::rules::Rules;
use crate::snapshot::{Emitted, Snapshot};

const BURST: i128 = 25;
/// More than can be sent in an hour.
const MANY: usize = 100;
const REFILL: Duration = Duration::from_nanoseconds(300_000_000_000);

/// The events that may use up the tokens for one type of event about one object, and those that show that tokens were
/// left.
pub(super) struct Recorder {
    taking: Vec<Emitted>,
    passing: Vec<Emitted>,
    /// Events before this instant may be gone: expired, or deleted by somebody.
    gone: Instant,
    /// All events since this instant are known, unless one was dropped.
    from: Instant,
    /// How many tokens there were then, at least.
    tokens: i128,
}

/// The type of event that is asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Normal,
    Warning,
}

impl Recorder {
    /// Of rescales of this HPA.
    pub fn of_hpa(snapshot: &Snapshot) -> Self {
        Self::of_own(snapshot, Type::Normal)
    }

    /// Of failures of this HPA.
    pub fn of_failures(snapshot: &Snapshot) -> Self {
        Self::of_own(snapshot, Type::Warning)
    }

    fn of_own(snapshot: &Snapshot, of: Type) -> Self {
        let created = snapshot.hpa.created;
        let is_own = |it: &&Emitted| created.is_none_or(|created| created <= it.last);
        Self::of(snapshot, snapshot.history.emitted.iter().filter(is_own).copied().collect(), created, of)
    }

    /// Of rescales of HPAs of the same name that were there before this one.
    pub fn of_earlier(snapshot: &Snapshot, created: Instant) -> Self {
        let is_earlier = |it: &&Emitted| it.first <= created;
        let emitted = snapshot.history.emitted.iter().filter(is_earlier).copied().collect();
        Self::of(snapshot, emitted, None, Type::Normal)
    }

    /// Of sizes of the target. `None` if its events are not known.
    pub fn of_target(snapshot: &Snapshot) -> Option<Self> {
        let target = &snapshot.history.target;
        Some(Self::of(snapshot, target.emitted.clone()?, target.created, Type::Normal))
    }

    fn of(snapshot: &Snapshot, emitted: Vec<Emitted>, created: Option<Instant>, of: Type) -> Self {
        let started = snapshot.controller.started_at();
        let gone = deleted(snapshot).unwrap_or(Instant::ZERO).max(expired(snapshot));
        let (from, tokens) = match started.max(created) {
            Some(fresh) if fresh > gone => (fresh, BURST),
            _ => (gone, 0),
        };
        let is_of = |it: &&Emitted| it.is_normal == (of == Type::Normal);
        let of_type: Vec<Emitted> = emitted.iter().filter(is_of).copied().collect();
        let (taking, passing) = match types_apart(snapshot) {
            Some(true) => (of_type.clone(), of_type),
            Some(false) => (emitted.clone(), emitted),
            None => (emitted, of_type),
        };
        Self { taking, passing, gone, from, tokens }
    }

    /// Since when it is known what was emitted.
    pub fn from(&self) -> Instant {
        self.from
    }

    /// Whether none can have been dropped between two instants, nor be gone. (More than [`MANY`] are not looked through.)
    pub fn dropped_none(&self, since: Instant, until: Instant) -> bool {
        let may_be_gone = self.from == self.gone && since < self.gone;
        if may_be_gone || self.taking.len() > MANY {
            return false;
        }
        let times = self.taking.iter().flat_map(|it| [it.first, it.last]);
        let inside = times.filter(|at| since <= *at && *at < until);
        // There are fewest just after one was taken.
        let mut starts = std::iter::once((since, since)).chain(inside.map(|at| (at, at + SECOND)));
        starts.all(|(at, after)| self.had_tokens(after) || self.passes_soon(at))
    }

    /// Whether there was a token at an instant. There were at least as many as are left of those that there were at some earlier
    /// instant, none or more, unless more than [`BURST`] had been gained meanwhile. (An event that is dropped takes none.)
    fn had_tokens(&self, at: Instant) -> bool {
        let times = || self.taking.iter().flat_map(|it| [it.first, it.last]);
        let left = |tokens: i128, since: Instant| {
            let gained = at.since(since).nanoseconds().max(0) / REFILL.nanoseconds();
            let taken: i128 = self.taking.iter().map(|it| taken_between(it, since, at)).sum();
            tokens + i128::from(gained) - taken
        };
        let is_enough = |since: Instant, tokens: i128| {
            let mut full = times().filter(|time| since <= *time && *time < at);
            left(tokens, since) >= 1 && full.all(|time| left(BURST, time) >= 1)
        };
        let mut empty = times().map(|time| time + SECOND).filter(|since| self.from <= *since && *since < at);
        is_enough(self.from, self.tokens) || empty.any(|since| is_enough(since, 0))
    }

    /// Whether two events passed within a refill after an instant: so there was more than one token then.
    fn passes_soon(&self, at: Instant) -> bool {
        let times = self
            .passing
            .iter()
            .flat_map(|it| if it.count > 1 { vec![it.first, it.last] } else { vec![it.last] });
        let mut later: Vec<Instant> = times.filter(|time| *time > at).collect();
        later.sort_unstable();
        later.get(1).is_some_and(|second| *second + SECOND <= at + REFILL)
    }
}

/// An event that was last written before this instant may have expired.
pub(super) fn expired(snapshot: &Snapshot) -> Instant {
    snapshot.taken_at - snapshot.controller.event_ttl.value
}

/// Up to when somebody has deleted events, or they cannot be read; `None` if nothing shows that. An event that is emitted again after that is stored
/// anew. And that of the last rescale should still be there, or one as old, whether the status tells of it or an earlier HPA may
/// have made it.
pub(super) fn deleted(snapshot: &Snapshot) -> Option<Instant> {
    let (history, last) = (&snapshot.history, snapshot.hpa.status.last_scale_time);
    if history.error.is_some() {
        return Some(snapshot.taken_at);
    }
    let all = || history.emitted.iter().chain(history.target.emitted.iter().flatten());
    let again = all().filter(|it| it.count > 1 && it.stored > it.first + SECOND).map(|it| it.stored).max();
    let oldest = history.emitted.iter().map(|it| it.stored).min();
    let last = last.or(snapshot.hpa.created.filter(|_| is_strange(snapshot)));
    let last = last.filter(|last| history.has_events && *last > expired(snapshot));
    let is_missing = last.is_some_and(|last| oldest.is_none_or(|oldest| oldest > last + SECOND));
    again.max(is_missing.then(|| oldest.unwrap_or(snapshot.taken_at)))
}

/// Whether each type has tokens of its own; `None` if the version is not known.
fn types_apart(snapshot: &Snapshot) -> Option<bool> {
    let version = &snapshot.controller.version;
    let rules = Rules::for_version(&version.value, &BTreeMap::new()).ok()?;
    (version.evidence < Evidence::Assumed).then_some(rules.drops_types_apart)
}

/// How many of the equal events may have come from one instant on and before another: of those that began before, or ended
/// after, one less.
fn taken_between(it: &Emitted, since: Instant, until: Instant) -> i128 {
    if it.last < since || it.first >= until {
        return 0;
    }
    let outside = i32::from(it.first < since) + i32::from(it.last >= until);
    i128::from((it.count - outside).max(0))
}

/// Whether the controller has set the target's replicas, and by its status not for this HPA.
pub(super) fn is_strange(snapshot: &Snapshot) -> bool {
    let setters = &snapshot.history.target.setters;
    setters.iter().any(|set| set.by_controller) && snapshot.hpa.status.last_scale_time.is_none()
}

//! The times between looks, and the syncs that may have happened in them.

use super::range::ReplicaRange;
use std::collections::VecDeque;

use super::pace::Pace;
use crate::model::{Duration, Instant, Replicas};
use crate::snapshot::Recommended;

/// From a look to a later one: a time in which a sync happened, or may have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub from: Instant,
    pub to: Instant,
    /// What a sync in it recommended; `None` if nothing.
    pub range: Option<ReplicaRange>,
    /// Whether a sync certainly happened: it wrote another status.
    pub has_written: bool,
    /// What it may have recorded in addition, as the very first sync.
    pub found: Option<Replicas>,
}

impl Span {
    /// Whether the syncs of the next span are indistinguishable from those of this one.
    fn goes_on_in(&self, next: &Self) -> bool {
        self.range == next.range && !self.has_written && !next.has_written && next.from <= self.to
    }
}

/// Spans, oldest first, without those in which no sync happened.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    all: VecDeque<Span>,
    /// From when on a sync happened whenever one was due.
    steady_since: Instant,
    /// From when on no span is missing.
    kept_since: Instant,
}

impl Spans {
    pub fn since(since: Instant) -> Self {
        Self { all: VecDeque::new(), steady_since: since, kept_since: since }
    }

    pub fn push(&mut self, span: Span) {
        match self.all.back_mut() {
            Some(last) if last.goes_on_in(&span) => last.to = span.to,
            _ => self.all.push_back(span),
        }
    }

    pub fn steady_since(&self) -> Instant {
        self.steady_since
    }

    /// From when on each sync that was due lies in one of these spans.
    fn watched_since(&self) -> Instant {
        self.steady_since.max(self.kept_since)
    }

    /// Whether no sync has recommended anything yet.
    pub fn recommend_nothing(&self) -> bool {
        self.all.iter().all(|span| span.range.is_none())
    }

    /// Notes that the controller may not have synced until then.
    pub fn paused_until(&mut self, until: Instant) {
        self.steady_since = self.steady_since.max(until);
    }

    pub fn forget_before(&mut self, instant: Instant) {
        while self.all.front().is_some_and(|span| span.to < instant) {
            self.all.pop_front();
            self.kept_since = self.kept_since.max(instant);
        }
    }

    /// Whether a sync is so overdue that one must have happened, although none can have.
    pub fn lack_one(&self, now: Instant, pace: Pace) -> bool {
        let overdue = now - pace.longest;
        overdue >= self.watched_since() && !self.near(pace).iter().any(|span| span.to >= overdue)
    }

    /// All possible recommendations, each at its latest time.
    pub fn possible(&self, pace: Pace) -> Vec<Recommended> {
        let near = self.near(pace);
        let both = |span: &Span| span.found.map(|found| (found, found)).into_iter().chain(span.range);
        latest_of_each(near.iter().flat_map(|span| both(span).map(|range| recommended(range, span.to))))
    }

    /// The certain recommendations, each at its earliest time: in any time as long as the longest sync interval there
    /// was a sync.
    pub fn certain(&self, now: Instant, pace: Pace) -> Vec<Recommended> {
        let near = self.near(pace);
        let watched_since = self.watched_since();
        let known = near.iter().filter(|span| span.has_written && span.from >= self.steady_since);
        let mut windows: Vec<(Instant, Instant)> = Vec::new();
        for (at, span) in near.iter().enumerate() {
            let next = near[at + 1..].iter().find(|it| it.has_written);
            // Right before a known sync, the previous one was at least the shortest interval earlier.
            let until =
                next.filter(|next| next.to - pace.shortest <= span.to).map_or(span.to, |next| next.from);
            let from = if span.has_written { span.from } else { until - pace.longest };
            windows.push((from, span.to));
        }
        windows.push((now - pace.longest, now));
        let certain = windows.into_iter().filter_map(|(from, to)| {
            let reached = known.clone().filter(|it| it.to <= to).map(|it| reached(it, to, pace)).max();
            let from = reached.map_or(from, |reached| reached.max(from));
            let is_within = |span: &&Span| span.to >= from && (span.from < to || span.to == to);
            let within: Vec<&Span> = near.iter().filter(is_within).collect();
            let is_watched = from >= watched_since || within.iter().any(|span| span.has_written);
            let earliest = within.iter().map(|span| span.from).min()?.max(from);
            let range =
                within.iter().map(|span| span.range).reduce(|one, other| Some(widen(one?, other?)))??;
            is_watched.then(|| recommended(range, earliest))
        });
        latest_of_each(certain)
    }

    /// What is left of each span next to the known syncs: two syncs are never nearer than the period.
    fn near(&self, pace: Pace) -> Vec<Span> {
        let mut near: Vec<Span> = self.all.iter().copied().collect();
        let mut after = None;
        for span in &mut near {
            span.from = after.map_or(span.from, |after| span.from.max(after));
            after = if span.has_written { Some(span.from + pace.shortest) } else { after };
        }
        let mut before = None;
        for span in near.iter_mut().rev() {
            span.to = before.map_or(span.to, |before| span.to.min(before));
            before = if span.has_written { Some(span.to - pace.shortest) } else { before };
        }
        near.retain(|span| span.from <= span.to);
        near
    }
}

/// From a known sync on, syncs are so frequent that the last one until an instant was not before this.
fn reached(known: &Span, until: Instant, pace: Pace) -> Instant {
    let syncs = until.since(known.to).nanoseconds() / pace.longest.nanoseconds().max(1);
    known.from + Duration::from_nanoseconds(pace.shortest.nanoseconds().saturating_mul(syncs))
}

fn recommended((lowest, highest): ReplicaRange, at: Instant) -> Recommended {
    Recommended { lowest, highest, at }
}

/// The smallest range that includes both.
pub(super) fn widen(one: ReplicaRange, other: ReplicaRange) -> ReplicaRange {
    (one.0.min(other.0), one.1.max(other.1))
}

/// Of equal ones in a row, the latest: the others have no further effect.
fn latest_of_each(all: impl Iterator<Item = Recommended>) -> Vec<Recommended> {
    let mut latest: Vec<Recommended> = Vec::new();
    for it in all {
        match latest.last_mut() {
            Some(last) if (last.lowest, last.highest) == (it.lowest, it.highest) => {
                last.at = last.at.max(it.at);
            }
            _ => latest.push(it),
        }
    }
    latest
}

//! A record of an HPA, as far as it can be played beside.

use std::sync::Arc;

use super::totals::Tally;
use super::{Run, SPANS, Span, highest_ratio};
use crate::model::{Duration, Instant, Replicas};
use crate::play::{Assumptions, Demand, DemandLook, is_gap};
use crate::snapshot::{Case, Snapshot};
use crate::trace::Decision;

/// The looks at one HPA: the last part of them in which it was there and its spec stayed.
#[derive(Debug, Default)]
pub struct Recording {
    /// By what the demand is read.
    assumptions: Assumptions,
    stretch: Option<Stretch>,
    begun: Begun,
    skipped: Skipped,
    last: Option<Instant>,
}

/// Why a recording begins where it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Begun {
    /// There is no look before it.
    #[default]
    First,
    /// Looks before it did not read every metric.
    Unread,
    /// The spec was edited.
    Edited,
    /// The HPA was deleted and created again.
    Recreated,
}

/// Looks that say less than others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// They did not read every metric: of them at most the replicas are known.
    pub unread: usize,
    /// They are not later than the one before, and are left out.
    pub disordered: usize,
}

/// One look. Times count from the first one.
#[derive(Clone, Copy, Debug)]
struct Look {
    at: Duration,
    replicas: Replicas,
    ratio: Option<f64>,
}

#[derive(Debug)]
struct Stretch {
    case: Case,
    created: Option<Instant>,
    start: Instant,
    period: Duration,
    looks: Vec<Look>,
    demand: Demand,
    gaps: Vec<[Duration; 2]>,
    saturated: Duration,
    tally: Tally,
    /// The last look that read every metric.
    read: Duration,
}

/// A recording that has ended.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The first look.
    pub case: Case,
    /// The time from the first look to the last one.
    pub time: Duration,
    /// How many looks there are.
    pub looks: usize,
    /// True if they are mostly further apart than the controller's syncs.
    pub is_sparse: bool,
    /// The demand that they saw.
    pub demand: Arc<Demand>,
    /// The time in which a container was at its limit.
    pub saturated: Duration,
    /// The gaps between looks, from and to.
    pub gaps: Vec<[Duration; 2]>,
    /// How it went: without its changes, of which [`past`](crate::past) tells.
    pub run: Run,
    /// Why it begins where it does.
    pub begun: Begun,
    /// The looks that are left out.
    pub skipped: Skipped,
    /// The replicas from a time on, with the time of the look before.
    pub(super) steps: Vec<([Duration; 2], Replicas)>,
}

impl Recording {
    /// Before the first look.
    #[must_use]
    pub fn new(assumptions: Assumptions) -> Self {
        Self { assumptions, ..Self::default() }
    }

    /// Takes the next look: its case, and the decision on it.
    pub fn see(&mut self, case: &Case, snapshot: &Snapshot, decision: &Decision) {
        let now = snapshot.taken_at;
        if self.last.is_some_and(|last| now <= last) {
            self.skipped.disordered += 1;
            return;
        }
        self.last = Some(now);
        let created = case.hpa.0.metadata.creation_timestamp;
        if let Some(stretch) = &self.stretch {
            if stretch.created != created {
                self.begin_anew(Begun::Recreated);
            } else if stretch.case.hpa.0.spec != case.hpa.0.spec {
                self.begin_anew(Begun::Edited);
            }
        }
        let Ok(scale) = &snapshot.scale else { return self.skip() };
        let replicas = scale.replicas;
        let is_new = self.stretch.is_none();
        let mut stretch = self.stretch.take().unwrap_or_else(|| Stretch::begin(case, created, snapshot));
        let at = now.since(stretch.start);
        let look = stretch.demand.see(&self.assumptions, snapshot, at);
        // Of a look that did not read every metric the replicas are known all the same, but no play begins with it.
        if look.is_read || !is_new {
            stretch.take(look, Look { at, replicas, ratio: highest_ratio(decision) }, snapshot, decision);
            self.stretch = Some(stretch);
        }
        if !look.is_read {
            self.skip();
        }
    }

    /// A look that has nothing to play.
    pub fn skip(&mut self) {
        self.skipped.unread += 1;
        if self.stretch.is_none() && self.begun == Begun::First {
            self.begun = Begun::Unread;
        }
    }

    /// The HPA is gone.
    pub fn lose(&mut self) {
        if self.stretch.is_some() {
            self.begin_anew(Begun::Recreated);
        }
    }

    /// Drops all before: it is of another HPA, or of an earlier spec.
    fn begin_anew(&mut self, begun: Begun) {
        (self.stretch, self.begun, self.skipped) = (None, begun, Skipped::default());
    }

    /// The recording; none if no look can be played from.
    #[must_use]
    pub fn end(self) -> Option<Recorded> {
        let Stretch { case, period, looks, demand, gaps, saturated, tally, .. } = self.stretch?;
        let time = looks.last().map_or(Duration::ZERO, |last| last.at);
        let pairs = || looks.iter().zip(looks.iter().skip(1));
        let first = looks.first().map(|first| ([first.at; 2], first.replicas));
        let changes = pairs().filter(|(one, next)| one.replicas != next.replicas);
        let changes = changes.map(|(one, next)| ([one.at, next.at], next.replicas));
        Some(Recorded {
            steps: first.into_iter().chain(changes).collect(),
            run: Run { spans: spans(&looks, time, period), totals: tally.totals, ..Run::default() },
            demand: Arc::new(demand),
            is_sparse: i128::from(time.nanoseconds())
                > i128::from(period.nanoseconds()) * i128::try_from(looks.len()).unwrap_or(i128::MAX),
            looks: looks.len(),
            begun: self.begun,
            skipped: self.skipped,
            case,
            time,
            saturated,
            gaps,
        })
    }
}

impl Stretch {
    fn begin(case: &Case, created: Option<Instant>, snapshot: &Snapshot) -> Self {
        Self {
            case: case.clone(),
            created,
            start: snapshot.taken_at,
            period: snapshot.controller.sync_period.value,
            looks: Vec::new(),
            demand: Demand::default(),
            gaps: Vec::new(),
            saturated: Duration::ZERO,
            tally: Tally::default(),
            read: Duration::ZERO,
        }
    }

    fn take(&mut self, demand: DemandLook, look: Look, snapshot: &Snapshot, decision: &Decision) {
        let before = self.looks.last().copied();
        let length = before.map_or(Duration::ZERO, |before| look.at.minus(before.at));
        if let Some(before) = before {
            self.tally.count(snapshot, length, decision);
            if demand.is_read && is_gap(snapshot, self.read, look.at) {
                self.gaps.push([self.read, look.at]);
            }
            if before.replicas != look.replicas {
                self.tally.rescaled(before.replicas, look.replicas);
            }
        }
        if demand.is_saturated {
            self.saturated = self.saturated.plus(length);
        }
        if demand.is_read {
            self.read = look.at;
        }
        self.looks.push(look);
    }
}

/// The spans of a run of this time, as a player has them; one that has no look goes on as before.
fn spans(looks: &[Look], time: Duration, period: Duration) -> Vec<Span> {
    let period = period.nanoseconds().max(1);
    let syncs = usize::try_from(time.nanoseconds() / period).unwrap_or(0) + 1;
    let per_span = i64::try_from(syncs.div_ceil(SPANS).max(1)).unwrap_or(i64::MAX).saturating_mul(period);
    let count = time.nanoseconds() / per_span + 1;
    let mut looks = looks.iter().peekable();
    let mut last = looks.peek().map_or(Replicas(0), |first| first.replicas);
    let span = |number: i64| {
        let mut span =
            Span { at: Duration::from_nanoseconds(number * per_span), replicas: (last, last), ratio: None };
        let end = span.at.nanoseconds().saturating_add(per_span);
        while let Some(look) = looks.next_if(|look| look.at.nanoseconds() < end) {
            span.join(look.replicas, look.ratio);
            last = look.replicas;
        }
        span
    };
    (0..count).map(span).collect()
}

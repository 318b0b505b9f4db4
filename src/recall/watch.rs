//! Look after look: which syncs there were, and what each recommended.
//!
//! A sync that writes nothing is not seen as such. But the part of the status in which the memory has no say follows from
//! what the sync saw ([`Mark`]): a sync that saw something else than the last one has to write. So as long as a status
//! stands, every sync saw what leads to it, and silence is evidence. What was recommended then is told by the looks that
//! saw the same; where none did, by the conditions of the status alone.

use std::collections::VecDeque;

use super::mark::{Bounds, Mark, told};
use super::stand::{Between, Pace, Stand};
use crate::engine::decide;
use crate::model::{Instant, Replicas};
use crate::rules::Rules;
use crate::snapshot::{Recommended, Rescaled, Snapshot, Watched};
use crate::status::report;
use crate::trace::Decision;

/// So many looks are remembered: a sync between two of them may have seen what an earlier one saw.
const LOOKS: usize = 6;

/// One look at an autoscaler.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// When its first read was sent.
    pub begun: Instant,
    /// When its last answer was there.
    pub ended: Instant,
    /// `metadata.resourceVersion` of the autoscaler.
    pub version: &'a str,
    /// What was seen.
    pub snapshot: &'a Snapshot,
}

/// Somebody who looks again and again, several times in each sync period.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    seen: Option<Last>,
    sights: VecDeque<Sight>,
    recommended: Vec<Recommended>,
    rescaled: Vec<Rescaled>,
}

/// What the last look left.
#[derive(Clone, Debug)]
struct Last {
    since: Instant,
    begun: Instant,
    ended: Instant,
    created: Option<Instant>,
    version: String,
    stand: Stand,
    snapshot: Snapshot,
}

/// What a sync that sees the same as a look leaves, and recommends.
#[derive(Clone, Debug)]
struct Sight {
    mark: Mark,
    wanted: Option<Replicas>,
}

impl Sight {
    fn of(snapshot: &Snapshot, rules: &Rules) -> Self {
        let decision = decide(snapshot, rules);
        let mark = Mark::of(&report(snapshot, &decision, rules).status);
        Self { mark, wanted: wanted(&decision) }
    }
}

/// What goes into the controller's memory: what the metrics want, where all went well so far.
fn wanted(decision: &Decision) -> Option<Replicas> {
    decision.stabilized.as_ref().map(|stabilized| stabilized.before)
}

impl Watch {
    /// Nothing has been seen yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in the next look.
    pub fn see(&mut self, look: Look<'_>, rules: &Rules) {
        let sight = Sight::of(look.snapshot, rules);
        if self.sights.len() == LOOKS {
            self.sights.pop_front();
        }
        self.sights.push_back(sight);
        let pace = Pace::of(&look.snapshot.controller);
        let last = match self.seen.take() {
            Some(last) if last.created == look.snapshot.hpa.created => self.follow(last, look, pace),
            // Another autoscaler of the same name: what was seen is not its own.
            _ => {
                let own = self.sights.pop_back();
                *self = Self { sights: own.into_iter().collect(), ..Self::new() };
                self.begin(look)
            }
        };
        self.seen = Some(last);
    }

    /// What was seen so far, for a decision at an instant.
    #[must_use]
    pub fn watched(&self, now: Instant) -> Option<Watched> {
        let last = self.seen.as_ref()?;
        let pace = Pace::of(&last.snapshot.controller);
        let standing = last.stand.ended(Between { earliest: now, latest: now }, false, pace);
        Some(Watched {
            since: last.since,
            recommended: self.recommended.iter().copied().chain(standing).collect(),
            rescaled: self.rescaled.clone(),
        })
    }

    /// A status that was there before the first look, or came while nobody could look.
    fn begin(&self, look: Look<'_>) -> Last {
        let first = Between { earliest: Instant::ZERO, latest: look.begun };
        self.last(look, look.begun, self.stand(look, first, Instant::ZERO))
    }

    fn stand(&self, look: Look<'_>, first: Between, certain_from: Instant) -> Stand {
        let mark = Mark::of(&look.snapshot.hpa.status);
        let same = self.sights.iter().filter(|sight| sight.mark == mark);
        let seen = same.filter_map(|sight| sight.wanted).fold(None, hull);
        Stand { mark, first, certain_from, told: told(look.snapshot), seen }
    }

    fn last(&self, look: Look<'_>, since: Instant, stand: Stand) -> Last {
        Last {
            since,
            begun: look.begun,
            ended: look.ended,
            created: look.snapshot.hpa.created,
            version: look.version.to_owned(),
            stand,
            snapshot: look.snapshot.without_pods(),
        }
    }

    /// The next look after one at the same autoscaler.
    fn follow(&mut self, last: Last, look: Look<'_>, pace: Pace) -> Last {
        let between = Between { earliest: last.begun, latest: look.ended };
        let is_written = last.snapshot.hpa.status != look.snapshot.hpa.status;
        let is_gap = look.ended.since(last.begun) > pace.shortest;
        // After a gap the status may be another one again.
        let is_written = is_written || is_gap && last.version != look.version;
        let is_changed = last.snapshot.hpa.generation != look.snapshot.hpa.generation;
        let next = match (is_written, is_gap) {
            (false, false) => self.stay(last, look),
            (true, false) => self.step(last, look, between, pace),
            (false, true) => self.resume(last, look, pace),
            (true, true) => {
                // There may have been more than one sync, of which only the last is told of.
                let next = Between { earliest: last.begun, latest: last.ended };
                self.recommended.extend(last.stand.ended(next, false, pace));
                self.begin(look)
            }
        };
        // A change of the spec brings a sync of its own (since 1.37), of which a second one would leave no trace.
        if is_changed { Last { since: look.begun, ..next } } else { next }
    }

    /// The same status: what syncs may have recommended meanwhile is also what this look sees, where it leads to it.
    fn stay(&mut self, last: Last, look: Look<'_>) -> Last {
        let mut stand = last.stand.clone();
        if let Some(sight) = self.sights.back().filter(|sight| sight.mark == stand.mark) {
            stand.seen = sight.wanted.map_or(stand.seen, |wanted| hull(stand.seen, wanted));
        }
        self.last(look, last.since, stand)
    }

    /// Another status: there was exactly one sync that wrote.
    fn step(&mut self, last: Last, look: Look<'_>, at: Between, pace: Pace) -> Last {
        self.recommended.extend(last.stand.ended(at, true, pace));
        let status = &look.snapshot.hpa.status;
        if last.snapshot.hpa.status.conditions.is_empty() {
            // The first reconcile of all remembers the replicas as it finds them (upstream
            // `recordInitialRecommendation`).
            let found = Replicas(status.current_replicas);
            let Between { earliest, latest } = at;
            let first = Recommended { lowest: found, highest: found, earliest, latest, is_certain: true };
            self.recommended.push(first);
        }
        let has_rescaled = status
            .conditions
            .iter()
            .any(|condition| condition.kind == "AbleToScale" && condition.reason == "SucceededRescale");
        if has_rescaled {
            let (from, to) = (Replicas(status.current_replicas), Replicas(status.desired_replicas));
            self.rescaled.push(Rescaled { from, to, earliest: at.earliest, latest: at.latest });
        }
        let stand = self.stand(look, at, at.earliest);
        self.last(look, last.since, stand)
    }

    /// The same status after a time in which nobody could look: whoever synced came to it again, or could not write.
    fn resume(&mut self, last: Last, look: Look<'_>, pace: Pace) -> Last {
        let certain = last.stand.ended(Between { earliest: last.begun, latest: last.ended }, false, pace);
        let until = Between { earliest: last.ended, latest: look.ended };
        let possible = last.stand.ended(until, false, pace).map(|it| Recommended { is_certain: false, ..it });
        self.recommended.extend(certain.into_iter().chain(possible));
        let first = Between { earliest: Instant::ZERO, latest: look.ended };
        self.last(look, last.since, Stand { first, certain_from: look.begun, ..last.stand })
    }
}

/// The bounds that hold one more.
#[expect(clippy::unnecessary_wraps, reason = "as a fold wants it")]
fn hull(bounds: Option<Bounds>, wanted: Replicas) -> Option<Bounds> {
    let (lowest, highest) = bounds.unwrap_or((wanted, wanted));
    Some((lowest.min(wanted), highest.max(wanted)))
}

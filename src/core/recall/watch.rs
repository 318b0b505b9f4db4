//! Look after look: which syncs there were, and what each recommended.
//!
//! A sync that writes nothing is not seen as such. But the part of the status in which the memory has no say follows from
//! what the sync saw ([`Mark`]): a sync that saw something else than the last one has to write. So as long as a status
//! stands, every sync saw what leads to it, and silence is evidence. What was recommended then is told by the looks that
//! saw the same; where none did, by the conditions of the status alone.

use std::collections::VecDeque;

use super::answer::Answer;
use super::mark::{Bounds, Mark, told};
use super::past::{may_have_a_past, tardiness};
use super::stand::{Between, Pace, Stand};
use super::watched::longest;
use crate::api::HpaStatus;
use crate::engine::decide;
use crate::model::{Instant, Replicas};
use crate::rules::Rules;
use crate::snapshot::{Hpa, Recommended, Rescaled, Snapshot, Watched};
use crate::status::report;
use crate::trace::{Census, Decision, Outcome};

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
    /// Since when it was said that the replicas change, of looks that saw what the last sync saw.
    moving: Option<Instant>,
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
    /// That the replicas stay was said of this look; until when at least, if the inputs stay.
    stays: Option<Stays>,
}

impl Last {
    fn of(look: Look<'_>, since: Instant, stand: Stand) -> Self {
        Self {
            since,
            begun: look.begun,
            ended: look.ended,
            created: look.snapshot.hpa.created,
            version: look.version.to_owned(),
            stand,
            snapshot: look.snapshot.without_pods(),
            stays: None,
        }
    }
}

impl Last {
    /// Whether the same controller works on the same spec of the same HPA, and nobody else has written that: then a status
    /// may have been refused.
    fn is_of_the_same(&self, look: Look<'_>) -> bool {
        let (one, other) = (&self.snapshot, look.snapshot);
        let started = |snapshot: &Snapshot| snapshot.controller.started_at();
        let is_alone = one.hpa.status != other.hpa.status || self.version == look.version;
        self.created == other.hpa.created
            && started(one) == started(other)
            && has_same_spec(&one.hpa, &other.hpa)
            && one.signs.failed_status == other.signs.failed_status
            && is_alone
    }
}

/// What was said of a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stays {
    Until(Instant),
    Always,
}

/// What a sync that sees the same as a look leaves, and recommends.
#[derive(Clone, Debug)]
struct Sight {
    mark: Mark,
    wanted: Option<Replicas>,
    crowd: Crowd,
}

/// Which pods count how, of which a status tells only the mean: for each metric the ready, unready, missing and foreign ones;
/// and the replicas that the scale's own controller has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Crowd {
    observed: Option<Replicas>,
    pods: Vec<[usize; 4]>,
}

impl Crowd {
    fn of(snapshot: &Snapshot, decision: &Decision) -> Self {
        let pods = decision.metrics.iter().filter_map(|metric| metric.census.as_ref());
        let counts = |it: &Census| [it.ready, it.unready, it.missing, it.foreign.len()];
        Self {
            observed: snapshot.scale.as_ref().ok().map(|scale| scale.observed),
            pods: pods.map(counts).collect(),
        }
    }
}

impl Sight {
    fn of(snapshot: &Snapshot, rules: &Rules) -> Self {
        let decision = decide(snapshot, rules);
        let mark = Mark::of(&report(snapshot, &decision, rules).status);
        let crowd = Crowd::of(snapshot, &decision);
        Self { mark, wanted: wanted(&decision), crowd }
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
        self.sights.push_back(sight);
        let old = self.sights.len().saturating_sub(LOOKS);
        self.sights.drain(..old);
        let pace = Pace::of(&look.snapshot.controller);
        let period = look.snapshot.controller.sync_period.value.nanoseconds();
        let goes_on =
            |last: &Last| last.is_of_the_same(look) && look.begun.since(last.ended).nanoseconds() <= period;
        let last = if let Some(last) = self.seen.take().filter(goes_on) {
            self.follow(&last, look, pace, rules)
        } else {
            // Another autoscaler of the same name, or a time in which nobody looked: what was seen tells nothing of it.
            let own = self.sights.pop_back();
            *self = Self { sights: own.into_iter().collect(), ..Self::new() };
            self.begin(look)
        };
        self.seen = Some(last);
        self.forget(look);
    }

    /// Takes in what is said of the last look, and when time alone makes it something else. A controller that does
    /// otherwise on the same inputs does not remember what was seen of it: it has been restarted.
    pub fn said(&mut self, answer: &Answer, until: Option<Instant>) {
        let is_hold = matches!(answer.decision.outcome, Outcome::Hold { .. }) && answer.interval.is_none();
        let moves = matches!(answer.decision.outcome, Outcome::Scale { failed: None, .. });
        if let Some(last) = &mut self.seen {
            last.stays = is_hold.then(|| until.map_or(Stays::Always, Stays::Until));
            let saw_the_same = self.sights.back().is_some_and(|sight| sight.mark == last.stand.mark);
            let is_due = moves && answer.interval.is_none() && saw_the_same;
            self.moving = is_due.then(|| self.moving.unwrap_or(last.ended));
        }
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
        // What the first sync of a controller, or of an HPA, remembers is not what the metrics want.
        let began = look.snapshot.controller.started_at().max(look.snapshot.hpa.created);
        let settled = began.map_or(Instant::ZERO, |began| began + tardiness(look.snapshot));
        // Whether the controller has synced lately is only known once it was watched for that long.
        Last::of(look, look.begun.max(settled), self.stand(look, first, look.begun))
    }

    fn stand(&self, look: Look<'_>, first: Between, certain_from: Instant) -> Stand {
        let mark = Mark::of(&look.snapshot.hpa.status);
        let is_steady = self.is_steady();
        let same = self.sights.iter().filter(|sight| is_steady && sight.mark == mark);
        let seen = same.filter_map(|sight| sight.wanted).fold(None, hull);
        Stand { mark, first, certain_from, told: told(look.snapshot), seen }
    }

    /// Whether the last two looks saw the same pods: between two that did not a sync may have seen yet others.
    fn is_steady(&self) -> bool {
        let mut crowds = self.sights.iter().rev().map(|sight| &sight.crowd);
        crowds.next() == crowds.next()
    }

    /// What is older than one full window can matter no more; a window that becomes longer begins anew.
    fn forget(&mut self, look: Look<'_>) {
        let since = look.ended - longest(look.snapshot);
        self.recommended.retain(|it| it.latest >= since);
        self.rescaled.retain(|it| it.latest >= since);
    }

    /// The next look after one at the same autoscaler.
    fn follow(&mut self, last: &Last, look: Look<'_>, pace: Pace, rules: &Rules) -> Last {
        let between = Between { earliest: last.begun, latest: look.ended };
        let is_written = last.snapshot.hpa.status != look.snapshot.hpa.status;
        let is_gap = look.ended.since(last.begun) > pace.shortest;
        // After a gap the status may be another one again.
        let is_written = is_written || is_gap && last.version != look.version;
        let is_changed = !has_same_spec(&last.snapshot.hpa, &look.snapshot.hpa);
        let next = match (is_written, is_gap) {
            (false, false) => self.stay(last, look, pace),
            (true, false) => {
                self.mix(last, look, rules);
                self.step(last, look, between, pace)
            }
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
    fn stay(&mut self, last: &Last, look: Look<'_>, pace: Pace) -> Last {
        if self.moving.is_some_and(|since| look.begun.since(since) > pace.longest) {
            // There must have been a sync, and it has not done what was said.
            return self.begin_anew(look);
        }
        let mut stand = last.stand.clone();
        if last.version != look.version {
            // Somebody else wrote. The controller's own write of that instant may have been refused for it.
            let wanted = self.sights.iter().rev().take(2).filter_map(|sight| sight.wanted).fold(None, hull);
            let possible = wanted.map(|(lowest, highest)| Recommended {
                lowest,
                highest,
                earliest: last.begun,
                latest: look.ended,
                is_certain: false,
            });
            self.recommended.extend(possible);
        }
        if !self.is_steady() {
            stand.seen = None;
        } else if let Some(sight) = self.sights.back().filter(|sight| sight.mark == stand.mark) {
            stand.seen = sight.wanted.map_or(stand.seen, |wanted| hull(stand.seen, wanted));
        }
        Last::of(look, last.since, stand)
    }

    /// A sync that scaled saw the scale as it was, and maybe samples that no look saw beside it.
    fn mix(&mut self, last: &Last, look: Look<'_>, rules: &Rules) {
        let mark = Mark::of(&look.snapshot.hpa.status);
        if self.sights.iter().all(|sight| sight.mark != mark) {
            let mixed = Snapshot { scale: last.snapshot.scale.clone(), ..look.snapshot.clone() };
            self.sights.push_front(Sight::of(&mixed, rules));
        }
    }

    /// Another status: there was exactly one sync that wrote.
    fn step(&mut self, last: &Last, look: Look<'_>, at: Between, pace: Pace) -> Last {
        if self.is_forgetful(last, look, at, pace) {
            return self.begin_anew(look);
        }
        self.recommended.extend(last.stand.ended(at, true, pace));
        let status = &look.snapshot.hpa.status;
        if last.snapshot.hpa.status.conditions.is_empty() {
            // The first reconcile of all remembers the replicas as it finds them (upstream
            // `recordInitialRecommendation`), if it remembers nothing of another HPA of that name.
            let found = Replicas(status.current_replicas);
            let Between { earliest, latest } = at;
            let is_certain = !may_have_a_past(look.snapshot);
            let first = Recommended { lowest: found, highest: found, earliest, latest, is_certain };
            self.recommended.push(first);
        }
        if has_rescaled(status) {
            let (from, to) = (Replicas(status.current_replicas), Replicas(status.desired_replicas));
            self.rescaled.push(Rescaled { from, to, earliest: at.earliest, latest: at.latest });
        }
        let stand = self.stand(look, at, at.earliest);
        Last::of(look, last.since, stand)
    }

    /// What was seen is not what the controller remembers.
    fn begin_anew(&mut self, look: Look<'_>) -> Last {
        *self = Self { sights: std::mem::take(&mut self.sights), ..Self::new() };
        self.begin(look)
    }

    /// Whether a sync that saw what the last look saw scaled although it was said that the replicas stay, or did not although
    /// it was said that they change.
    fn is_forgetful(&self, last: &Last, look: Look<'_>, at: Between, pace: Pace) -> bool {
        let status = &look.snapshot.hpa.status;
        let before = self.sights.iter().rev().nth(1);
        let saw_the_same = before.is_some_and(|sight| sight.mark == Mark::of(status));
        let stayed = match last.stays {
            None => false,
            Some(Stays::Always) => true,
            Some(Stays::Until(until)) => until - pace.longest > at.latest,
        };
        let has_stayed = status.current_replicas == status.desired_replicas;
        saw_the_same && (stayed && has_rescaled(status) || self.moving.is_some() && has_stayed)
    }

    /// The same status after a time in which nobody could look: whoever synced came to it again, or could not write.
    fn resume(&mut self, last: &Last, look: Look<'_>, pace: Pace) -> Last {
        let certain = last.stand.ended(Between { earliest: last.begun, latest: last.ended }, false, pace);
        let until = Between { earliest: last.ended, latest: look.ended };
        let possible = last.stand.ended(until, false, pace).map(|it| Recommended { is_certain: false, ..it });
        self.recommended.extend(certain.into_iter().chain(possible));
        let first = Between { earliest: Instant::ZERO, latest: look.ended };
        Last::of(look, last.since, Stand { first, certain_from: look.begun, ..last.stand.clone() })
    }
}

fn has_rescaled(status: &HpaStatus) -> bool {
    let mut conditions = status.conditions.iter();
    conditions.any(|condition| condition.kind == "AbleToScale" && condition.reason == "SucceededRescale")
}

/// Older API servers do not count generations.
fn has_same_spec(one: &Hpa, other: &Hpa) -> bool {
    let bounds = |hpa: &Hpa| (hpa.generation, hpa.min, hpa.max);
    bounds(one) == bounds(other)
        && (&one.target, &one.metrics, &one.behavior) == (&other.target, &other.metrics, &other.behavior)
}

/// The bounds that hold one more.
#[expect(clippy::unnecessary_wraps, reason = "as a fold wants it")]
fn hull(bounds: Option<Bounds>, wanted: Replicas) -> Option<Bounds> {
    let (lowest, highest) = bounds.unwrap_or((wanted, wanted));
    Some((lowest.min(wanted), highest.max(wanted)))
}

//! Look after look: which syncs there were, and what each recommended.
//!
//! A sync that writes nothing is not seen as such. But the part of the status in which the memory has no say follows from
//! what the sync saw ([`Mark`]): a sync that saw something else than the last one has to write. So between two looks that
//! saw the same thing a sync saw that too; if it leads to the status that stands, there may have been one, and if not, there
//! was none ([`Spans`]). What a sync saw between two looks that did not see the same is told by whichever of them leads to
//! the status, if the pods stayed as they were; else by the conditions of the status alone.

use super::answer::Answer;
use super::mark::{Bounds, Mark, told};
use super::pace::Pace;
use super::past::{reason, tardiness};
use super::spans::{Span, Spans, hull};
use super::watched::longest;
use crate::api::HpaStatus;
use crate::engine::decide;
use crate::model::{Instant, Replicas};
use crate::rules::Rules;
use crate::snapshot::{Hpa, Rescaled, Snapshot, Watched};
use crate::status::report;
use crate::trace::{Decision, Outcome, PodGroups};

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
#[derive(Clone, Debug)]
pub struct Watch {
    seen: Option<Last>,
    since: Instant,
    spans: Spans,
    rescaled: Vec<Rescaled>,
    /// Since when it was said that the replicas change, of looks that saw what the last sync saw.
    moving: Option<Instant>,
    /// A look has failed since the last one.
    has_failed: bool,
}

/// What the last look left.
#[derive(Clone, Debug)]
struct Last {
    begun: Instant,
    ended: Instant,
    version: String,
    sight: Sight,
    snapshot: Snapshot,
    /// That the replicas stay was said of this look; until when at least, if the inputs stay.
    stays: Option<Stays>,
}

impl Last {
    fn of(look: Look<'_>, sight: Sight) -> Self {
        Self {
            begun: look.begun,
            ended: look.ended,
            version: look.version.to_owned(),
            sight,
            snapshot: look.snapshot.without_pods(),
            stays: None,
        }
    }

    /// Whether the same controller works on the same spec of the same HPA, nobody else has written that (then a status may
    /// have been refused), and the next look came in time to see each of its syncs.
    fn goes_on(&self, look: Look<'_>, pace: Pace) -> bool {
        let (one, other) = (&self.snapshot, look.snapshot);
        let started = |snapshot: &Snapshot| snapshot.controller.started_at();
        let is_written = one.hpa.status != other.hpa.status;
        let is_as_it_was = !is_written && self.version == look.version;
        one.hpa.created == other.hpa.created
            && started(one) == started(other)
            && has_same_spec(&one.hpa, &other.hpa)
            && one.signs.failed_status == other.signs.failed_status
            && (is_as_it_was || is_written && !self.is_gap(look, pace))
    }

    /// Whether there may have been more than one sync since.
    fn is_gap(&self, look: Look<'_>, pace: Pace) -> bool {
        look.ended.since(self.begun) > pace.shortest
    }
}

/// What was said of a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stays {
    Until(Instant),
    Always,
}

/// What a sync that sees the same as a look leaves, and recommends.
#[derive(Clone, Debug, PartialEq)]
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
        let pods = decision.metrics.iter().filter_map(|metric| metric.groups.as_ref());
        let counts = |it: &PodGroups| [it.ready, it.unready, it.missing, it.foreign.len()];
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

impl Default for Watch {
    fn default() -> Self {
        Self::since(Instant::ZERO)
    }
}

impl Watch {
    /// Nothing has been seen yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn since(since: Instant) -> Self {
        Self {
            seen: None,
            since,
            spans: Spans::since(since),
            rescaled: Vec::new(),
            moving: None,
            has_failed: false,
        }
    }

    /// Takes in the next look.
    pub fn see(&mut self, look: Look<'_>, rules: &Rules) {
        let sight = Sight::of(look.snapshot, rules);
        let pace = Pace::of(&look.snapshot.controller);
        let has_failed = std::mem::take(&mut self.has_failed);
        match self.seen.take().filter(|last| last.goes_on(look, pace)) {
            Some(last) if !self.is_forgetful(&last, look, pace) => {
                self.follow(&last, look, &sight, pace, rules);
            }
            _ => self.begin(look),
        }
        if has_failed {
            self.spans.paused_until(look.begun);
        }
        if self.spans.lack_one(look.begun, pace) {
            self.begin(look);
        }
        self.seen = Some(Last::of(look, sight));
        self.forget(look, pace);
    }

    /// A look failed. What kept it from being made may have kept the controller from syncing.
    pub fn failed(&mut self) {
        self.has_failed = true;
        self.moving = None;
    }

    /// Takes in what is said of the last look, and when time alone makes it something else. A controller that does
    /// otherwise on the same inputs does not remember what was seen of it: it has been restarted.
    pub fn said(&mut self, answer: &Answer, until: Option<Instant>) {
        let is_hold = matches!(answer.decision.outcome, Outcome::Hold { .. }) && answer.interval.is_none();
        let moves = matches!(answer.decision.outcome, Outcome::Scale { failed: None, .. });
        if let Some(last) = &mut self.seen {
            last.stays = is_hold.then(|| until.map_or(Stays::Always, Stays::Until));
            let saw_the_same = last.sight.mark == Mark::of(&last.snapshot.hpa.status);
            let is_due = moves && answer.interval.is_none() && saw_the_same;
            self.moving = is_due.then(|| self.moving.unwrap_or(last.ended));
        }
    }

    /// What was seen so far, for a decision at an instant.
    #[must_use]
    pub fn watched(&self, now: Instant) -> Option<Watched> {
        let pace = Pace::of(&self.seen.as_ref()?.snapshot.controller);
        Some(Watched {
            since: self.since,
            steady_since: self.spans.steady_since(),
            possible: self.spans.possible(pace),
            certain: self.spans.certain(now, pace),
            rescaled: self.rescaled.clone(),
        })
    }

    /// What was seen before tells nothing of what the controller remembers: it is another HPA or another controller, it
    /// works on another spec, or there was a time in which nobody looked.
    fn begin(&mut self, look: Look<'_>) {
        // What the first sync of a controller, or of an HPA, remembers is not what the metrics want.
        let began = look.snapshot.controller.started_at().max(look.snapshot.hpa.created);
        let settled = began.map_or(Instant::ZERO, |began| began + tardiness(look.snapshot));
        *self = Self::since(look.begun.max(settled));
    }

    /// What is older than one full window can matter no more; a window that becomes longer begins anew.
    fn forget(&mut self, look: Look<'_>, pace: Pace) {
        let since = look.ended - longest(look.snapshot);
        self.spans.forget_before(since - pace.longest);
        self.rescaled.retain(|it| it.latest >= since);
    }

    /// The next look after one at the same autoscaler.
    fn follow(&mut self, last: &Last, look: Look<'_>, sight: &Sight, pace: Pace, rules: &Rules) {
        let (from, to) = (last.begun, look.ended);
        if last.is_gap(look, pace) {
            // Whoever synced meanwhile came to the same status again, whatever it saw.
            self.spans.paused_until(look.begun);
            self.spans.push(Span { from, to, bounds: told(look.snapshot), has_written: false, found: None });
            return;
        }
        let has_written = last.snapshot.hpa.status != look.snapshot.hpa.status;
        let came = if has_written { self.wrote(last, look, sight, rules) } else { left(last, look, sight) };
        if let Came::To(bounds) = came {
            let found = self.found(last, look).filter(|_| has_written);
            self.spans.push(Span { from, to, bounds, has_written, found });
        }
    }

    /// The first reconcile of all that can read the scale remembers the replicas as it finds them (upstream
    /// `recordInitialRecommendation`), if it remembers nothing of another HPA of that name.
    fn found(&self, last: &Last, look: Look<'_>) -> Option<Replicas> {
        let lacks_scale = |status| reason(status, "AbleToScale") == Some("FailedGetScale");
        let (before, status) = (&last.snapshot.hpa.status, &look.snapshot.hpa.status);
        let may_be_first =
            before.conditions.is_empty() || lacks_scale(before) && self.spans.recommend_nothing();
        (may_be_first && !lacks_scale(status)).then_some(Replicas(status.current_replicas))
    }

    /// Another status: there was exactly one sync that wrote.
    fn wrote(&mut self, last: &Last, look: Look<'_>, sight: &Sight, rules: &Rules) -> Came {
        let (from, to) = (last.begun, look.ended);
        let status = &look.snapshot.hpa.status;
        if has_rescaled(status) {
            let (before, after) = (Replicas(status.current_replicas), Replicas(status.desired_replicas));
            self.rescaled.push(Rescaled { from: before, to: after, earliest: from, latest: to });
        }
        // It saw the scale as it was, and maybe samples that no look saw beside that.
        let mixed = (last.snapshot.scale != look.snapshot.scale).then(|| {
            let mixed = Snapshot { scale: last.snapshot.scale.clone(), ..look.snapshot.clone() };
            Sight::of(&mixed, rules)
        });
        let sights: Vec<&Sight> = [&last.sight, sight].into_iter().chain(&mixed).collect();
        came(&sights, look).unwrap_or_else(|| Came::To(told(look.snapshot)))
    }

    /// Whether a sync that saw what the last look saw scaled although it was said that the replicas stay, or did not although
    /// it was said that they change.
    fn is_forgetful(&self, last: &Last, look: Look<'_>, pace: Pace) -> bool {
        let status = &look.snapshot.hpa.status;
        if last.snapshot.hpa.status == *status {
            // There must have been a sync, and it has not done what was said.
            return self.moving.is_some_and(|since| look.begun.since(since) > pace.longest);
        }
        let stayed = match last.stays {
            None => false,
            Some(Stays::Always) => true,
            Some(Stays::Until(until)) => until - pace.longest > look.ended,
        };
        let has_stayed = status.current_replicas == status.desired_replicas;
        last.sight.mark == Mark::of(status)
            && (stayed && has_rescaled(status) || self.moving.is_some() && has_stayed)
    }
}

/// What a sync between two looks recommended, if there was one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Came {
    To(Option<Bounds>),
    Nowhere,
}

/// The same status: where both looks saw what does not lead to it, there was no sync between them.
fn left(last: &Last, look: Look<'_>, sight: &Sight) -> Came {
    let mark = Mark::of(&look.snapshot.hpa.status);
    let saw_the_same = last.sight == *sight;
    match came(&[&last.sight, sight], look) {
        Some(came) => came,
        None if saw_the_same && mark.hides_metrics() => Came::To(sight.wanted.map(|it| (it, it))),
        None if saw_the_same => Came::Nowhere,
        None => Came::To(told(look.snapshot)),
    }
}

/// What a sync recommended that left the status of a look: what those of the sights tell that lead to it, as far as the
/// status agrees; `None` if the pods changed, or none does.
fn came(sights: &[&Sight], look: Look<'_>) -> Option<Came> {
    let mark = Mark::of(&look.snapshot.hpa.status);
    let is_steady = sights.iter().all(|sight| sight.crowd == sights[0].crowd);
    let leads = sights.iter().filter(|sight| is_steady && sight.mark == mark);
    let wanted = leads.map(|sight| sight.wanted.map(|it| (it, it)));
    let seen = wanted.reduce(|one, other| Some(hull(one?, other?)))?;
    let told = told(look.snapshot);
    let both = seen.zip(told).map(|(seen, told)| (seen.0.max(told.0), seen.1.min(told.1)));
    Some(Came::To(both.filter(|both| both.0 <= both.1).or(told)))
}

fn has_rescaled(status: &HpaStatus) -> bool {
    reason(status, "AbleToScale") == Some("SucceededRescale")
}

/// Older API servers do not count generations.
fn has_same_spec(one: &Hpa, other: &Hpa) -> bool {
    let bounds = |hpa: &Hpa| (hpa.generation, hpa.min, hpa.max);
    bounds(one) == bounds(other)
        && (&one.target, &one.metrics, &one.behavior) == (&other.target, &other.metrics, &other.behavior)
}

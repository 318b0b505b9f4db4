//! Look after look: which syncs there were, and what each recommended.
//!
//! A sync that writes nothing is not seen as such. But the part of the status in which the memory has no say follows from
//! what the sync saw ([`StatusFingerprint`]): a sync that saw something else than the last one has to write. So between two looks that
//! saw the same thing a sync saw that too; if it leads to the status that stands, there may have been one, and if not, there
//! was none ([`Spans`]). What a sync saw between two looks that did not see the same is told by whichever of them leads to
//! the status, if the pods stayed as they were; else by the conditions of the status alone.

use super::answer::Answer;
use super::pace::Pace;
use super::past::{reason, tardiness};
use super::spans::{Span, Spans, widen};
use super::status_fingerprint::{ReplicaRange, StatusFingerprint, implied_range};
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
    predicted: PredictedStatus,
    snapshot: Snapshot,
    /// That the replicas stay was said of this look; until when at least, if the inputs stay.
    stays: Option<Stays>,
}

impl Last {
    fn of(look: Look<'_>, predicted: PredictedStatus) -> Self {
        Self {
            begun: look.begun,
            ended: look.ended,
            version: look.version.to_owned(),
            predicted,
            snapshot: look.snapshot.without_pods(),
            stays: None,
        }
    }

    /// Whether the same controller works on the same spec of the same HPA, nobody else has written that (then a status may
    /// have been refused), and the next look came in time to see each of its syncs.
    fn continues(&self, look: Look<'_>, pace: Pace) -> bool {
        let (one, other) = (&self.snapshot, look.snapshot);
        let started = |snapshot: &Snapshot| snapshot.controller.started_at();
        let is_written = one.hpa.status != other.hpa.status;
        let is_as_it_was = !is_written && self.version == look.version;
        one.hpa.created == other.hpa.created
            && started(one) == started(other)
            && has_same_spec(&one.hpa, &other.hpa)
            && one.history.failed_status == other.history.failed_status
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
struct PredictedStatus {
    fingerprint: StatusFingerprint,
    wanted: Option<Replicas>,
    pod_counts: PodCounts,
}

/// Which pods count how, of which a status tells only the mean: for each metric the ready, unready, missing and foreign ones;
/// and the replicas that the scale's own controller has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PodCounts {
    observed: Option<Replicas>,
    pods: Vec<[usize; 4]>,
}

impl PodCounts {
    fn of(snapshot: &Snapshot, decision: &Decision) -> Self {
        let pods = decision.metrics.iter().filter_map(|metric| metric.groups.as_ref());
        let counts = |it: &PodGroups| [it.ready, it.unready, it.missing, it.foreign.len()];
        Self {
            observed: snapshot.scale.as_ref().ok().map(|scale| scale.observed),
            pods: pods.map(counts).collect(),
        }
    }
}

impl PredictedStatus {
    fn of(snapshot: &Snapshot, rules: &Rules) -> Self {
        let decision = decide(snapshot, rules);
        let fingerprint = StatusFingerprint::of(&report(snapshot, &decision, rules).status);
        let pod_counts = PodCounts::of(snapshot, &decision);
        Self { fingerprint, wanted: wanted(&decision), pod_counts }
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
        let predicted = PredictedStatus::of(look.snapshot, rules);
        let pace = Pace::of(&look.snapshot.controller);
        let has_failed = std::mem::take(&mut self.has_failed);
        match self.seen.take().filter(|last| last.continues(look, pace)) {
            Some(last) if !self.is_forgetful(&last, look, pace) => {
                self.follow(&last, look, &predicted, pace, rules);
            }
            _ => self.begin(look),
        }
        if has_failed {
            self.spans.paused_until(look.begun);
        }
        if self.spans.lack_one(look.begun, pace) {
            self.begin(look);
        }
        self.seen = Some(Last::of(look, predicted));
        self.forget(look, pace);
    }

    /// A look failed. What kept it from being made may have kept the controller from syncing.
    pub fn failed(&mut self) {
        self.has_failed = true;
        self.moving = None;
    }

    /// Takes in what is said of the last look, and when time alone makes it something else. A controller that does
    /// otherwise on the same inputs does not remember what was seen of it: it has been restarted.
    pub fn note_answer(&mut self, answer: &Answer, until: Option<Instant>) {
        let is_hold = matches!(answer.decision.outcome, Outcome::Hold { .. }) && answer.interval.is_none();
        let moves = matches!(answer.decision.outcome, Outcome::Scale { failed: None, .. });
        if let Some(last) = &mut self.seen {
            last.stays = is_hold.then(|| until.map_or(Stays::Always, Stays::Until));
            let saw_the_same = last.predicted.fingerprint == StatusFingerprint::of(&last.snapshot.hpa.status);
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
    fn follow(
        &mut self,
        last: &Last,
        look: Look<'_>,
        predicted: &PredictedStatus,
        pace: Pace,
        rules: &Rules,
    ) {
        let (from, to) = (last.begun, look.ended);
        if last.is_gap(look, pace) {
            // Whoever synced meanwhile came to the same status again, whatever it saw.
            self.spans.paused_until(look.begun);
            self.spans.push(Span {
                from,
                to,
                range: implied_range(look.snapshot),
                has_written: false,
                found: None,
            });
            return;
        }
        let has_written = last.snapshot.hpa.status != look.snapshot.hpa.status;
        let sync = if has_written {
            self.sync_with_write(last, look, predicted, rules)
        } else {
            sync_without_write(last, look, predicted)
        };
        if let SyncBetween::Recommended(range) = sync {
            let found = self.found(last, look).filter(|_| has_written);
            self.spans.push(Span { from, to, range, has_written, found });
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
    fn sync_with_write(
        &mut self,
        last: &Last,
        look: Look<'_>,
        predicted: &PredictedStatus,
        rules: &Rules,
    ) -> SyncBetween {
        let (from, to) = (last.begun, look.ended);
        let status = &look.snapshot.hpa.status;
        if has_rescaled(status) {
            let (before, after) = (Replicas(status.current_replicas), Replicas(status.desired_replicas));
            self.rescaled.push(Rescaled { from: before, to: after, earliest: from, latest: to });
        }
        // It saw the scale as it was, and maybe samples that no look saw beside that.
        let mixed = (last.snapshot.scale != look.snapshot.scale).then(|| {
            let mixed = Snapshot { scale: last.snapshot.scale.clone(), ..look.snapshot.clone() };
            PredictedStatus::of(&mixed, rules)
        });
        let predictions: Vec<&PredictedStatus> =
            [&last.predicted, predicted].into_iter().chain(&mixed).collect();
        sync_that_left(&predictions, look)
            .unwrap_or_else(|| SyncBetween::Recommended(implied_range(look.snapshot)))
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
        last.predicted.fingerprint == StatusFingerprint::of(status)
            && (stayed && has_rescaled(status) || self.moving.is_some() && has_stayed)
    }
}

/// What a sync between two looks recommended, if there was one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SyncBetween {
    Recommended(Option<ReplicaRange>),
    None,
}

/// The same status: where both looks saw what does not lead to it, there was no sync between them.
fn sync_without_write(last: &Last, look: Look<'_>, predicted: &PredictedStatus) -> SyncBetween {
    let fingerprint = StatusFingerprint::of(&look.snapshot.hpa.status);
    let saw_the_same = last.predicted == *predicted;
    match sync_that_left(&[&last.predicted, predicted], look) {
        Some(sync) => sync,
        None if saw_the_same && fingerprint.hides_metrics() => {
            SyncBetween::Recommended(predicted.wanted.map(|it| (it, it)))
        }
        None if saw_the_same => SyncBetween::None,
        None => SyncBetween::Recommended(implied_range(look.snapshot)),
    }
}

/// What a sync recommended that left the status of a look: what those of the sights tell that lead to it, as far as the
/// status agrees; `None` if the pods changed, or none does.
fn sync_that_left(predictions: &[&PredictedStatus], look: Look<'_>) -> Option<SyncBetween> {
    let fingerprint = StatusFingerprint::of(&look.snapshot.hpa.status);
    let is_steady = predictions.iter().all(|predicted| predicted.pod_counts == predictions[0].pod_counts);
    let leads = predictions.iter().filter(|predicted| is_steady && predicted.fingerprint == fingerprint);
    let wanted = leads.map(|predicted| predicted.wanted.map(|it| (it, it)));
    let seen = wanted.reduce(|one, other| Some(widen(one?, other?)))?;
    let implied = implied_range(look.snapshot);
    let both = seen.zip(implied).map(|(seen, implied)| (seen.0.max(implied.0), seen.1.min(implied.1)));
    Some(SyncBetween::Recommended(both.filter(|both| both.0 <= both.1).or(implied)))
}

fn has_rescaled(status: &HpaStatus) -> bool {
    reason(status, "AbleToScale") == Some("SucceededRescale")
}

/// Older API servers do not count generations.
fn has_same_spec(one: &Hpa, other: &Hpa) -> bool {
    let range = |hpa: &Hpa| (hpa.generation, hpa.min, hpa.max);
    range(one) == range(other)
        && (&one.target, &one.metrics, &one.behavior) == (&other.target, &other.metrics, &other.behavior)
}

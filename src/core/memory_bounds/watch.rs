//! Repeated looks: which syncs happened, and what each recommended.
//!
//! A sync that writes nothing is invisible. But the part of the status that does not depend on the memory follows from
//! what the sync saw ([`StatusFingerprint`]): a sync that saw something else than the last one has to write. So between
//! two looks that saw the same thing a sync saw that too. If it leads to the current status, a sync may have happened;
//! if not, none did ([`Spans`]). If the two looks saw different things, the one that leads to the status shows what the
//! sync saw, provided that the pods stayed the same; else only the conditions of the status show it.

use super::answer::Answer;
use super::pace::Pace;
use super::past::{reason, tardiness, unshown_rescale};
use super::range::ReplicaRange;
use super::second::SECOND;
use super::spans::{Span, Spans, widen};
use super::status_fingerprint::{StatusFingerprint, implied_range};
use super::window::longest;
use crate::api::{ConditionReason, ConditionType, HpaStatus};
use crate::engine::decide;
use crate::model::{Instant, Replicas};
use crate::rules::Rules;
use crate::snapshot::{Hpa, Rescaled, Snapshot, Watched};
use crate::status::report;
use crate::trace::{Decision, Outcome, PodGroups};

/// One look at an HPA.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// When its first read was sent.
    pub begun: Instant,
    /// When its last answer arrived.
    pub ended: Instant,
    /// `metadata.resourceVersion` of the HPA.
    pub version: &'a str,
    /// What the look saw.
    pub snapshot: &'a Snapshot,
}

/// A series of looks, several in each sync period.
#[derive(Clone, Debug)]
pub struct Watch {
    seen: Option<Last>,
    since: Instant,
    spans: Spans,
    rescaled: Vec<Rescaled>,
    /// Since when the answer has been that the replicas change, for looks that saw what the last sync saw.
    moving: Option<Instant>,
    /// Whether a look has failed since the last one.
    has_failed: bool,
}

/// The last look.
#[derive(Clone, Debug)]
struct Last {
    begun: Instant,
    ended: Instant,
    version: String,
    predicted: PredictedStatus,
    snapshot: Snapshot,
    /// Set if the answer for this look was that the replicas stay: how long they do at least, if the inputs stay.
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

    /// Whether the same controller works on the same spec of the same HPA, no status write was refused as far as can be
    /// seen (as it may be if somebody else has written the HPA), and the next look came early enough to see each sync.
    fn continues(&self, look: Look<'_>, pace: Pace) -> bool {
        let (one, other) = (&self.snapshot, look.snapshot);
        let started = |snapshot: &Snapshot| snapshot.controller.started_at();
        let is_written = one.hpa.status != other.hpa.status;
        let is_as_it_was = !is_written && self.version == look.version;
        one.hpa.created == other.hpa.created
            && started(one) == started(other)
            && has_same_spec(&one.hpa, &other.hpa)
            && one.history.failed_status() == other.history.failed_status()
            && unshown_rescale(other).is_none_or(|newest| unshown_rescale(one) == Some(newest))
            && !self.hides_a_rescale(other)
            && (is_as_it_was || is_written && !self.is_gap(look, pace))
    }

    /// Whether the count is another one, the status does not tell of it, and nothing shows that somebody else set it: the
    /// controller may have, and its status may have been refused.
    fn hides_a_rescale(&self, now: &Snapshot) -> bool {
        let replicas = |it: &Snapshot| it.scale.as_ref().ok().map(|scale| scale.replicas);
        let scaled = |it: &Snapshot| it.hpa.status.last_scale_time;
        let setters = &now.history.target.setters;
        let may_be_its_own = setters.is_empty() || setters.iter().any(|set| set.by_controller);
        let is_changed = replicas(&self.snapshot).zip(replicas(now)).is_some_and(|(one, other)| one != other);
        is_changed && scaled(&self.snapshot) == scaled(now) && may_be_its_own
    }

    /// Whether more than one sync may have happened since.
    fn is_gap(&self, look: Look<'_>, pace: Pace) -> bool {
        look.ended.since(self.begun) > pace.shortest
    }
}

/// How long the replicas stay according to the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stays {
    Until(Instant),
    Always,
}

/// What a sync that sees the same as a look writes, and recommends.
#[derive(Clone, Debug, PartialEq)]
struct PredictedStatus {
    fingerprint: StatusFingerprint,
    wanted: Option<Replicas>,
    pod_counts: PodCounts,
}

/// How many pods count how, of which a status shows only the mean: for each metric the ready, unready, missing and
/// foreign ones, and the replicas in the scale's status.
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

/// What goes into the controller's memory: the recommendation, if the reconcile got that far.
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

    /// Adds the next look.
    pub fn see(&mut self, look: Look<'_>, rules: &Rules) {
        // What somebody else wrote looks like the status of a sync.
        if look.snapshot.history.is_status_edited {
            *self = Self::new();
            return;
        }
        let predicted = PredictedStatus::of(look.snapshot, rules);
        let pace = Pace::of(&look.snapshot.controller);
        let is_slow = look.ended.since(look.begun) > pace.slow;
        let has_failed = std::mem::take(&mut self.has_failed) || is_slow;
        match self.seen.take().filter(|last| last.continues(look, pace)) {
            Some(last) if !self.is_forgetful(&last, look, pace) => {
                self.follow(&last, look, &predicted, pace, rules);
            }
            _ => self.begin(look),
        }
        if has_failed {
            self.spans.paused_until(look.ended);
        }
        if self.spans.lack_one(look.begun, pace) {
            self.begin(look);
        }
        self.seen = Some(Last::of(look, predicted));
        self.forget(look, pace);
    }

    /// Notes that a look failed: what made it fail may have kept the controller from syncing, too.
    pub fn failed(&mut self) {
        self.has_failed = true;
        self.moving = None;
    }

    /// Notes the answer for the last look and when time alone changes it. If the controller then acts differently on
    /// the same inputs, it does not have the memory that was observed: it was restarted.
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

    /// What has been observed, for a decision at an instant.
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

    /// Starts over: earlier looks show nothing of the memory, because it is another HPA or controller, another spec, or
    /// nobody looked for a while.
    fn begin(&mut self, look: Look<'_>) {
        // The first sync of a controller, or of an HPA, records the current replicas instead of a recommendation.
        let began = look.snapshot.controller.started_at().max(look.snapshot.hpa.created);
        let settled = began.map_or(Instant::ZERO, |began| began + tardiness(look.snapshot));
        let rescaled = unshown_rescale(look.snapshot).map_or(Instant::ZERO, |at| at + SECOND);
        *self = Self::since(look.ended.max(settled).max(rescaled));
    }

    /// Drops what is older than one full window. If a window becomes longer, the watch starts over.
    fn forget(&mut self, look: Look<'_>, pace: Pace) {
        let since = look.ended - longest(look.snapshot);
        self.spans.forget_before(since - pace.longest);
        self.rescaled.retain(|it| it.latest >= since);
    }

    /// Adds a look that continues the previous one.
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
            // Syncs in the gap reached the same status again, whatever they saw.
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

    /// The first reconcile that can read the scale records the current replicas (upstream
    /// `recordInitialRecommendation`), unless it remembers another HPA of that name.
    fn found(&self, last: &Last, look: Look<'_>) -> Option<Replicas> {
        let lacks_scale =
            |status| reason(status, ConditionType::AbleToScale) == Some(ConditionReason::FailedGetScale);
        let (before, status) = (&last.snapshot.hpa.status, &look.snapshot.hpa.status);
        let may_be_first =
            before.conditions.is_empty() || lacks_scale(before) && self.spans.recommend_nothing();
        (may_be_first && !lacks_scale(status)).then_some(Replicas(status.current_replicas))
    }

    /// The status changed: exactly one sync wrote.
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
        // It saw the earlier scale, and maybe samples that no look saw together with it.
        let mixed = (last.snapshot.scale != look.snapshot.scale).then(|| {
            let mixed = Snapshot { scale: last.snapshot.scale.clone(), ..look.snapshot.clone() };
            PredictedStatus::of(&mixed, rules)
        });
        let predictions: Vec<&PredictedStatus> =
            [&last.predicted, predicted].into_iter().chain(&mixed).collect();
        sync_that_left(&predictions, look)
            .unwrap_or_else(|| SyncBetween::Recommended(implied_range(look.snapshot)))
    }

    /// Whether a sync that saw what the last look saw scaled although the answer was that the replicas stay, or did not
    /// although the answer was that they change.
    fn is_forgetful(&self, last: &Last, look: Look<'_>, pace: Pace) -> bool {
        let status = &look.snapshot.hpa.status;
        if last.snapshot.hpa.status == *status {
            // A sync must have happened, and it did not do what was answered.
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

/// What a sync between two looks recommended, if one happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SyncBetween {
    Recommended(Option<ReplicaRange>),
    None,
}

/// The status is the same: if what both looks saw does not lead to it, no sync happened between them.
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

/// The recommendation of a sync that wrote the status of a look: from those of the predictions that lead to it,
/// narrowed by what the status implies; `None` if the pods changed, or no prediction leads to it.
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
    reason(status, ConditionType::AbleToScale) == Some(ConditionReason::SucceededRescale)
}

/// Older API servers do not count generations.
fn has_same_spec(one: &Hpa, other: &Hpa) -> bool {
    let range = |hpa: &Hpa| (hpa.generation, hpa.min, hpa.max);
    range(one) == range(other)
        && (&one.target, &one.metrics, &one.behavior) == (&other.target, &other.metrics, &other.behavior)
}

//! The past of a decision: since when each thing that bounds the controller's memory has been the same.

use super::recorder::{Recorder, deleted, expired, is_strange};
use super::second::SECOND;
use super::window::longest;
use crate::api::{ConditionReason, ConditionType, HpaStatus};
use crate::model::{Behavior, Duration, Evidence, Instant, Replicas};
use crate::snapshot::{Rescale, Snapshot};

/// If events are kept for this long, those of an earlier target or HPA are taken to be there still.
const LONG: Duration = Duration::from_seconds(3_600);

/// A leader that cannot renew its lease for ten seconds ends (`--leader-elect-renew-deadline`) and loses its memory. So
/// a controller that remembers anything has not been cut off for much longer.
const RENEW_DEADLINE: Duration = Duration::from_nanoseconds(15_000_000_000);

/// Since when each thing that bounds the controller's memory has been the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past<'a> {
    pub snapshot: &'a Snapshot,
    pub now: Instant,
    /// `spec.behavior` as the controller has worked with it.
    pub behavior: Option<&'a Behavior>,
    /// `spec.maxReplicas` as the controller has worked with it.
    pub max: Replicas,
    /// The generation of the spec that the controller has worked with.
    generation: i64,
    /// The target's real replicas, not those of a what-if.
    pub replicas: Option<Replicas>,
    /// Since when its memory has been filled: nothing in it is older. `None` if nothing shows it.
    pub begins: Option<Instant>,
    /// Since when the spec that the controller works with has been the same, apart from a removed behavior. `None` if
    /// nothing shows it.
    pub spec_since: Option<Instant>,
    /// Since when its behavior has been the same, with the same reservation.
    pub behavior_since: Option<Instant>,
    /// Since when nobody, the controller included, has changed the replicas. `None` if nothing shows it.
    pub count_since: Option<Instant>,
    /// The last sync was not before this.
    pub synced_since: Instant,
    /// A sync up to this instant may have failed to write its status.
    pub unrecorded: Option<Instant>,
}

impl<'a> Past<'a> {
    pub fn of(snapshot: &'a Snapshot) -> Self {
        let (history, now) = (&snapshot.history, snapshot.taken_at);
        let synced = history.synced.as_ref();
        let end = |at: Instant| at + SECOND;
        let behavior = synced.map_or(snapshot.hpa.behavior.as_ref(), |synced| synced.behavior.as_ref());
        // What is removed leaves a time, if at all, with its remover, who may have set something else only.
        let is_whole = behavior.is_some_and(|behavior| behavior.down.window_seconds.is_some());
        let behavior_edited = history.behavior_edited.filter(|_| is_whole).or(history.spec_edited);
        // An HPA of generation 1 has had its spec since it was created.
        let generation = snapshot.synced_generation();
        let first = snapshot.hpa.created.filter(|_| generation == 1);
        let since = |edited: Option<Instant>| first.min(edited).or(first).or(edited).map(end);
        Self {
            snapshot,
            now,
            behavior,
            max: synced.map_or(snapshot.hpa.max, |synced| synced.max),
            generation,
            replicas: synced.map_or_else(|| scaled(snapshot), |synced| synced.replicas),
            begins: begins(snapshot),
            spec_since: since(history.spec_edited),
            behavior_since: since(behavior_edited),
            count_since: count_since(snapshot),
            synced_since: synced_since(snapshot),
            unrecorded: unrecorded(snapshot),
        }
    }

    /// Whether the sync that wrote the last status saw the spec that the controller works with.
    pub fn status_is_of_this_spec(&self) -> bool {
        let (hpa, history) = (&self.snapshot.hpa, &self.snapshot.history);
        let generation = self.generation;
        match hpa.status.observed_generation {
            Some(seen) if generation > 0 => seen == generation,
            _ => match (history.spec_edited, history.status_written) {
                (Some(edited), Some(written)) => edited < written,
                (None, Some(_)) => true,
                (_, None) => false,
            },
        }
    }

    /// Whether a `spec.behavior` may have been removed, which leaves no time.
    pub fn may_have_lost_behavior(&self) -> bool {
        self.behavior.is_none() && self.generation > 1
    }

    /// Whether a scale-down window may have been removed, which leaves no time either.
    fn may_have_lost_window(&self) -> bool {
        self.behavior.is_some_and(|behavior| behavior.down.window_seconds.is_none()) && self.generation > 1
    }

    /// Whether the spec at an instant was the one that the controller works with now.
    pub fn had_this_spec(&self, at: Instant) -> bool {
        self.spec_since.is_some_and(|since| since <= at) && !self.may_have_lost_behavior()
    }

    /// Whether its behavior at an instant was the one that the controller works with now.
    pub fn had_this_behavior(&self, at: Instant) -> bool {
        self.behavior_since.is_some_and(|since| since <= at) && !self.may_have_lost_behavior()
    }

    /// Whether a recommendation made at an instant is still kept, as far as the spec shows: a shorter window would have
    /// dropped it.
    pub fn has_kept(&self, at: Instant) -> bool {
        self.had_this_behavior(at) && !self.may_have_lost_window()
    }

    /// How long the controller certainly keeps a recommendation.
    pub fn keeps(&self) -> Duration {
        let flag = self.snapshot.controller.downscale_stabilization.value;
        self.behavior.map_or(flag, |behavior| {
            let seconds = |seconds: i32| Duration::from_seconds(seconds.into());
            let down = behavior.down.window_seconds.map_or(flag, seconds);
            down.max(seconds(behavior.up.window_seconds.unwrap_or(0)))
        })
    }

    /// Whether the memory certainly includes the rescale of a second: not if it began later, nor if this HPA was
    /// created later, because its name may have been another HPA's.
    pub fn is_remembered(&self, second: Instant) -> bool {
        let is_after = |begin: Instant| begin + SECOND <= second;
        let started = self.snapshot.controller.started_at();
        started.is_none_or(is_after)
            && (self.snapshot.hpa.created.is_none_or(is_after) || self.is_told(second))
    }

    /// Whether the rescale of a second was of this HPA, and nobody has ever changed its spec.
    pub fn is_of_first_spec(&self, second: Instant) -> bool {
        self.generation == 1 && self.is_told(second)
    }

    /// Whether the status tells of the rescale of a second: then it was one of this HPA, even if the two are as old.
    pub fn is_told(&self, second: Instant) -> bool {
        let history = &self.snapshot.history;
        let Some(told) = self.snapshot.hpa.status.last_scale_time.filter(|_| !history.is_status_edited)
        else {
            return false;
        };
        // The controller emits the event, and then takes the time for the status.
        let soonest = told - SECOND;
        let mut near = history.rescales.iter().filter(|it| it.first <= told && soonest <= it.last);
        let is_it =
            |it: &Rescale| it.last == second && (it.count == 1 || it.count == 2 && it.first < soonest);
        near.next().is_some_and(is_it)
            && near.next().is_none()
            && Recorder::of_hpa(self.snapshot).dropped_none(second, self.now)
    }

    /// Whether its memory was empty when it began: an HPA may have inherited the memory of an earlier one of the same
    /// name.
    pub fn begins_empty(&self) -> bool {
        let started = self.snapshot.controller.started_at();
        self.begins.is_some() && self.begins == started || !may_have_a_past(self.snapshot)
    }

    /// Whether the memory may include what happened in a second.
    pub fn may_be_remembered(&self, second: Instant) -> bool {
        self.begins.is_none_or(|begins| begins < second + SECOND)
    }

    /// Whether the memory certainly includes a recommendation made at an instant or later. If it was not made by the
    /// last sync, a later sync has kept it only under the same spec.
    pub fn remembers_since(&self, at: Instant, is_last: bool) -> bool {
        let started = self.snapshot.controller.started_at();
        let is_young = at >= self.now - self.keeps();
        started.is_none_or(|started| started <= at) && is_young && (is_last || self.has_kept(at))
    }

    /// Whether every sync from one instant to another left its status.
    pub fn is_recorded(&self, from: Instant, to: Instant) -> bool {
        let history = &self.snapshot.history;
        let mut failed = history.failed_statuses.iter();
        history.has_events
            && !failed.any(|it| it.first <= to && from <= it.last + SECOND)
            && Recorder::of_failures(self.snapshot).dropped_none(from, to)
    }

    /// The replicas that the next sync finds.
    pub fn scaled(&self) -> Option<Replicas> {
        scaled(self.snapshot)
    }

    /// Whether a sync has happened since an instant.
    pub fn has_synced_since(&self, at: Instant) -> bool {
        let written = self.snapshot.history.status_written.max(self.recommended());
        self.synced_since >= at || written.is_some_and(|written| written >= at)
    }

    /// The newest time in the status of a sync that recommended something.
    fn recommended(&self) -> Option<Instant> {
        let status = &self.snapshot.hpa.status;
        let limited = status.condition(ConditionType::ScalingLimited).and_then(|it| it.last_transition_time);
        limited.max(status.last_scale_time)
    }

    /// Whether the controllers had started shortly before an instant.
    pub fn had_just_started(&self, at: Instant) -> bool {
        let started = self.snapshot.controller.started_at();
        started.is_some_and(|started| started <= at + SECOND && at <= started + tardiness(self.snapshot))
    }

    /// Whether the next sync may be the first one of this HPA, or of a controller that has just started: then it
    /// remembers nothing. A sync that found no scale has recorded nothing either.
    pub fn may_be_empty(&self) -> bool {
        let mut conditions = self.snapshot.hpa.status.conditions.iter();
        if conditions.all(|condition| condition.reason == ConditionReason::FailedGetScale) {
            return true;
        }
        let started = self.snapshot.controller.started_at();
        started.is_some_and(|started| {
            !self.has_synced_since(started + SECOND)
                || self.has_only_failed_since(started)
                || self.has_begun_without_scale(started)
        })
    }

    /// Whether the last status reports that the scale cannot be read, and may have reported it since the first sync
    /// after an instant.
    fn has_begun_without_scale(&self, started: Instant) -> bool {
        let mut conditions = self.snapshot.hpa.status.conditions.iter();
        let able = conditions.find(|condition| condition.reason == ConditionReason::FailedGetScale);
        let first = started + tardiness(self.snapshot);
        able.is_some_and(|able| {
            able.last_transition_time.is_none_or(|at| started <= at + SECOND && at <= first)
        })
    }

    /// Whether a sync has failed lately, and none since an instant is known to have succeeded.
    fn has_only_failed_since(&self, since: Instant) -> bool {
        let history = &self.snapshot.history;
        let overdue = self.now - tardiness(self.snapshot);
        let mut failures = history.emitted.iter().filter(|it| !it.is_normal);
        failures.any(|it| it.last >= since.max(overdue))
            && history.status_written.max(self.recommended()).is_none_or(|at| at < since)
    }
}

fn scaled(snapshot: &Snapshot) -> Option<Replicas> {
    snapshot.scale.as_ref().ok().map(|scale| scale.replicas)
}

/// Upstream keeps the memory by name, as long as the process runs.
fn begins(snapshot: &Snapshot) -> Option<Instant> {
    let started = snapshot.controller.started_at();
    let has_events = snapshot.history.has_events && events_outlast_memory(snapshot);
    let created = snapshot.hpa.created.filter(|_| has_events && !has_a_past(snapshot));
    started.max(created)
}

/// Whether each event about something that the controller remembers is still kept.
fn events_outlast_memory(snapshot: &Snapshot) -> bool {
    snapshot.controller.event_ttl.value >= longest(snapshot)
}

/// Up to when the event about a failure may have expired, while the memory keeps what that sync recommended or stored.
fn forgotten(snapshot: &Snapshot) -> Option<Instant> {
    (!events_outlast_memory(snapshot)).then(|| expired(snapshot))
}

/// Whether something shows an earlier HPA of the same name. An HPA that is deleted and created again within a sync
/// period inherits the controller's memory, which is kept by name.
pub(super) fn has_a_past(snapshot: &Snapshot) -> bool {
    let Some(created) = snapshot.hpa.created else { return false };
    let history = &snapshot.history;
    is_strange(snapshot) || history.emitted.iter().any(|event| event.first <= created)
}

/// Whether there may have been an earlier one although nothing shows it: not if the target itself is as young, and its events
/// begin with its creation.
pub(super) fn may_have_a_past(snapshot: &Snapshot) -> bool {
    let Some(created) = snapshot.hpa.created else { return false };
    let target = &snapshot.history.target;
    let is_new = |since: Instant| {
        let first = target.emitted.iter().flatten().map(|event| event.first).min();
        let begins = since..=since + tardiness(snapshot);
        since + tardiness(snapshot) >= created && first.is_some_and(|first| begins.contains(&first))
    };
    let are_kept = snapshot.controller.event_ttl.value >= LONG;
    has_a_past(snapshot) || !are_kept || !target.created.is_some_and(is_new)
}

/// Since when the count has been the same: by the field managers that set it, or by the Deployment's events.
fn count_since(snapshot: &Snapshot) -> Option<Instant> {
    let by_setters = set_since(snapshot);
    let by_events = resized_since(snapshot);
    let (rescaled, resized) = (last_rescale(snapshot), last_resize(snapshot));
    let last_change = rescaled.max(resized).map_or(Instant::ZERO, |at| at + SECOND);
    by_setters.into_iter().chain(by_events).min().map(|since| since.max(last_change))
}

/// The time of the newest rescale event.
fn last_rescale(snapshot: &Snapshot) -> Option<Instant> {
    snapshot.history.rescales.last().map(|rescale| rescale.last)
}

/// The time of the newest event about a size.
fn last_resize(snapshot: &Snapshot) -> Option<Instant> {
    snapshot.history.target.resizes.last().map(|resize| resize.last)
}

/// A write through the scale subresource has no time in the managed fields, but the controller's statuses have the time of its
/// last one: that of this HPA, and those of others of the same target.
fn set_since(snapshot: &Snapshot) -> Option<Instant> {
    let setters = &snapshot.history.target.setters;
    let own = snapshot.hpa.status.last_scale_time;
    let at = |by_controller: bool, at: Option<Instant>| if by_controller { own } else { at };
    let times: Option<Vec<Instant>> = setters.iter().map(|set| at(set.by_controller, set.at)).collect();
    let newest = times?.into_iter().chain(rescaled_by_others(snapshot)).max()?;
    // Since its last status somebody else has set another count.
    let written = snapshot.history.status_written.unwrap_or(Instant::ZERO);
    if has_another_count_than_left(snapshot) && newest + SECOND < written {
        return None;
    }
    // What a controller did just before it ended, it did before the next one started.
    let lost = snapshot.controller.started_at().max(unrecorded(snapshot)).max(last_refused(snapshot));
    Some((newest + SECOND).max(lost.unwrap_or(Instant::ZERO)))
}

/// The times at which the last syncs of other HPAs have set the replicas of the same target.
fn rescaled_by_others(snapshot: &Snapshot) -> impl Iterator<Item = Instant> {
    snapshot.others_that_scaled_target().filter_map(|other| Some(other.rescale?.at))
}

/// Whether the target has another count than the last status left.
fn has_another_count_than_left(snapshot: &Snapshot) -> bool {
    let replicas = match &snapshot.history.synced {
        Some(synced) => synced.replicas.or_else(|| scaled(snapshot)),
        None => scaled(snapshot),
    };
    snapshot.hpa.left_replicas().zip(replicas).is_some_and(|(left, replicas)| left != replicas)
}

/// Up to when a rescale's time may be missing in the status, and its event too: the status write was refused because
/// somebody else wrote, or the controller ended before it.
pub(super) fn last_lost(snapshot: &Snapshot) -> Option<Instant> {
    let started = snapshot.controller.started_at().map(|started| started + SECOND);
    unrecorded(snapshot).max(started).max(last_refused(snapshot)).max(forgotten(snapshot))
}

/// Up to when a status write may have been refused.
fn last_refused(snapshot: &Snapshot) -> Option<Instant> {
    snapshot.history.edited.max(last_failed(snapshot)).map(|at| at + SECOND + SECOND)
}

/// Up to when one has failed by the events, or may have if they are missing.
fn last_failed(snapshot: &Snapshot) -> Option<Instant> {
    snapshot.history.failed_status().max(deleted(snapshot))
}

/// The deployment controller emits an event for each size, and follows within the second.
fn resized_since(snapshot: &Snapshot) -> Option<Instant> {
    let recorder = Recorder::of_target(snapshot).filter(|_| &*snapshot.hpa.target.kind == "Deployment")?;
    let observed = snapshot.scale.as_ref().ok()?.observed;
    let replicas = match &snapshot.history.synced {
        Some(synced) => synced.replicas?,
        None => scaled(snapshot)?,
    };
    let last = snapshot.history.target.resizes.last();
    // If none of the Deployment's events follows a rescale, one is missing.
    let is_followed = |rescaled: Instant| last.is_some_and(|last| rescaled <= last.last + SECOND);
    if last_rescale(snapshot).is_some_and(|rescaled| rescaled > recorder.from() && !is_followed(rescaled)) {
        return None;
    }
    // The count has changed since the last status: without an event about that, one is missing.
    let written = snapshot.history.status_written.unwrap_or(Instant::ZERO);
    if has_another_count_than_left(snapshot) && last.is_none_or(|last| last.last + SECOND < written) {
        return None;
    }
    // A change made just now is not followed yet.
    if observed != replicas || last.is_some_and(|last| last.to != replicas) {
        return None;
    }
    let last = last.map(|resize| resize.last);
    let oldest = recorder.from();
    let (since, same) = match last.filter(|last| *last + SECOND > oldest) {
        Some(last) => (last, last + SECOND + SECOND),
        // Each change since then would have left an event.
        None => (oldest, oldest),
    };
    recorder.dropped_none(since + SECOND, snapshot.taken_at).then_some(same)
}

/// How late a sync can be: a busy controller is late, and one that the API server does not answer waits.
pub(super) fn tardiness(snapshot: &Snapshot) -> Duration {
    let period = &snapshot.controller.sync_period;
    let periods = if period.evidence >= Evidence::Assumed { 4 } else { 2 };
    let most = period.value.nanoseconds().saturating_mul(periods);
    Duration::from_nanoseconds(most.saturating_add(RENEW_DEADLINE.nanoseconds()))
}

pub(super) fn synced_since(snapshot: &Snapshot) -> Instant {
    let overdue = snapshot.taken_at - tardiness(snapshot);
    let is_unsteady = snapshot.history.watched.as_ref().is_some_and(|watched| watched.steady_since > overdue);
    if is_unsteady { Instant::ZERO } else { overdue }
}

/// The controller writes a status only over the version of the HPA that it read: if somebody else wrote in between, the
/// write fails. The next sync writes again, but the memory keeps what the failed one recommended.
pub(super) fn unrecorded(snapshot: &Snapshot) -> Option<Instant> {
    let history = &snapshot.history;
    let written = history.status_written;
    // Within the same second the generation shows which came first.
    let hpa = &snapshot.hpa;
    let generation = snapshot.synced_generation();
    let is_seen = generation > 0 && hpa.status.observed_generation == Some(generation);
    let is_after = |at: Instant, written: Instant| at > written || at == written && !is_seen;
    let is_since = |at: &Instant| written.is_none_or(|written| is_after(*at, written));
    // If writes fail repeatedly, the recorder drops the events about it at some point; after other events even the first.
    let may_be_dropped =
        || !Recorder::of_failures(snapshot).dropped_none(synced_since(snapshot), snapshot.taken_at);
    let is_flooded =
        || (has_another_count(snapshot) || !history.failed_statuses.is_empty()) && may_be_dropped();
    let is_blind = !history.has_events && written.is_none() && hpa.status.is_written();
    if is_blind || is_flooded() || history.is_status_edited || has_rescaled_unseen(snapshot) {
        return Some(snapshot.taken_at);
    }
    let other = history.edited.filter(|_| written.is_some());
    let failed = other.into_iter().chain(last_failed(snapshot)).chain(unshown_rescale(snapshot));
    let failed = failed.filter(is_since).max().map(|at| at + SECOND + SECOND);
    failed.max(forgotten(snapshot).filter(is_since))
}

/// The controller's last rescale by its events, to the second, if the status does not tell of it: the event comes first, and
/// the status may have been refused.
pub(super) fn unshown_rescale(snapshot: &Snapshot) -> Option<Instant> {
    let newest = snapshot.history.rescales.last().map(|rescale| rescale.last);
    newest.filter(|newest| snapshot.hpa.status.last_scale_time.is_none_or(|shown| shown < *newest))
}

/// Whether the controller may have set a count other than its status's desired replicas, if nothing shows who else has
/// written the HPA, or whether a status write failed.
fn has_rescaled_unseen(snapshot: &Snapshot) -> bool {
    let (status, setters) = (&snapshot.hpa.status, &snapshot.history.target.setters);
    let may_be_its_own = setters.is_empty() || setters.iter().any(|set| set.by_controller);
    let history = &snapshot.history;
    let is_hidden = history.status_written.is_none() || !history.has_events;
    is_hidden && !status.conditions.is_empty() && has_another_count(snapshot) && may_be_its_own
}

/// Whether the target has another count than the status tells.
fn has_another_count(snapshot: &Snapshot) -> bool {
    scaled(snapshot).is_some_and(|count| count != Replicas(snapshot.hpa.status.desired_replicas))
}

/// The status's reason for a condition.
pub(super) fn reason(status: &HpaStatus, kind: ConditionType) -> Option<ConditionReason> {
    status.condition(kind)?.known_reason()
}

//! The controller's rescales, as shown by its events, its status and the target.

use super::chain::Chain;
use super::facts::{Merged, Rescaled, SizeSource, Sizes};
use super::last_sync::LastSync;
use super::past::{Past, last_lost, reason, unshown_rescale};
use super::recorder::Recorder;
use super::resizes;
use super::second::{SECOND, SYNC};
use super::sizes::{before, by_reason, is_about};
use crate::api::{ConditionReason, ConditionType};
use crate::model::{Duration, Instant, Policy, Replicas, SelectPolicy};
use crate::snapshot::{Rescale, RescaleEventReason, Snapshot};

/// The rescales since an instant, oldest first; `None` if there may have been others.
pub(super) fn since(past: &Past<'_>, since: Instant) -> Option<Vec<Rescaled>> {
    beside_merged(past, since).filter(|_| merged(past, since).is_empty())
}

/// The rescales since an instant of which an event shows the time, oldest first; `None` if there may have been others than
/// those and [`merged`] ones.
pub(super) fn beside_merged(past: &Past<'_>, since: Instant) -> Option<Vec<Rescaled>> {
    let (known, history) = (known(past), &past.snapshot.history);
    // Whether a sync left its status or not, it emitted an event if it scaled.
    let are_sent =
        |until: Instant| history.has_events && Recorder::of_hpa(past.snapshot).dropped_none(since, until);
    let is_recorded = past.unrecorded.is_none_or(|at| at <= since || are_sent(at.min(past.now)))
        && agrees_with_target(past, &known)
        && knows_all_given(past, since, &known)
        && knows_what_limits(past, &known);
    let is_complete = is_recorded
        && resizes::are_unbroken(past, since)
        && are_chained(past, since, &known)
        && ends_with_the_last(past, since, &known)
        && !hides_some(past, since)
        && are_kept(past, since)
        && knows_before(past, since);
    let starts = known.iter().map(|it| it.second).filter(|at| *at >= since).collect::<Vec<_>>();
    let is_whole = is_complete && are_all_emitted(past, since, &starts);
    is_whole.then(|| known.into_iter().filter(|it| it.second + SECOND > since).collect())
}

/// The events that show no time of some rescales since an instant, but all else about them.
pub(super) fn merged(past: &Past<'_>, since: Instant) -> Vec<Merged> {
    let known = known(past);
    let of = |rescale: &Rescale| {
        let is_one =
            |it: &&Rescaled| (it.second, it.to, it.reason) == (rescale.first, rescale.to, rescale.reason);
        let first = *known.iter().find(is_one)?;
        let from = by_reason(past, rescale.first, rescale.to, rescale.reason);
        Some(Merged { first, last: rescale.last, between: rescale.count - 2, from })
    };
    let all = past.snapshot.history.rescales.iter();
    let equal = all.filter(|it| !it.is_combined && it.count > 2 && it.last + SECOND > since);
    equal.filter_map(of).collect()
}

/// Whether everything is known that an earlier HPA of the same name may have left since an instant.
fn knows_before(past: &Past<'_>, since: Instant) -> bool {
    let created = past.snapshot.hpa.created.filter(|created| *created + SECOND > since);
    // Without an earlier HPA all memory began after this one was created.
    let Some(created) = created.filter(|created| past.begins.is_none_or(|begins| begins < *created)) else {
        return true;
    };
    past.snapshot.history.has_events
        && Recorder::of_earlier(past.snapshot, created).dropped_none(since, created)
}

/// Each rescale that an event reports by itself, oldest first.
pub(super) fn known(past: &Past<'_>) -> Vec<Rescaled> {
    let times = |it: &Rescale| {
        let (to, reason) = (it.to, it.reason);
        it.times().map(move |second| (second, to, reason))
    };
    let mut shown: Vec<(Instant, Replicas, RescaleEventReason)> =
        past.snapshot.history.rescales.iter().flat_map(times).collect();
    shown.sort_by_key(|(second, ..)| *second);
    let sizes: Vec<(Instant, Replicas)> = shown.iter().map(|(second, to, _)| (*second, *to)).collect();
    let chain = Chain::of(past, &sizes);
    let rescaled = |(second, to, reason)| {
        let from = before(past, (second, to, reason), &sizes, chain.as_ref());
        Rescaled { second, from, to, reason }
    };
    shown.into_iter().map(rescaled).collect()
}

/// The rescales that events show by themselves, oldest first: when, to the second; from how many replicas, if anything shows that;
/// and to how many.
#[must_use]
pub fn shown(snapshot: &Snapshot) -> Vec<(Instant, Option<Replicas>, Replicas)> {
    let past = Past::of(snapshot);
    let is_alone = resizes::alone(&past);
    let from = |it: &Rescaled| {
        let is_shown = match it.from.by {
            SizeSource::Given | SizeSource::Status => true,
            SizeSource::TargetEvent => is_alone(it.second),
            // A chain breaks if events are missing or the target was made anew, which a single rescale does not show.
            SizeSource::Chain | SizeSource::Direction | SizeSource::Nothing => false,
        };
        Some(it.from.lowest).filter(|_| is_shown && it.from.lowest == it.from.highest)
    };
    known(&past).into_iter().map(|it| (it.second, from(&it), it.to)).collect()
}

/// What the user stated of rescales that fits none of those that the events show: when, and from which count.
#[must_use]
pub fn unfit(snapshot: &Snapshot) -> Vec<(Instant, Replicas)> {
    let given = &snapshot.history.given;
    if given.is_empty() {
        return Vec::new();
    }
    let known = known(&Past::of(snapshot));
    let fits = |(at, from): &(Instant, Replicas), it: &Rescaled| {
        it.from.by == SizeSource::Given && it.from.lowest == *from && is_about(*at, it.second)
    };
    given.iter().filter(|given| !known.iter().any(|it| fits(given, it))).copied().collect()
}

/// Whether the newest event is about the last rescale in the status, if that was since an instant.
fn ends_with_the_last(past: &Past<'_>, since: Instant, known: &[Rescaled]) -> bool {
    let newest = known.last().map(|it| it.second + SECOND);
    let last = past.snapshot.hpa.status.last_scale_time.filter(|last| *last + SECOND > since);
    last.is_none_or(|last| newest.is_some_and(|newest| newest >= last))
}

/// Whether each rescale since an instant began at the size that was set just before, by the controller or by somebody
/// else. If not, an event is missing.
fn are_chained(past: &Past<'_>, since: Instant, known: &[Rescaled]) -> bool {
    let mut all: Vec<(Instant, Replicas)> = known.iter().map(|it| (it.second, it.to)).collect();
    all.extend(resizes::of_all(past));
    let merged = merged(past, since);
    let mut recent = known.iter().skip(1).filter(|it| it.second + SECOND > since);
    recent.all(|it| {
        let before = all.iter().map(|(second, _)| *second).filter(|second| *second < it.second).max();
        let is_just_before =
            |second: Instant| Some(second) == before || it.second <= second && second <= it.second + SECOND;
        // What the user states removes histories, and adds none: if the count was another before, somebody else set it.
        let is_stated = it.from.by == SizeSource::Given;
        let from = if is_stated { by_reason(past, it.second, it.to, it.reason) } else { it.from };
        let Sizes { lowest, highest, .. } = from;
        let may_follow = |other: &Merged| {
            let is_between = other.first.second <= it.second && it.second <= other.last + SECOND;
            is_between && lowest <= other.first.to && other.first.to <= highest
        };
        merged.iter().any(may_follow)
            || all.iter().any(|(second, to)| is_just_before(*second) && lowest <= *to && *to <= highest)
    })
}

/// Whether the last rescale that is known led to the count that the target has, if the controller was the last to set it.
fn agrees_with_target(past: &Past<'_>, known: &[Rescaled]) -> bool {
    let mut setters = past.snapshot.history.target.setters.iter();
    let status = &past.snapshot.hpa.status;
    let last = known.last().map_or(Replicas(status.desired_replicas), |it| it.to);
    !setters.any(|set| set.by_controller) || past.replicas.is_none_or(|replicas| replicas == last)
}

/// Whether there is an event for each rescale since an instant that the user stated.
fn knows_all_given(past: &Past<'_>, since: Instant, known: &[Rescaled]) -> bool {
    let mut given = past.snapshot.history.given.iter().filter(|(second, _)| *second + SECOND > since);
    given.all(|(second, _)| known.iter().any(|it| is_about(*second, it.second)))
}

/// Whether events of rescales explain why the last sync's policies kept the count: one within the period of each policy, if the
/// one that lets the most change is selected, and not forgotten by then.
fn knows_what_limits(past: &Past<'_>, known: &[Rescaled]) -> bool {
    let (Some(behavior), Some(sync)) = (past.behavior, LastSync::of(past.snapshot)) else { return true };
    let status = &past.snapshot.hpa.status;
    let (is_up, rules) = match reason(status, ConditionType::ScalingLimited) {
        Some(ConditionReason::ScaleUpLimit) => (true, &behavior.up),
        Some(ConditionReason::ScaleDownLimit) => (false, &behavior.down),
        _ => return true,
    };
    let has_moved = sync.desired != Replicas(status.current_replicas);
    if has_moved || rules.select == SelectPolicy::Disabled || !past.status_is_of_this_spec() {
        return true;
    }
    // What it remembers by now is what it remembered then.
    let is_since = past.begins.is_some_and(|begins| begins < sync.earliest);
    let is_used_up = |policy: &Policy| {
        let since = sync.earliest - Duration::from_seconds(policy.period_seconds.into()) - SYNC;
        let may_count =
            |it: &Rescaled| it.second + SECOND >= since && (!is_since || past.may_be_remembered(it.second));
        known.iter().any(|it| it.is_up() != Some(!is_up) && may_count(it))
    };
    let mut policies = rules.policies.iter();
    if rules.select == SelectPolicy::Min { policies.any(is_used_up) } else { policies.all(is_used_up) }
}

/// Whether nobody can have deleted events of rescales that are remembered since an instant: the status tells of none and nobody
/// has edited it, or an older event is there.
fn are_kept(past: &Past<'_>, since: Instant) -> bool {
    let since = past.begins.map_or(since, |begins| begins.max(since));
    let (status, history) = (&past.snapshot.hpa.status, &past.snapshot.history);
    let target = history.target.emitted.iter().flatten();
    let tells_of_none = status.last_scale_time.is_none_or(|last| last + SECOND < since);
    tells_of_none && !history.is_status_edited
        || history.emitted.iter().chain(target).any(|it| it.stored <= since)
}

/// Whether an event that combines different rescales hides one since an instant: only the last is known.
fn hides_some(past: &Past<'_>, since: Instant) -> bool {
    let mut rescales = past.snapshot.history.rescales.iter();
    rescales.any(|it| it.is_combined && it.count > 1 && it.last + SECOND > since)
}

/// Whether the recorder cannot have dropped an event between an instant and the newest of the rescales, nor the event
/// of a rescale that no status shows either.
fn are_all_emitted(past: &Past<'_>, since: Instant, rescales: &[Instant]) -> bool {
    let lost = last_lost(past.snapshot).filter(|at| *at > since);
    // If the status does not tell of the newest rescale that an event shows, it may not tell of a later one either.
    let untold = unshown_rescale(past.snapshot).map(|_| past.now);
    let Some(newest) = rescales.last().copied().max(lost).max(untold) else { return true };
    let is_told = lost.is_none() || past.snapshot.history.has_events;
    is_told && Recorder::of_hpa(past.snapshot).dropped_none(since, newest)
}

/// Whether nobody but the controller, by these rescales, has changed the replicas since an instant, and no change
/// of its own failed.
pub(super) fn is_untouched_since(past: &Past<'_>, since: Instant, known: &[Rescaled]) -> bool {
    let history = &past.snapshot.history;
    let recorder = Recorder::of_target(past.snapshot);
    history.failed_rescale.is_none_or(|at| at + SECOND < since)
        && recorder.is_some_and(|it| it.from() <= since && it.dropped_none(since, past.now))
        && self::since(past, since).is_some()
        && resizes::unexplained(past, since, known).is_empty()
        && resizes::follow_all(past, since, known)
        && &*past.snapshot.hpa.target.kind == "Deployment"
}

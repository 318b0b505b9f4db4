//! Which of the other HPAs' selectors the controller holds (upstream `hpaSelectorStore`).
//!
//! The store is filled by syncs that get as far as the metrics, and is empty after a start. So a rival that is out of its
//! bounds, paused or without a scale is not known, or is still known with an earlier selector.

use super::standing::Standing;
use crate::api::{Condition, ConditionReason, ConditionType};
use crate::model::{AllBut, Duration, Labels, Selector};
use crate::rules::Rules;
use crate::snapshot::{Got, HpaKey, OtherHpa, Selection, Snapshot};

/// The other HPAs that select the same pods, as far as the controller may know it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rivals {
    /// Those whose selectors it holds.
    pub held: Vec<HpaKey>,
    /// Those of which that is not known.
    pub open: Vec<HpaKey>,
    /// Of both the ones whose present selector matches none of the pods: the controller holds an earlier one, or may.
    pub earlier: Vec<HpaKey>,
    /// Those that select the same pods, and that it does not know.
    pub unknown: Vec<HpaKey>,
    /// Whether the last status says that others select the same pods, and for one of them that is open now.
    pub stopped_last: bool,
    /// Whether one of them may set the replicas: not if it is in its bounds, and its last sync was stopped, too.
    pub may_rescale: bool,
}

/// What the last sync of this HPA made of its selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastVerdict<'a> {
    Good,
    /// With the message, which names two of the HPAs.
    Ambiguous(&'a str),
    NotKnown,
}

impl Rivals {
    /// Reads the signs.
    pub fn of(snapshot: &Snapshot, rules: &Rules) -> Self {
        let (Ok(others), Ok(pods)) = (&snapshot.others, &snapshot.pods) else { return Self::default() };
        if others.is_empty() {
            return Self::default();
        }
        let mut labels: Vec<&Labels> = pods.iter().map(|pod| &pod.labels).collect();
        labels.dedup();
        let selects = |selector: &Selector| labels.iter().any(|labels| selector.matches(labels));
        let verdict = last_verdict(snapshot);
        let was_stopped = Standing { snapshot }
            .condition(ConditionType::ScalingActive, ConditionReason::AmbiguousSelector)
            .is_some();
        let mut rivals = Self {
            // Also where there are no pods of it now.
            may_rescale: snapshot.others_of_target().any(|other| !is_stopped(other)),
            ..Self::default()
        };
        for other in others.iter().filter(|_| !labels.is_empty()) {
            let matches = other.selector.as_ref().is_some_and(selects);
            rivals.may_rescale |= matches && !is_stopped(other);
            // Older controllers do not compare: all of them run.
            let holds = if rules.ambiguous.is_some() {
                holds(snapshot, other, matches, verdict)
            } else {
                Some(false)
            };
            rivals.earlier.extend((holds != Some(false) && !matches).then(|| other.key.clone()));
            rivals.stopped_last |= holds.is_none() && was_stopped;
            if let Some(list) = rivals.list(holds, matches) {
                list.push(other.key.clone());
            }
        }
        rivals
    }

    fn list(&mut self, holds: Option<bool>, matches: bool) -> Option<&mut Vec<HpaKey>> {
        match holds {
            Some(true) => Some(&mut self.held),
            None => Some(&mut self.open),
            Some(false) => matches.then_some(&mut self.unknown),
        }
    }

    /// Leaves those that the controller knows, and on request those of which that is open, with a selector of these pods: their
    /// own, or if that matches none of them, this HPA's.
    pub fn apply(&self, snapshot: &mut Snapshot, with_open: bool) {
        let own = snapshot.scale.as_ref().ok().and_then(|scale| match &scale.selector {
            Selection::Parsed { selector, .. } => Some(selector.clone()),
            Selection::Missing | Selection::Invalid { .. } => None,
        });
        let Ok(others) = &mut snapshot.others else { return };
        let known = |other: &OtherHpa| {
            let is_rival = |list: &[HpaKey]| list.contains(&other.key);
            let is_held = is_rival(&self.held) || with_open && is_rival(&self.open);
            let is_known = is_held || !is_rival(&self.open) && !is_rival(&self.unknown);
            let is_replaced = is_held && is_rival(&self.earlier);
            let selector = if is_replaced { own.clone() } else { other.selector.clone() };
            OtherHpa { selector, is_held: is_known, ..other.clone() }
        };
        *others = AllBut::from(others.iter().map(known).collect::<Vec<_>>());
    }

    /// True if no other HPA has to do with the same pods or the same target.
    pub fn are_plain(&self) -> bool {
        self.open.is_empty() && self.unknown.is_empty() && self.held.is_empty() && !self.may_rescale
    }
}

/// True if its next sync ends at the metrics again, as the last one did.
fn is_stopped(other: &OtherHpa) -> bool {
    other.signs.reaches == Some(true) && other.signs.got == Got::Stopped
}

/// Whether the controller holds a selector of these pods for another HPA; `None` if that is not known.
fn holds(snapshot: &Snapshot, other: &OtherHpa, matches: bool, verdict: LastVerdict<'_>) -> Option<bool> {
    let signs = other.signs;
    // Nothing here tells which pods it selects, but its own last sync found none of another HPA.
    if other.is_unread() && signs.got == Got::ToMetrics && outlasts_start(snapshot, other) {
        return Some(false);
    }
    let may_refresh = signs.reaches != Some(false);
    let has_stored = signs.got.has_stored() && outlasts_start(snapshot, other);
    // That was another target's, or one's that is gone, if the present one is not there.
    let is_lost = has_stored && other.selector.is_none();
    let was_synced = has_stored && !is_lost;
    // Before 1.37 nothing counts the edits, but an earlier verdict may tell of them, or a target that is not there.
    let may_be_edited =
        signs.is_edited.unwrap_or_else(|| other.selector.is_none() || was_named(snapshot, &other.key));
    let is_surely_present = was_synced && signs.is_edited.is_some();
    let may_be_earlier = (may_be_edited || is_lost) && !is_surely_present && signs.got != Got::Never;
    let may_hold = may_be_earlier || matches && (may_refresh || signs.got != Got::Never);
    match verdict {
        // Only a sync of its own can replace what it holds.
        LastVerdict::Ambiguous(message) if is_named(message, &other.key) && !is_new(snapshot, other) => {
            let is_as_it_was = signs.is_edited == Some(false)
                || matches!(signs.got, Got::StoppedBefore | Got::NoStatus)
                || is_settled(snapshot, other);
            let is_replaced = is_surely_present && !matches;
            let stays = match &other.selector {
                _ if matches => was_synced || is_as_it_was,
                None => !may_refresh && is_as_it_was,
                // Its selector was another then, or the pods were.
                Some(_) => false,
            };
            if is_replaced { Some(false) } else { stays.then_some(true) }
        }
        _ if !matches && !may_be_earlier => Some(false),
        LastVerdict::Good if was_synced && matches && !is_contradicted(snapshot, other) => {
            signs.written.is_some().then_some(true)
        }
        LastVerdict::Good if matches && may_refresh => None,
        LastVerdict::Good if may_be_earlier && !is_contradicted(snapshot, other) => None,
        LastVerdict::Good => Some(false),
        LastVerdict::Ambiguous(_) | LastVerdict::NotKnown if is_surely_present => Some(matches),
        LastVerdict::Ambiguous(_) | LastVerdict::NotKnown => {
            if may_hold {
                None
            } else {
                Some(false)
            }
        }
    }
}

/// A sync may be so late.
const LATE: Duration = Duration::from_seconds(15);

/// True if the last status may name an earlier HPA of this name: this one is younger, and no two syncs have surely come since.
fn is_new(snapshot: &Snapshot, other: &OtherHpa) -> bool {
    let written = snapshot.history.status_written;
    let is_younger = |at| written.is_none_or(|written| written <= at);
    other.signs.created.is_some_and(|at| is_younger(at) && !Standing { snapshot }.is_two_syncs_ago(at + LATE))
}

/// Whether its status is older than two syncs: none of its own has come to something else after the last of this HPA.
fn is_settled(snapshot: &Snapshot, other: &OtherHpa) -> bool {
    other.signs.written.is_some_and(|at| Standing { snapshot }.is_two_syncs_ago(at))
}

/// Whether this HPA's selector was good in a sync that came after the other's.
fn is_contradicted(snapshot: &Snapshot, other: &OtherHpa) -> bool {
    let is_before = |at| snapshot.history.status_written.is_some_and(|written| at < written);
    is_settled(snapshot, other) || other.signs.written.is_some_and(is_before)
}

/// Whether the sync of its last status, or one that left the same, came after the controller had started.
fn outlasts_start(snapshot: &Snapshot, other: &OtherHpa) -> bool {
    let Some(started) = snapshot.controller.started_at() else { return true };
    let is_later = other.signs.written.is_some_and(|written| started < written);
    is_later || other.signs.reaches == Some(true) && Standing { snapshot }.is_two_syncs_ago(started)
}

/// Whether the last verdict on the selector, of whatever sync, names it.
fn was_named(snapshot: &Snapshot, key: &HpaKey) -> bool {
    let active =
        Standing { snapshot }.condition(ConditionType::ScalingActive, ConditionReason::AmbiguousSelector);
    active.is_some_and(|active| is_named(&active.message, key))
}

/// `[shop/web shop/web-b]` in the message names it.
fn is_named(message: &str, key: &HpaKey) -> bool {
    let list = message.rsplit_once('[').map_or("", |(_, list)| list);
    let mut keys = list.split([' ', ']', ')']);
    keys.any(|name| name.split_once('/') == Some((&*key.namespace, &*key.name)))
}

/// By the last status, if it is of this spec and of a sync of the controller that runs.
fn last_verdict(snapshot: &Snapshot) -> LastVerdict<'_> {
    let standing = Standing { snapshot };
    let status = &snapshot.hpa.status;
    let started = snapshot.controller.started_at();
    let written = snapshot.history.status_written;
    let is_after = |at| written.is_some_and(|written| at < written) || standing.is_two_syncs_ago(at);
    if !standing.is_of_the_controller() || !started.is_none_or(is_after) {
        return LastVerdict::NotKnown;
    }
    if let Some(active) = standing.condition(ConditionType::ScalingActive, ConditionReason::AmbiguousSelector)
    {
        return if standing.ended_at_metrics() {
            LastVerdict::Ambiguous(&active.message)
        } else {
            LastVerdict::NotKnown
        };
    }
    let has_metrics = status.current_metrics.as_ref().is_some_and(|metrics| !metrics.is_empty());
    let able = status.condition(ConditionType::AbleToScale).and_then(Condition::known_reason);
    if has_metrics && able != Some(ConditionReason::FailedGetScale) {
        LastVerdict::Good
    } else {
        LastVerdict::NotKnown
    }
}

//! The time between two looks that read the replicas.

use super::deciding;
use super::known_rescale::KnownRescale;
use super::look::{Edition, Look};
use super::replica_change::{ChangeCause, ChangeSource, ReplicaChange};
use super::setter::Setter;
use crate::model::{Duration, Instant, Replicas};
use crate::snapshot::RescaleEventReason;

/// Event times are whole seconds, and so is the first answer that the clock of a watch is set by.
const SECOND: Duration = Duration::from_seconds(1);

/// Two looks that read the replicas, and what happened between them.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// The numbers of the looks that begin and end it.
    pub numbers: (u64, u64),
    /// The target at the last look before it.
    earlier: Option<Edition>,
    before: Look,
    after: Look,
    /// The look after that.
    next: Option<Look>,
}

/// How a rescale belongs to a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// It left the replicas that the later look read, so it may be the only change.
    Whole,
    /// There were other changes, too.
    Part,
    /// It is not known whether there were as many changes. The target is read after its scale: what changed it in between counts
    /// for this stretch and for the next one.
    Perhaps,
}

impl Stretch {
    /// Between two looks, after one that saw this edition of the target.
    pub fn new(numbers: (u64, u64), earlier: Option<Edition>, before: Look, after: Look) -> Self {
        Self { numbers, earlier, before, after, next: None }
    }

    /// Takes the next look that read the replicas, if it has none so far.
    pub fn go_on(&mut self, next: &Look) {
        self.next.get_or_insert_with(|| next.clone());
    }

    /// The look that begins it.
    pub fn into_before(self) -> Look {
        self.before
    }

    /// How a rescale belongs here; `None` if it does not.
    pub fn fits(&self, rescale: &KnownRescale) -> Option<Fit> {
        let (from, to) = self.replicas()?;
        if rescale.target.as_ref().is_some_and(|target| *target != self.before.hpa().target) {
            return None;
        }
        let finds = rescale.from.unwrap_or(from);
        let is_last = rescale.to == to && !matches!(self.setter(), Some(Setter::Manager(_)));
        if is_last && finds == from {
            return (from != to).then_some(Fit::Whole);
        }
        // One from the replicas before to those that it found, its own, and one from there to the replicas after.
        let steps = i64::from(finds != from) + i64::from(rescale.to != to) + 1;
        let is_possible = rescale.to != finds && edits(self.earlier, self.after.edition())? >= steps;
        let is_shown =
            || edits(self.before.edition(), self.after.edition()).is_some_and(|edits| edits >= steps);
        is_possible.then(|| if is_shown() { Fit::Part } else { Fit::Perhaps })
    }

    /// Whether a time to the second is none after it.
    pub fn is_before_end(&self, at: Instant) -> bool {
        at <= self.after.ended()
    }

    /// Whether a time to the second may be within it.
    pub fn may_include(&self, at: Instant) -> bool {
        self.may_begin_before(at) && self.is_before_end(at)
    }

    /// Whether a time to the second may be none before it.
    pub fn may_begin_before(&self, at: Instant) -> bool {
        self.before.begun <= at + SECOND
    }

    /// Whether a time to the second is within it, and in neither of the looks.
    pub fn includes(&self, at: Instant) -> bool {
        self.before.ended() + SECOND <= at && at + SECOND <= self.after.begun
    }

    /// Whether it ends at another target than it begins.
    pub fn is_switch(&self) -> bool {
        !self.before.is_of_same_target(&self.after)
    }

    /// Whether the controller set the last replicas, as far as the managed fields show.
    pub fn is_by_controller(&self) -> bool {
        self.setter() == Some(Setter::Controller)
    }

    /// Each change, oldest first, with the rescales that belong here.
    pub fn changes(&self, mut rescales: Vec<&KnownRescale>) -> Vec<ReplicaChange> {
        let Some((from, to)) = self.replicas() else { return self.retargeted().into_iter().collect() };
        let (mut current, mut changes) = (from, Vec::new());
        while let Some(rescale) = take_next(&mut rescales, (current, to)) {
            let found = rescale.from.filter(|found| *found != current);
            if found.is_some() || rescale.to != current {
                let change = self.change(current, rescale.to, self.cause(rescale, current));
                changes.push(ReplicaChange { at: Some(rescale.at), found, ..change });
                current = rescale.to;
            }
        }
        if current != to {
            changes.push(self.change(current, to, self.unshown()));
        }
        changes
    }

    /// The replicas at its ends, if they are those of one target.
    fn replicas(&self) -> Option<(Replicas, Replicas)> {
        self.before.replicas().zip(self.after.replicas()).filter(|_| !self.is_switch())
    }

    fn retargeted(&self) -> Option<ReplicaChange> {
        let cause = ChangeCause::Retargeted(self.after.hpa().target.clone());
        let (after, seen) = (self.before.begun, self.after.ended());
        let (from, to) = (self.before.replicas(), self.after.replicas());
        let (found, count, source) = (None, 1, ChangeSource::Look);
        let switch = ReplicaChange { after, seen, at: None, from, to, found, cause, count, source };
        self.is_switch().then_some(switch)
    }

    fn change(&self, from: Replicas, to: Replicas, cause: ChangeCause) -> ReplicaChange {
        let (after, seen) = (self.before.begun, self.after.ended());
        let (from, to, source) = (Some(from), Some(to), ChangeSource::Look);
        ReplicaChange { after, seen, at: None, from, to, found: None, cause, count: 1, source }
    }

    fn setter(&self) -> Option<Setter<'_>> {
        Setter::of(&self.after, self.next.as_ref()?)
    }

    fn cause(&self, rescale: &KnownRescale, from: Replicas) -> ChangeCause {
        if let Some(name) = &rescale.by {
            return ChangeCause::OtherHpa(name.clone());
        }
        let reason = rescale.reason.unwrap_or(RescaleEventReason::Unclear);
        if rescale.from.is_some_and(|found| found != from) {
            return ChangeCause::Hpa(reason);
        }
        if deciding::shows(&self.before.explained, (from, rescale.to), rescale.reason) {
            return ChangeCause::Decided(self.before.explained.cause().map(|cause| cause.code));
        }
        if self.rules_out(reason, from, rescale.to) {
            ChangeCause::HpaFromUnseen(reason)
        } else {
            ChangeCause::Hpa(reason)
        }
    }

    /// Whether the controller cannot have found these replicas, if it gives this reason for the rescale. The bounds count if nobody
    /// edited the HPA between the looks.
    fn rules_out(&self, reason: RescaleEventReason, from: Replicas, to: Replicas) -> bool {
        let (hpa, hpa_before) = (self.after.hpa(), self.before.hpa());
        let is_unedited = hpa.generation == hpa_before.generation;
        match reason {
            RescaleEventReason::AboveMax => to > from || is_unedited && from <= hpa.max,
            RescaleEventReason::BelowMin => to < from || is_unedited && from >= hpa.min && from > Replicas(0),
            RescaleEventReason::AboveTarget => to < from,
            RescaleEventReason::BelowTarget => to > from,
            RescaleEventReason::Unclear => false,
        }
    }

    /// Who made the last change, if no rescale is known that did.
    fn unshown(&self) -> ChangeCause {
        match self.setter() {
            Some(Setter::Manager(name)) => ChangeCause::Manager(name.into()),
            Some(Setter::Controller) => ChangeCause::AnyHpa,
            None => ChangeCause::Unknown,
        }
    }
}

/// How often the spec of a target was changed between two looks, by when it was made and its generations.
fn edits(before: Option<Edition>, after: Option<Edition>) -> Option<i64> {
    let ((created, generation), (created_then, generation_then)) = before.zip(after)?;
    (created == created_then).then_some(generation_then - generation)
}

/// Takes the rescale that came next out of a list, between these replicas and the last ones. Of those within a second, as a status
/// tells the time a little later than an event, it is one that found these replicas, or that left what another one found.
fn take_next<'a>(
    rescales: &mut Vec<&'a KnownRescale>,
    (current, last): (Replicas, Replicas),
) -> Option<&'a KnownRescale> {
    let earliest = rescales.iter().map(|it| it.at).min()?;
    let order = |it: &KnownRescale| {
        let is_found = rescales.iter().any(|other| other.from == Some(it.to));
        (it.from != Some(current), !is_found, it.to == last, it.at)
    };
    let early = rescales.iter().enumerate().filter(|(_, it)| it.at <= earliest + SECOND);
    let (place, _) = early.min_by_key(|(_, it)| order(it))?;
    Some(rescales.remove(place))
}

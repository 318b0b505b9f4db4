//! A rescale by an HPA, as its event or its status shows it.

use super::look::Look;
use crate::model::{Duration, Instant, ObjectReference, Replicas};
use crate::snapshot::{OtherHpa, Rescale, RescaleEventReason, StatusRescale};

/// A rescale that an HPA has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnownRescale {
    /// The name of another HPA; `None` is the HPA itself.
    pub by: Option<Box<str>>,
    /// Of which target, which an event does not tell.
    pub target: Option<ObjectReference>,
    /// When, to the second.
    pub at: Instant,
    /// The replicas that it found, which only a status tells.
    pub from: Option<Replicas>,
    /// The replicas that it set.
    pub to: Replicas,
    /// What its event says of the reason; `None` without an event.
    pub reason: Option<RescaleEventReason>,
}

impl KnownRescale {
    /// The rescales that a look shows and the look before it did not.
    pub fn new_at(now: &Look, before: &Look) -> Vec<Self> {
        let mut new: Vec<Self> = Vec::new();
        let all =
            events(now, before).map(Self::of_event).chain(status(now, before)).chain(rivals(now, before));
        for rescale in all {
            if !new.iter_mut().any(|it| it.absorb(&rescale)) {
                new.push(rescale);
            }
        }
        new
    }

    /// Takes what an event and a status tell of one rescale together. The event comes first: lastScaleTime is set after it.
    pub fn absorb(&mut self, other: &Self) -> bool {
        let (event, status) = if self.reason.is_some() { (&*self, other) } else { (other, &*self) };
        let is_pair = event.reason.is_some() && event.from.is_none() && status.reason.is_none();
        let is_same = (&event.by, event.to) == (&status.by, status.to)
            && (event.at..=event.at + Duration::from_seconds(1)).contains(&status.at);
        if is_pair && is_same {
            (self.from, self.reason, self.at, self.target) =
                (status.from, event.reason, event.at, status.target.clone());
        }
        is_pair && is_same
    }

    fn of_event(event: &Rescale) -> Self {
        Self { by: None, target: None, at: event.last, from: None, to: event.to, reason: Some(event.reason) }
    }

    fn of_status(by: Option<Box<str>>, target: &ObjectReference, rescale: StatusRescale) -> Self {
        Self {
            by,
            target: Some(target.clone()),
            at: rescale.at,
            from: Some(rescale.from),
            to: rescale.to,
            reason: None,
        }
    }
}

/// The new events of the HPA. They name no target: after two edits between the looks it may have been another one.
fn events<'a>(now: &'a Look, before: &'a Look) -> impl Iterator<Item = &'a Rescale> {
    let edits = now.hpa().generation - before.hpa().generation;
    let is_one_target = now.is_of_same_target(before) && (0..=1).contains(&edits);
    let known = &before.history().rescales;
    now.history().rescales.iter().filter(move |event| is_one_target && !known.contains(event))
}

fn status(now: &Look, before: &Look) -> Option<KnownRescale> {
    let status = &now.hpa().status;
    let is_new = status.last_scale_time != before.hpa().status.last_scale_time;
    let rescale = StatusRescale::of(status, now.hpa().generation)?;
    (is_new && !now.history().is_status_edited)
        .then(|| KnownRescale::of_status(None, &now.hpa().target, rescale))
}

fn rivals<'a>(now: &'a Look, before: &'a Look) -> impl Iterator<Item = KnownRescale> + 'a {
    let known = |rival: &OtherHpa| before.explained.others().find(|other| other.key == rival.key);
    now.rivals().filter_map(move |rival| {
        let rescale = rival.rescale.filter(|it| known(rival).and_then(|other| other.rescale) != Some(*it))?;
        Some(KnownRescale::of_status(Some(rival.key.name.clone()), &rival.target, rescale))
    })
}

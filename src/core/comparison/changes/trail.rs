//! All changes that a watch saw, each once.

use std::collections::VecDeque;

use super::known_rescale::KnownRescale;
use super::look::{Edition, Look};
use super::replica_change::{ChangeCause, ReplicaChange};
use super::stretch::{Fit, Stretch};
use crate::model::Duration;

/// So many looks later all has been read that shows a sync, unless the API server is slow or has lost some of it: the look
/// after a sync reads its event and its status, and one more look shows which replicas the managed fields were about.
const USUAL: u64 = 2;
/// So far the controller's clock may be behind that of a watch.
const CLOCKS: Duration = Duration::from_seconds(2);
/// So many looks later nothing else is to be expected. The other HPAs may be read once in a sync period alone, which has five looks.
const LATEST: u64 = 8;

/// What a watch saw of the replicas of one HPA's target.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// How many looks there were.
    number: u64,
    last: Option<Look>,
    /// The last look that read the replicas, or found another target.
    counted: Option<(u64, Look)>,
    /// The target at the last such look before that.
    earlier: Option<Edition>,
    /// What is not told yet, oldest first.
    stretches: VecDeque<Stretch>,
    /// The rescales that the last looks showed.
    found: Vec<Found>,
}

/// A rescale that a look showed.
#[derive(Clone, Debug)]
struct Found {
    rescale: KnownRescale,
    /// The number of the look.
    by: u64,
    /// The stretch that it belongs to, by its numbers, once that is known.
    place: Option<(u64, u64)>,
}

impl Trail {
    /// Takes a look. Returns the changes about which nothing else is to be expected, oldest first, each with the look before it.
    pub fn see(&mut self, look: Look) -> Vec<(ReplicaChange, Look)> {
        self.number += 1;
        if let Some(last) = self.last.replace(look.clone()) {
            for rescale in KnownRescale::new_at(&look, &last) {
                self.find(rescale);
            }
        }
        self.found.retain(|found| found.by + 2 * LATEST > self.number);
        self.count(look);
        // The look after the one that showed it tells whose replicas that one read.
        self.place(self.number - 1);
        self.told(self.number)
    }

    /// The changes that are not told yet.
    pub fn end(&mut self) -> Vec<(ReplicaChange, Look)> {
        self.place(self.number);
        self.told(self.number + LATEST)
    }

    fn find(&mut self, rescale: KnownRescale) {
        if !self.found.iter_mut().any(|found| found.rescale.absorb(&rescale)) {
            self.found.push(Found { rescale, by: self.number, place: None });
        }
    }

    fn count(&mut self, look: Look) {
        let is_switched = self.counted.as_ref().is_some_and(|(_, before)| !before.is_of_same_target(&look));
        if look.replicas().is_none() && !is_switched {
            return;
        }
        self.stretches.iter_mut().for_each(|stretch| stretch.go_on(&look));
        if let Some((begin, before)) = self.counted.replace((self.number, look.clone())) {
            let edition = before.edition().filter(|_| !is_switched);
            let earlier = std::mem::replace(&mut self.earlier, edition).filter(|_| !is_switched);
            self.stretches.push_back(Stretch::new((begin, self.number), earlier, before, look));
        }
    }

    /// Finds the stretches of the rescales that looks up to this one showed.
    fn place(&mut self, latest: u64) {
        let stretches = &self.stretches;
        for found in self.found.iter_mut().filter(|it| it.by <= latest && it.place.is_none()) {
            found.place = found.place_in(stretches);
        }
    }

    fn told(&mut self, now: u64) -> Vec<(ReplicaChange, Look)> {
        let mut told = Vec::new();
        while let Some(stretch) = self.stretches.front() {
            let here = self.found.iter().filter(|it| it.place == Some(stretch.numbers));
            let changes = stretch.changes(here.map(|it| &it.rescale).collect());
            let is_open = |it: &ReplicaChange| matches!(it.cause, ChangeCause::Unknown | ChangeCause::AnyHpa);
            let wait = if changes.iter().any(is_open) { LATEST } else { USUAL };
            if now < stretch.numbers.1 + wait {
                break;
            }
            let before = self.stretches.pop_front().map(Stretch::into_before);
            told.extend(changes.into_iter().zip(before.into_iter().cycle()));
        }
        told
    }
}

impl Found {
    /// The stretch that it belongs to. The controller emits the event after it has written the scale, and a look reads the events
    /// before the scale, so none that begins with that look or a later one.
    fn place_in(&self, stretches: &VecDeque<Stretch>) -> Option<(u64, u64)> {
        let is_recent = |it: &&Stretch| it.numbers.1 + 1 >= self.by;
        // An event does not say which target it is about, and a sync that began before a switch may end after it.
        let is_doubtful =
            self.rescale.from.is_none() && stretches.iter().filter(is_recent).any(Stretch::is_switch);
        let is_complete = stretches.back().is_some_and(|last| last.numbers.1 >= self.by);
        if is_doubtful || !is_complete {
            return None;
        }
        let (is_own, at) = (self.rescale.by.is_none(), self.rescale.at);
        let fitting = || {
            let earlier = stretches.iter().filter(|it| it.numbers.0 < self.by && it.is_before_end(at));
            earlier.filter_map(|it| Some((it, it.fits(&self.rescale)?)))
        };
        let whole = || fitting().filter(|(_, fit)| *fit == Fit::Whole).map(|(it, _)| it);
        // The controller's clock may be late. An event that is new at a look needs no clock; a status may be late itself.
        let is_prompt = |it: &&Stretch| self.rescale.reason.is_some() || it.may_begin_before(at + CLOCKS);
        let newest = || whole().rfind(|it| is_own && is_recent(it) && is_prompt(it));
        let is_shown = |it: &&Stretch| self.rescale.from.is_some() || it.is_by_controller();
        // Another HPA's status does not show whether it was the only change.
        let only_whole = || {
            let here = fitting().filter(|(it, fit)| (*fit == Fit::Whole || !is_own) && it.may_include(at));
            only(here).filter(|(_, fit)| *fit == Fit::Whole).map(|(it, _)| it).filter(is_shown)
        };
        let only_part = || only(fitting().filter(|(it, fit)| *fit != Fit::Whole && it.may_include(at)));
        let is_certain = |it: &&Stretch| if is_own { is_recent(it) } else { it.includes(at) };
        let part = || only_part().filter(|(_, fit)| *fit == Fit::Part).map(|(it, _)| it).filter(is_certain);
        newest().or_else(only_whole).or_else(part).map(|stretch| stretch.numbers)
    }
}

/// The only item.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}

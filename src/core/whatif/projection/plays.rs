//! The plays between which what really happens lies.

use super::play::{Play, Played};
use super::{Projection, Rest};
use crate::memory_bounds::longest_wait;
use crate::model::{Duration, Memory, Replicas};
use crate::rules::Rules;
use crate::snapshot::Snapshot;

/// The same world with the memories and the syncs that are possible.
pub(super) struct Plays {
    current: Option<Replicas>,
    /// With the loosest memory, each sync as soon as it can be.
    soonest: Played,
    /// With the tightest one, if that is another.
    tightest: Option<Played>,
    /// With the tightest one, each sync as late as it can be.
    late: Played,
}

impl Plays {
    pub(super) fn of(snapshot: &Snapshot, rules: &Rules, loosest: &Memory, tightest: &Memory) -> Self {
        let play = |memory: &Memory, late| Play { rules, late }.of(snapshot, memory);
        Self {
            current: snapshot.scale.as_ref().ok().map(|scale| scale.replicas),
            soonest: play(loosest, Duration::ZERO),
            tightest: (loosest != tightest).then(|| play(tightest, Duration::ZERO)),
            late: play(tightest, longest_wait(snapshot.controller.sync_period.value)),
        }
    }

    /// Whether one story tells them all. Where the syncs are late it may leave steps out, as one sync then does what two do,
    /// but it may not take others.
    pub(super) fn agree(&self) -> bool {
        let mut told = self.course(&self.soonest);
        let is_told = self.course(&self.late).all(|count| told.any(|it| it == count));
        let ends = |played: &Played| (played.is_known, played.goes_on);
        let rests_there = self.soonest.goes_on || self.soonest.last() == self.late.last();
        self.tightest.as_ref().is_none_or(|it| *it == self.soonest)
            && is_told
            && rests_there
            && ends(&self.soonest) == ends(&self.late)
    }

    pub(super) fn told(self) -> Projection {
        let Played { first: _, steps, is_known, goes_on } = self.soonest;
        Projection { steps, is_known, goes_on, rest: None }
    }

    /// Where all of them rest, if each goes there without turning: what is between them goes there between them.
    pub(super) fn rest(&self) -> Option<Rest> {
        let current = self.current?;
        let rest = self.late.rest()?;
        let turns = |played: &Played| {
            let counts = || self.course(played);
            let is_up = rest.replicas > current;
            !counts().zip(counts().skip(1)).all(|(one, next)| if is_up { one <= next } else { one >= next })
        };
        let rests_there = |played: &Played| played.rest().is_some_and(|it| it.replicas == rest.replicas);
        let mut all = [&self.soonest, &self.late].into_iter().chain(&self.tightest);
        all.all(|played| rests_there(played) && !turns(played)).then_some(rest)
    }

    /// The counts from now on.
    fn course(&self, played: &Played) -> impl Iterator<Item = Replicas> {
        self.current.into_iter().chain(played.counts())
    }
}

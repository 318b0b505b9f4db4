//! The same plan, run again with something changed: chance goes by occasion, so that all else comes as it came before.

use std::collections::BTreeMap;

use super::draw::Draw;
use super::time::Due;
use super::world::{Millis, SECOND, World};

/// What is drawn from the seed at an occasion.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// Occasions at which something else is drawn.
    pub salts: BTreeMap<Occasion, u64>,
    /// When the controller's syncs are to begin, and when they began the first time.
    pub syncs: Vec<(Millis, Millis)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Occasion {
    /// The sync that begins then.
    Sync(Millis),
    /// The target's controller acts.
    Target(Millis),
    /// A rival syncs.
    Rival(Millis),
    /// What comes of an act later.
    Later(Millis),
    /// An act, and how many of it there were before.
    Act(usize, usize),
}

/// Occasions are taken for the same if they are no further apart.
const NEAR: Millis = 400;

impl Replay {
    /// When the sync that begins about now began the first time.
    fn first(&self, sync: Millis) -> Millis {
        let near = self.syncs.iter().filter(|(at, _)| (at - sync).abs() <= NEAR);
        near.min_by_key(|(at, _)| (at - sync).abs()).map_or(sync, |(_, first)| *first)
    }
}

impl World {
    /// From here on what is drawn depends only on the occasion, if the world is run more than once.
    pub fn anchor(&mut self, due: &Due) {
        let Some(replay) = &self.replay else { return };
        let at = match self.syncs.last() {
            _ if matches!(due, Due::Sync) => replay.first(self.now),
            Some(sync) if *sync >= self.now - NEAR => replay.first(*sync),
            _ => self.now,
        };
        let occasion = match due {
            Due::Sync => Occasion::Sync(at),
            Due::Target => Occasion::Target(at),
            Due::Rival(_) => Occasion::Rival(at),
            Due::Later(_) => Occasion::Later(at),
            Due::Act(act) => {
                let before = &self.plan.acts[..self.next_act];
                Occasion::Act(*act, before.iter().filter(|(_, other)| other == act).count())
            }
        };
        let salt = replay.salts.get(&occasion).copied().unwrap_or_default();
        self.draw = Draw::new(self.plan.seed ^ occasion.number() ^ salt);
        self.draw = Draw::new(self.draw.next());
    }

    /// How late the next sync is. When it is to begin, it does, if a busy controller can be as late.
    pub fn lateness(&mut self) -> Millis {
        let drawn = self.draw.between(0, self.plan.busy);
        let Some(replay) = self.replay.as_ref().filter(|replay| !replay.syncs.is_empty()) else {
            return drawn;
        };
        let soonest = self.now + self.plan.period;
        let next = replay.syncs.iter().map(|(at, _)| *at).find(|at| *at >= soonest);
        next.map(|next| next - soonest).filter(|late| *late <= self.latest()).unwrap_or(drawn)
    }

    pub fn has_schedule(&self) -> bool {
        self.replay.as_ref().is_some_and(|replay| !replay.syncs.is_empty())
    }

    /// As late as a busy controller comes that is late besides (`failing::late_sync`).
    pub fn latest(&self) -> Millis {
        self.plan.period + 14 * SECOND
    }
}

impl Occasion {
    fn number(self) -> u64 {
        let (kind, number) = match self {
            Self::Sync(at) => (1, at.cast_unsigned()),
            Self::Target(at) => (2, at.cast_unsigned()),
            Self::Later(at) => (3, at.cast_unsigned()),
            Self::Rival(at) => (5, at.cast_unsigned()),
            Self::Act(act, before) => (4, (act * 1_000 + before) as u64),
        };
        (kind << 56) ^ number.wrapping_mul(0x9e37_79b9)
    }
}

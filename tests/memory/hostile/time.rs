//! How time passes in the world.

use super::act::ACTS;
use super::world::{Faults, Millis, World};

/// What comes next.
pub enum Due {
    Sync,
    Target,
    Rival(usize),
    Later(usize),
    Act(usize),
}

impl World {
    /// Lets time pass, with all that happens in it.
    pub fn pass(&mut self, until: Millis) {
        while let Some((at, due)) = self.next(until) {
            self.now = self.now.max(at);
            self.happen(&due);
        }
        self.now = self.now.max(until);
    }

    fn happen(&mut self, due: &Due) {
        self.anchor(due);
        match *due {
            Due::Sync => self.sync(),
            Due::Target => self.react(),
            Due::Rival(index) => self.sync_rival(index),
            Due::Later(index) => {
                let (_, then, value) = self.later.remove(index);
                then(self, value);
            }
            Due::Act(act) => {
                self.next_act += 1;
                if !self.is_away() {
                    let (what, make) = ACTS[act];
                    let detail = make(self);
                    self.done(what, detail);
                }
            }
        }
    }

    /// What comes next, if it comes until then.
    fn next(&self, until: Millis) -> Option<(Millis, Due)> {
        let sync = self.controller.next_sync.filter(|_| self.controller.runs).map(|at| (at, Due::Sync));
        let target = self.target.reacts.filter(|_| self.controller.runs).map(|at| (at, Due::Target));
        let rivals = self.rivals.iter().enumerate().filter(|_| self.controller.runs);
        let rivals = rivals.filter_map(|(index, rival)| Some((rival.next_sync?, Due::Rival(index))));
        let later = self.later.iter().enumerate().map(|(index, (at, _, _))| (*at, Due::Later(index)));
        let act = self.plan.acts.get(self.next_act).map(|(at, act)| (*at, Due::Act(*act)));
        let act = act.filter(|_| self.stays_from.is_none());
        let all = sync.into_iter().chain(target).chain(rivals).chain(later).chain(act);
        all.min_by_key(|(at, _)| *at).filter(|(at, _)| *at <= until)
    }

    /// Whether the API server is.
    pub fn is_away(&self) -> bool {
        self.now < self.faults.away_until
    }

    /// The same world in which nothing happens any more but syncs.
    pub fn at_rest(&self) -> Self {
        let mut world = self.clone();
        world.stays_from = Some(world.seen_at());
        world.later.clear();
        world.target.reacts = None;
        // What is refused to the controller stays refused, and rivals go on.
        world.refusals = self.refused().into_iter().map(|refusal| (Millis::MAX, refusal)).collect();
        world.faults = Faults { metric: world.faults.metric, ..Faults::default() };
        world
    }

    /// The same world as it is assumed to go on: nothing happens any more but syncs, ready pods share the load, and no rolling
    /// update goes on, not even one that nothing shows yet.
    pub fn simple(&self) -> Self {
        let mut world = Self { shared: Some(super::measure::used(self)), ..self.at_rest() };
        let newest = world.target.sets.last().map_or(0, |(number, _)| *number);
        world.target.sets = vec![(newest, world.target.replicas)];
        world
    }
}

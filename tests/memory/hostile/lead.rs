//! Which controller leads, and when it looks at the HPA next.

use kubectl_hpa_core::model::Memory;

use super::recorder::Recorder;
use super::world::{Millis, World};

impl World {
    /// The HPA's key comes up after a while, or before if it was to come up before.
    pub fn enqueue(&mut self, wait: Millis) {
        let at = self.now + wait;
        self.controller.next_sync = Some(self.controller.next_sync.map_or(at, |next| next.min(at)));
    }

    /// The controller ends, and another one begins after a while.
    pub fn restart(&mut self, away: Millis) {
        self.controller.runs = false;
        self.later.push((self.now + away, |world, _| world.start(), 0));
    }

    fn start(&mut self) {
        let apart = self.rules.drops_types_apart;
        let controller = &mut self.controller;
        (controller.runs, controller.started, controller.next_sync) = (true, self.now, None);
        controller.memory = Memory::default();
        controller.held.clear();
        (controller.recorder, controller.target_recorder) = (Recorder::new(apart), Recorder::new(apart));
        let ready = self.draw.between(100, 3_000);
        if self.hpa.is_some() {
            let first = if self.counts_generations() { 0 } else { self.plan.period };
            self.enqueue(ready + first);
        }
        self.start_rivals(ready);
        self.target.reacts = Some(self.now + ready);
    }

    /// A controller that has just started has all HPAs listed: each is new to it.
    fn start_rivals(&mut self, ready: Millis) {
        for rival in &mut self.rivals {
            (rival.memory, rival.next_sync) = (Memory::default(), None);
        }
        if self.hpa.is_some() {
            self.controller.held.insert("web", None);
        }
        for index in 0..self.rivals.len() {
            if self.rivals[index].hpa.is_some() {
                self.controller.held.insert(self.rivals[index].name, None);
                let first = self.first_sync() + ready;
                self.rivals[index].enqueue(first);
            }
        }
    }

    /// When an HPA that is new to the controller, or edited, comes up.
    pub fn first_sync(&mut self) -> Millis {
        let soon = self.draw.between(2, 60);
        self.now + if self.counts_generations() { soon } else { self.plan.period }
    }
}

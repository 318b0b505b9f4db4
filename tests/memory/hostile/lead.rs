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
        (controller.recorder, controller.target_recorder) = (Recorder::new(apart), Recorder::new(apart));
        let ready = self.draw.between(100, 3_000);
        if self.hpa.is_some() {
            let first = if self.counts_generations() { 0 } else { self.plan.period };
            self.enqueue(ready + first);
        }
        self.target.reacts = Some(self.now + ready);
    }
}

//! The world: two targets, HPAs, and what happens to them in the order of time; with a log of what really happened.

use kubectl_hpa_core::model::{Duration, Instant};

use crate::hpa::{Hpa, Sync};
use crate::target::{Target, Who};

/// Milliseconds since the beginning of the world.
pub type Millis = i64;

pub fn at(millis: Millis) -> Instant {
    let start = Instant::parse("2026-11-26T10:00:00Z").expect("a time");
    start + Duration::from_nanoseconds(millis * 1_000_000)
}

/// What really happened to the replicas of a target.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    pub at: Millis,
    pub target: usize,
    pub from: i32,
    pub to: i32,
    pub who: Who,
    /// The replicas that an HPA had found.
    pub found: Option<i32>,
    /// What the event of an HPA says, or would say.
    pub reason: &'static str,
}

/// How the controller and the API server behave.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// From the begin of a sync to its write of the scale.
    pub write: Millis,
    /// From there to its event, and from that to its status.
    pub event: Millis,
    pub status: Millis,
    /// Whether the recorder drops the event, and the API server refuses the status.
    pub drops_event: bool,
    pub refuses_status: bool,
}

impl Pace {
    pub const QUICK: Self = Self { write: 5, event: 1, status: 5, drops_event: false, refuses_status: false };
}

/// What is still to come.
#[derive(Clone, Copy, Debug)]
enum Due {
    Scale(Sync, Pace),
    Event(Sync, Pace),
    Status(Sync),
}

/// A world.
#[derive(Clone, Debug)]
pub struct World {
    pub now: Millis,
    pub targets: [Target; 2],
    pub hpas: Vec<Hpa>,
    pub log: Vec<Write>,
    due: Vec<(Millis, Due)>,
}

impl World {
    pub fn new(hpas: Vec<Hpa>) -> Self {
        let targets = [Target::new("web", 4), Target::new("api", 7)];
        Self { now: 0, targets, hpas, log: Vec::new(), due: Vec::new() }
    }

    /// Lets time pass, with what is due.
    pub fn pass(&mut self, until: Millis) {
        while let Some(next) = self.next(until) {
            let (at, due) = self.due.remove(next);
            self.now = at;
            self.happen(due);
        }
        self.now = self.now.max(until);
    }

    fn next(&self, until: Millis) -> Option<usize> {
        let due = self.due.iter().enumerate().filter(|(_, (at, _))| *at <= until);
        due.min_by_key(|(_, (at, _))| *at).map(|(place, _)| place)
    }

    fn happen(&mut self, due: Due) {
        match due {
            // A write of a scale that was changed since it was read is a conflict.
            Due::Scale(sync, pace) if self.targets[sync.target].version != sync.version => {
                let sync = Sync { is_refused: true, ..sync };
                if !pace.refuses_status {
                    self.due.push((self.now + pace.event + pace.status, Due::Status(sync)));
                }
            }
            Due::Scale(sync, pace) => {
                let name = self.hpas[sync.hpa].name;
                let found = Some(sync.current);
                self.write(sync.target, Who::Hpa(name), sync.desired, found, sync.reason);
                self.due.push((self.now + pace.event, Due::Event(sync, pace)));
            }
            Due::Event(sync, pace) => {
                let sync = Sync { scaled: Some(self.now), ..sync };
                if !pace.drops_event {
                    let message = format!("New size: {}; reason: {}", sync.desired, sync.reason);
                    self.hpas[sync.hpa].emit(message, self.now);
                }
                if !pace.refuses_status {
                    self.due.push((self.now + pace.status, Due::Status(sync)));
                }
            }
            // A write of an HPA that was edited since is a conflict.
            Due::Status(sync) => {
                let hpa = &mut self.hpas[sync.hpa];
                if hpa.generation == sync.generation {
                    hpa.write_status(&sync);
                }
            }
        }
    }

    /// Somebody sets the replicas.
    pub fn set(&mut self, target: usize, who: Who, to: i32) {
        self.write(target, who, to, None, "");
    }

    fn write(&mut self, target: usize, who: Who, to: i32, found: Option<i32>, reason: &'static str) {
        let from = self.targets[target].replicas;
        if self.targets[target].set(who, to, self.now) {
            self.log.push(Write { at: self.now, target, from, to, who, found, reason });
        }
    }

    /// Somebody edits an HPA.
    pub fn edit(&mut self, hpa: usize, edit: impl FnOnce(&mut Hpa)) {
        edit(&mut self.hpas[hpa]);
        self.hpas[hpa].generation += 1;
    }

    /// The controller reads an HPA and its scale, and goes on from there.
    pub fn sync(&mut self, index: usize, pace: Pace) {
        let hpa = &self.hpas[index];
        let Target { replicas: current, version, .. } = self.targets[hpa.target];
        let (desired, reason) = hpa.decide(current);
        let (generation, target) = (hpa.generation, hpa.target);
        let sync = Sync {
            hpa: index,
            generation,
            target,
            current,
            desired,
            reason,
            version,
            scaled: None,
            is_refused: false,
        };
        if desired != current {
            self.due.push((self.now + pace.write, Due::Scale(sync, pace)));
        } else if !pace.refuses_status {
            self.due.push((self.now + pace.write + pace.status, Due::Status(sync)));
        }
    }
}

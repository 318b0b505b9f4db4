//! Times are promises too: what is said of an instant is checked against the future of the world. A new promise is one
//! function and one line of the table.

use kubectl_hpa_core::memory_bounds::Answer;
use kubectl_hpa_core::snapshot::Snapshot;
use kubectl_hpa_core::whatif::Outlook;

use super::world::{Millis, World, instant};

/// A check of what an answer about a snapshot promises, in the world as it was looked at; `None` if it promises nothing.
pub type Check = fn(&Snapshot, &Answer, &World) -> Option<Result<(), String>>;

pub const PROMISES: &[(&str, Check)] = &[("changes at the latest", changes_at_the_latest)];

/// What became of the promises of an answer.
#[derive(Default)]
pub struct Promises {
    pub given: usize,
    pub broken: Vec<String>,
}

pub fn follow(seen: &Snapshot, answer: &Answer, world: &World) -> Promises {
    let mut promises = Promises::default();
    for (name, check) in PROMISES {
        let Some(result) = check(seen, answer, world) else { continue };
        promises.given += 1;
        promises.broken.extend(result.err().map(|why| format!("{name}: {why}")));
    }
    promises
}

/// If load and pods stay, the first sync from the named instant on changes the replicas.
fn changes_at_the_latest(seen: &Snapshot, answer: &Answer, world: &World) -> Option<Result<(), String>> {
    let latest = Outlook::of(seen, &world.rules, answer).latest?.at;
    if latest < seen.taken_at {
        return Some(Err(format!("{latest} is in the past")));
    }
    let mut later = world.at_rest();
    let replicas = world.target.replicas;
    while later.target.replicas == replicas {
        let next = later.controller.next_sync?;
        let is_due = instant(next.max(later.now)) >= latest;
        later.pass(next);
        let (at, stands) = (instant(later.now), later.target.replicas == replicas);
        if stands && (is_due || later.now > world.now + LONGEST) {
            return Some(Err(format!("still {replicas} at {at}, promised for {latest}")));
        }
    }
    Some(Ok(()))
}

/// Nothing that the controller remembers is older.
const LONGEST: Millis = 1_000_000;

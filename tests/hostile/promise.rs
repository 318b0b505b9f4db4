//! Times are promises too: what is said of an instant is checked against the future of the world. A new promise is one
//! function and one line of the table.

use kubectl_hpa::recall::Answer;
use kubectl_hpa::snapshot::Snapshot;
use kubectl_hpa::whatif::Outlook;

use super::world::{Millis, World, instant};

/// A check of what an answer about a snapshot promises, in the world as it was looked at.
pub type Check = fn(&Snapshot, &Answer, &World) -> Result<(), String>;

pub const PROMISES: &[(&str, Check)] = &[("changes at the latest", changes_at_the_latest)];

/// All promises of an answer that are not kept.
pub fn broken(seen: &Snapshot, answer: &Answer, world: &World) -> Vec<String> {
    let broken =
        |(name, check): &(&str, Check)| check(seen, answer, world).err().map(|why| format!("{name}: {why}"));
    PROMISES.iter().filter_map(broken).collect()
}

/// If load and pods stay, the first sync from the named instant on changes the replicas.
fn changes_at_the_latest(seen: &Snapshot, answer: &Answer, world: &World) -> Result<(), String> {
    let Some(latest) = Outlook::of(seen, &world.rules, answer).latest else { return Ok(()) };
    if latest.at < seen.taken_at {
        return Err(format!("{} is in the past", latest.at));
    }
    let mut later = world.at_rest();
    while later.target.replicas == world.target.replicas {
        let Some(next) = later.controller.next_sync else { return Err("no sync".to_owned()) };
        let is_due = instant(next.max(later.now)) >= latest.at;
        later.pass(next);
        if is_due && later.target.replicas == world.target.replicas {
            return Err(format!(
                "still {} at {}, promised for {}",
                later.target.replicas,
                instant(later.now),
                latest.at
            ));
        }
        if later.now > world.now + LONGEST {
            return Err(format!("nothing by {}, promised for {}", instant(later.now), latest.at));
        }
    }
    Ok(())
}

/// Nothing that the controller remembers is older.
const LONGEST: Millis = 1_000_000;

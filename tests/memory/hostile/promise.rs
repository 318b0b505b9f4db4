//! Times are promises too: what is said of an instant is checked against the future of the world. A new promise is one
//! function and one line of the table.

use kubectl_hpa_core::memory_bounds::Answer;
use kubectl_hpa_core::model::{Duration, Instant, Replicas};
use kubectl_hpa_core::snapshot::Snapshot;
use kubectl_hpa_core::whatif::{Outlook, Projection, Step};

use super::world::{Millis, World, instant};

/// A check of what an answer about a snapshot promises, in the world as it was looked at; `None` if it promises nothing.
pub type Check = fn(&Snapshot, &Answer, &World) -> Option<Result<(), String>>;

pub const PROMISES: &[(&str, Check)] =
    &[("changes at the latest", changes_at_the_latest), ("rests", rests), ("follows", follows)];

/// What became of the promises of an answer.
#[derive(Default)]
pub struct Promises {
    /// Which ones, by their names.
    pub given: Vec<&'static str>,
    pub broken: Vec<String>,
}

pub fn follow(seen: &Snapshot, answer: &Answer, world: &World) -> Promises {
    let mut promises = Promises::default();
    for (name, check) in PROMISES {
        let Some(result) = check(seen, answer, world) else { continue };
        promises.given.push(*name);
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

/// The replicas after each sync of the world as it is assumed to go on.
fn goes_on(world: &World) -> impl Iterator<Item = (Instant, Replicas)> {
    let (mut later, end) = (world.simple(), world.now + LONGEST);
    std::iter::from_fn(move || {
        let next = later.controller.next_sync.filter(|next| *next <= end)?;
        later.pass(next.max(later.now));
        Some((instant(later.now), Replicas(later.target.replicas)))
    })
}

/// How much later than a period after the look the next sync comes: nobody can know that.
fn delay(seen: &Snapshot, world: &World) -> Duration {
    let next = instant(world.controller.next_sync.unwrap_or(world.now)).since(seen.taken_at);
    Duration::from_nanoseconds(next.nanoseconds() - seen.controller.sync_period.value.nanoseconds())
        .max(Duration::ZERO)
}

fn projected(seen: &Snapshot, answer: &Answer, world: &World) -> Projection {
    Projection::of(seen, &world.rules, answer)
}

/// Whatever the controller remembers, the replicas rest where and when it is said.
fn rests(seen: &Snapshot, answer: &Answer, world: &World) -> Option<Result<(), String>> {
    let rest = projected(seen, answer, world).rest?;
    let by = rest.by + delay(seen, world);
    let other = goes_on(world).find(|(at, replicas)| *at >= by && *replicas != rest.replicas);
    Some(other.map_or(Ok(()), |(at, replicas)| Err(format!("{replicas:?} at {at}, promised {rest:?}"))))
}

/// The replicas are what is said, or, for as long as nobody knows when the syncs are, what is said of a little before or of a
/// period after.
fn follows(seen: &Snapshot, answer: &Answer, world: &World) -> Option<Result<(), String>> {
    let projection = projected(seen, answer, world);
    let first = Step { at: seen.taken_at, replicas: answer.decision.desired()? };
    let current = Step { at: instant(-LONGEST), replicas: Replicas(world.target.replicas) };
    if !projection.is_known {
        return None;
    }
    let all: Vec<Step> = [current, first].into_iter().chain(projection.steps.iter().copied()).collect();
    let (period, delay) = (seen.controller.sync_period.value, delay(seen, world));
    let end = projection.steps.last().filter(|_| projection.goes_on).map(|step| step.at);
    for (at, replicas) in goes_on(world).take_while(|(at, _)| end.is_none_or(|end| *at < end)) {
        let past = all.iter().filter(|step| step.at <= at + period).count();
        // Each wait ends a sync period late at most.
        let late = (0..past).fold(delay, |late, _| late.plus(period));
        let since = all.iter().rposition(|step| step.at + late <= at).unwrap_or(0);
        if all[since..past].iter().all(|step| step.replicas != replicas) {
            return Some(Err(format!("{replicas:?} at {at}, promised {all:?}")));
        }
    }
    Some(Ok(()))
}

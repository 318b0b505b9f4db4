//! Times are promises too: what is said of an instant is checked against the future of the world. A new promise is one
//! function and one line of the table.

use std::cell::LazyCell;

use kubectl_hpa_core::memory_bounds::Answer;
use kubectl_hpa_core::model::{Duration, Instant, Replicas};
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::Snapshot;
use kubectl_hpa_core::whatif::{Outlook, Projection, Step};

use super::world::{Millis, World, instant};

/// A check of what an answer about a snapshot promises; `None` if it promises nothing.
type Check = fn(&Snapshot, &Answer, &Rules, &Future<'_>) -> Option<Result<(), String>>;

const PROMISES: &[(&str, Check)] =
    &[("changes at the latest", changes_at_the_latest), ("rests", rests), ("follows", follows)];

/// What became of the promises of an answer.
#[derive(Default)]
pub struct Promises {
    /// Which ones, by their names.
    pub given: Vec<&'static str>,
    pub broken: Vec<String>,
}

impl Promises {
    pub fn add(&mut self, other: Self) {
        self.given.extend(other.given);
        self.broken.extend(other.broken);
    }
}

/// When a sync began, which is when it decided, and the replicas that it left.
pub type Synced = (Instant, Replicas);

/// The syncs to come of a world in which nobody does anything any more, told on demand.
pub struct Future<'a> {
    /// Load and pods stay as they are.
    pub at_rest: Told<'a>,
    /// The load stays, and new pods share it at once.
    pub simple: Told<'a>,
}

type Told<'a> = LazyCell<Vec<Synced>, Box<dyn FnOnce() -> Vec<Synced> + 'a>>;

impl<'a> Future<'a> {
    pub fn of(world: &'a World) -> Self {
        Self {
            at_rest: LazyCell::new(Box::new(|| goes_on(world.at_rest()))),
            simple: LazyCell::new(Box::new(|| goes_on(world.simple()))),
        }
    }

    /// Told of already.
    pub fn kept(at_rest: Vec<Synced>, simple: Vec<Synced>) -> Self {
        Self { at_rest: LazyCell::new(Box::new(|| at_rest)), simple: LazyCell::new(Box::new(|| simple)) }
    }
}

pub fn follow(seen: &Snapshot, answer: &Answer, rules: &Rules, future: &Future<'_>) -> Promises {
    let mut promises = Promises::default();
    for (name, check) in PROMISES {
        let Some(result) = check(seen, answer, rules, future) else { continue };
        promises.given.push(*name);
        promises.broken.extend(result.err().map(|why| format!("{name}: {why}")));
    }
    promises
}

/// Nothing that the controller remembers is older.
const LONGEST: Millis = 1_000_000;

fn goes_on(mut world: World) -> Vec<Synced> {
    let end = world.now + LONGEST;
    let syncs = std::iter::from_fn(|| {
        let next = world.controller.next_sync.filter(|next| *next <= end)?;
        world.pass(next.max(world.now));
        let began = world.syncs.last().copied().unwrap_or(next);
        Some((instant(began), Replicas(world.target.replicas)))
    });
    syncs.collect()
}

/// If load and pods stay, the first sync from the named instant on changes the replicas.
fn changes_at_the_latest(
    seen: &Snapshot,
    answer: &Answer,
    rules: &Rules,
    future: &Future<'_>,
) -> Option<Result<(), String>> {
    let latest = Outlook::of(seen, rules, answer).latest?.at;
    if latest < seen.taken_at {
        return Some(Err(format!("{latest} is in the past")));
    }
    let current = seen.scale.as_ref().ok()?.replicas;
    let stood = future.at_rest.iter().take_while(|(_, replicas)| *replicas == current);
    let late = stood.clone().find(|(at, _)| *at >= latest);
    let never = stood.count() == future.at_rest.len();
    let still = late.or(future.at_rest.last().filter(|_| never));
    Some(still.map_or(Ok(()), |(at, _)| Err(format!("still {current:?} at {at}, promised for {latest}"))))
}

/// How much later than a period after the look the next sync comes: nobody can know that.
fn delay(seen: &Snapshot, future: &Future<'_>) -> Duration {
    let next = future.simple.first().map_or(Duration::ZERO, |(at, _)| at.since(seen.taken_at));
    Duration::from_nanoseconds(next.nanoseconds() - seen.controller.sync_period.value.nanoseconds())
        .max(Duration::ZERO)
}

/// Whatever the controller remembers, the replicas rest where and when it is said.
fn rests(seen: &Snapshot, answer: &Answer, rules: &Rules, future: &Future<'_>) -> Option<Result<(), String>> {
    let rest = Projection::of(seen, rules, answer).rest?;
    let by = rest.by + delay(seen, future);
    // What the last sync before has left is there at that time, too.
    let until_then = future.simple.iter().take_while(|(at, _)| *at <= by).count();
    let is_told = until_then < future.simple.len();
    let mut from_then_on = future.simple.iter().skip(until_then.saturating_sub(usize::from(is_told)));
    let other = from_then_on.find(|(_, replicas)| *replicas != rest.replicas);
    Some(other.map_or(Ok(()), |(at, replicas)| Err(format!("{replicas:?} at {at}, promised {rest:?}"))))
}

/// The replicas are what is said, or, for as long as nobody knows when the syncs are, what is said of a little before or of a
/// period after.
fn follows(
    seen: &Snapshot,
    answer: &Answer,
    rules: &Rules,
    future: &Future<'_>,
) -> Option<Result<(), String>> {
    let projection = Projection::of(seen, rules, answer);
    let first =
        Step { at: seen.taken_at, replicas: answer.decision.unwritten().or(answer.decision.desired())? };
    let current = Step { at: instant(-LONGEST), replicas: seen.scale.as_ref().ok()?.replicas };
    if !projection.is_known {
        return None;
    }
    let all: Vec<Step> = [current, first].into_iter().chain(projection.steps.iter().copied()).collect();
    let (period, delay) = (seen.controller.sync_period.value, delay(seen, future));
    let end = projection.steps.last().filter(|_| projection.goes_on).map(|step| step.at);
    for (at, replicas) in future.simple.iter().take_while(|(at, _)| end.is_none_or(|end| *at < end)) {
        let past = all.iter().filter(|step| step.at <= *at + period).count();
        // Each wait ends a sync period late at most.
        let late = (0..past).fold(delay, |late, _| late.plus(period));
        let since = all.iter().rposition(|step| step.at + late <= *at).unwrap_or(0);
        if all[since..past].iter().all(|step| step.replicas != *replicas) {
            return Some(Err(format!("{replicas:?} at {at}, promised {all:?}")));
        }
    }
    Some(Ok(()))
}

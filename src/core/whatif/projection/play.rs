//! A world, played from one instant at which something can change to the next.

use std::collections::BTreeSet;
use std::iter;

use super::whole::all_count;
use super::{Rest, Step};
use crate::engine::decide;
use crate::memory_bounds::longest_wait;
use crate::model::{Duration, Instant, Memory, Replicas};
use crate::play::{Assumptions, Player, Synced};
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::trace::{Decision, Outcome};
use crate::whatif::instants::{Cause, candidates};

/// How many syncs are played at most.
const SYNCS: usize = 2_000;

/// How many pods those syncs look at at most, all together.
const LOOKS: usize = 2_000_000;

/// How a world is played.
pub(super) struct Play<'a> {
    pub(super) rules: &'a Rules,
    /// How long after an instant at which something can change the next sync comes; zero if each comes as soon as it can.
    pub(super) late: Duration,
}

/// A world, played until it rests.
#[derive(PartialEq)]
pub(super) struct Played {
    pub(super) first: Option<Step>,
    pub(super) steps: Vec<Step>,
    pub(super) is_known: bool,
    pub(super) goes_on: bool,
}

impl Played {
    pub(super) fn counts(&self) -> impl Iterator<Item = Replicas> {
        self.first.iter().chain(&self.steps).map(|step| step.replicas)
    }

    pub(super) fn last(&self) -> Option<Replicas> {
        self.counts().last()
    }

    pub(super) fn rest(&self) -> Option<Rest> {
        let last = self.steps.last().copied().or(self.first);
        let Step { at, replicas } = last.filter(|_| self.is_known && !self.goes_on)?;
        Some(Rest { replicas, by: at })
    }
}

impl Play<'_> {
    pub(super) fn of(&self, snapshot: &Snapshot, memory: &Memory) -> Played {
        let mut found = Played { first: None, steps: Vec::new(), is_known: false, goes_on: false };
        let mut world = Snapshot { memory: memory.clone(), ..snapshot.clone() };
        let begin = self.begin(&world);
        world.taken_at = begin;
        let Ok(simple) = Assumptions::default().world(&world) else { return found };
        let Ok(mut player) = Player::start(world, simple, self.rules) else { return found };
        let Some(mut replicas) = player.sync().and_then(left) else { return found };
        found.first = Some(Step { at: begin, replicas });
        let mut rests = player.snapshot().scale.as_ref().is_ok_and(|scale| scale.replicas == replicas);
        let period = player.sync_period();
        let wait = longest_wait(period);
        let late = Duration::from_nanoseconds(wait.nanoseconds() - period.nanoseconds());
        let mut delay = wait;
        if !rests && self.may_change_less(&player, begin, replicas, begin + delay) {
            return found;
        }
        let mut looks = 0;
        for _ in 0..SYNCS {
            let next = match self.next(&mut player, begin, rests) {
                Next::Sync(next) => next,
                Next::Nothing => return Played { is_known: true, ..found },
                Next::Unknown => return found,
            };
            // Syncs that follow each other may each be late.
            delay = if rests { wait } else { delay.plus(late) };
            rests = next.replicas == replicas;
            if !rests {
                found.steps.push(next);
                replicas = next.replicas;
                if self.may_change_less(&player, begin, replicas, next.at + delay) {
                    return Played { steps: Vec::new(), ..found };
                }
            }
            looks += player.snapshot().pods.as_ref().map_or(0, |pods| pods.len());
            if looks > LOOKS {
                break;
            }
        }
        let goes_on = !found.steps.is_empty();
        Played { goes_on, is_known: goes_on, ..found }
    }

    /// The first sync: now or, if each is late, once it must have come and seen all that turned before.
    fn begin(&self, world: &Snapshot) -> Instant {
        let now = world.taken_at;
        if self.late == Duration::ZERO {
            return now;
        }
        let turns = turns(world, &world.memory, &decide(world, self.rules));
        self.first_of(iter::once(now).chain(turns)).unwrap_or(now)
    }

    /// The next sync that can change something: a period after the last one or, once nothing moves, as soon as time alone can.
    fn next(&self, player: &mut Player<'_>, begin: Instant, rests: bool) -> Next {
        let Some(last) = player.last() else { return Next::Unknown };
        let turns = || turns(player.snapshot(), &last.decision.memory, &last.decision);
        let sync = if rests {
            let Some(at) = self.first_of(turns()) else { return Next::Nothing };
            player.rest_until(at.since(begin))
        } else if self.late > Duration::ZERO {
            let last = begin + last.at;
            let at = self.first_of(iter::once(last).chain(turns())).unwrap_or(last);
            // Not all readings have the pace of such syncs: a new pod would have one of before it was there.
            player.rest_until(at.since(begin))
        } else {
            let next = last.at.plus(player.sync_period());
            player.sync_at(next)
        };
        let step = |sync: &Synced| Some(Step { at: begin + sync.at, replicas: left(sync)? });
        sync.and_then(step).map_or(Next::Unknown, Next::Sync)
    }

    /// Whether the last sync would have changed the replicas less, had it come later, but before an instant, or had a sync since
    /// the begin come as late before it.
    fn may_change_less(&self, player: &Player<'_>, begin: Instant, left: Replicas, until: Instant) -> bool {
        let (snapshot, Some(last)) = (player.snapshot(), player.last()) else { return false };
        let Ok(scale) = &snapshot.scale else { return false };
        if self.late > Duration::ZERO {
            return false;
        }
        let memory = &snapshot.memory;
        // Time alone lets a policy change less only by forgetting a rescale in the other direction.
        let turns = if memory.scale_ups.is_empty() || memory.scale_downs.is_empty() {
            BTreeSet::new()
        } else {
            turns(snapshot, memory, &last.decision)
        };
        // Of two policies one may let go of a late rescale before the other does.
        let newest = snapshot.taken_at - player.sync_period();
        let rescales = memory.scale_ups.iter().chain(&memory.scale_downs).map(|event| event.at);
        let mut movable = rescales.filter(|at| begin <= *at && *at < newest).peekable();
        if turns.is_empty() && movable.peek().is_none() {
            return false;
        }
        let changed = |replicas: Replicas| replicas.0.abs_diff(scale.replicas.0);
        let mut other = snapshot.clone();
        let forgets = turns.range(..until).any(|at| {
            other.taken_at = *at;
            decide(&other, self.rules).desired().is_none_or(|it| changed(it) < changed(left))
        });
        other.taken_at = snapshot.taken_at;
        let late = until.since(snapshot.taken_at);
        forgets
            || movable.any(|from| {
                other.memory.clone_from(memory);
                let Memory { scale_ups, scale_downs, .. } = &mut other.memory;
                for event in scale_ups.iter_mut().chain(scale_downs).filter(|event| event.at >= from) {
                    event.at = newest.min(event.at + late).max(event.at);
                }
                let less = decide(&other, self.rules).desired().map(changed);
                less.is_some_and(|less| 0 < less && less < changed(left))
            })
    }

    /// When the sync comes that sees the first of these instants, which are in order. A sync that is late for one may be early
    /// for the next, and then the one after it is late.
    fn first_of(&self, turns: impl IntoIterator<Item = Instant>) -> Option<Instant> {
        let mut turns = turns.into_iter();
        let first = turns.next()? + self.late;
        Some(turns.fold(first, |at, turn| if turn <= at { turn + self.late } else { at }))
    }
}

/// What comes after a sync.
enum Next {
    /// Another one, and what it leaves.
    Sync(Step),
    /// Nothing that changes anything.
    Nothing,
    Unknown,
}

/// What a sync leaves, where all pods counted for it.
fn left(sync: &Synced) -> Option<Replicas> {
    let replicas = match sync.decision.outcome {
        Outcome::Hold { at, .. } => at,
        Outcome::Scale { to, failed: None, .. } => to,
        Outcome::Scale { .. } | Outcome::NoScale | Outcome::Unknown(_) => return None,
    };
    all_count(&sync.decision).then_some(replicas)
}

/// The instants after a sync at which time alone can change what it decided, or would have decided later with such a memory.
/// What was recommended then as it is now holds nothing.
fn turns(snapshot: &Snapshot, memory: &Memory, decision: &Decision) -> BTreeSet<Instant> {
    let mut recommended = decision.memory.recommendations.iter();
    let now = recommended.find(|it| it.at == snapshot.taken_at).map(|it| it.replicas);
    let turns = candidates(snapshot, memory, decision).into_iter();
    let holds = |cause: Cause| match cause {
        Cause::RecommendationLeaves(replicas) => Some(replicas) != now,
        Cause::PodSettles(_) | Cause::PeriodEnds => true,
    };
    turns.filter(|(_, cause)| holds(*cause)).map(|(at, _)| at).collect()
}

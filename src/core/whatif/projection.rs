//! What the next syncs do, if the load stays: the world is played until nothing changes any more.

use std::cmp::Ordering;
use std::iter;

use super::instants::{Cause, candidates};
use super::outlook::next;
use crate::memory_bounds::{Answer, MemorySource};
use crate::model::{Duration, Evidence, Instant, Memory, MetricSpec, Replicas, TargetType};
use crate::play::{Assumptions, Player, Synced};
use crate::rules::Rules;
use crate::snapshot::{Pod, Snapshot};
use crate::trace::{Calculation, Decision, HoldReason, MetricTrace, Outcome, Proposal, TotalBasis, Verdict};

/// How many syncs are played at most.
const SYNCS: usize = 2_000;

/// How many pods those syncs look at at most, all together.
const LOOKS: usize = 2_000_000;

/// A change of the replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The sync that makes it: a sync period after the one before or, where the replicas rested, the first instant at which a
    /// window or a policy's period lets them change.
    pub at: Instant,
    /// The replicas from then on.
    pub replicas: Replicas,
}

/// Where the replicas rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The replicas.
    pub replicas: Replicas,
    /// From then on at the latest.
    pub by: Instant,
}

/// The changes of the replicas that follow on a decision, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Projection {
    /// Empty where nothing follows, or where what does is not known.
    pub steps: Vec<Step>,
    /// Whether it is known what follows, up to where the replicas rest; if so, no step means that they stay.
    pub is_known: bool,
    /// Whether the replicas were still changing where looking ahead ended.
    pub goes_on: bool,
    /// Where they rest, if no more than that is known: when they change hangs on a memory that is not.
    pub rest: Option<Rest>,
}

impl Projection {
    /// What follows on an answer in the simple world: the load stays, pods are ready at once and share it.
    ///
    /// Where the controller's memory is not known, the loosest and the tightest one are played. Not known where the decision
    /// is not; where pods are missing, unready, too many or too few, or somebody else's, only what time
    /// alone brings first is: as soon as those count, the decision is another one.
    #[must_use]
    pub fn of(snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Self {
        let projection = Self::played(snapshot, rules, answer);
        let first = projection.steps.first().map(|step| (step.at, step.replicas));
        match next(snapshot, rules, answer).map(|next| (next.at, next.replicas)) {
            // Time alone can make pods count that no play counts.
            Some((at, replicas)) if first != Some((at, replicas)) => {
                Self { steps: vec![Step { at, replicas }], ..Self::default() }
            }
            _ => projection,
        }
    }

    fn played(snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Self {
        if is_stuck(&answer.decision.outcome) {
            return Self { is_known: true, ..Self::default() };
        }
        if !is_whole(snapshot, &answer.decision) {
            return Self::default();
        }
        let play = |memory: &Memory, late| Play { rules, late }.of(snapshot, memory);
        let Some(bounds) = answer.memory_bounds.as_ref().filter(|_| !remembers(snapshot, answer)) else {
            let is_played = remembers(snapshot, answer) || !memory_matters(snapshot, &answer.decision);
            let played = is_played.then(|| play(&snapshot.memory, Duration::ZERO));
            return played.map_or_else(Self::default, Played::told);
        };
        // Of a decision by a bound nobody knows which memory is loose and which is tight.
        let Some(choice) = answer.decision.choice else { return Self::default() };
        let soonest = play(&bounds.loosest, Duration::ZERO);
        let latest = play(&bounds.tightest, Duration::ZERO);
        if soonest == latest {
            return soonest.told();
        }
        let late = play(&bounds.tightest, snapshot.controller.sync_period.value);
        let wanted = choice.after.max(snapshot.hpa.min).min(snapshot.hpa.max);
        let rest = one_rest(snapshot, [&soonest, &latest, &late]).filter(|rest| rest.replicas == wanted);
        Self { rest: rest.filter(|rest| is_only_rest(snapshot, rules, rest.replicas)), ..Self::default() }
    }

    /// The replicas in the end, of a decision that leaves `now`; `None` where they are not known or never rest.
    #[must_use]
    pub fn end(&self, now: Option<Replicas>) -> Option<Replicas> {
        let known =
            self.steps.last().map(|step| step.replicas).or(now).filter(|_| self.is_known && !self.goes_on);
        known.or(self.rest.map(|rest| rest.replicas))
    }
}

/// Whether the replicas stay for as long as all else stays as it is.
fn is_stuck(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Hold { reason, .. } => *reason != HoldReason::Decided,
        Outcome::NoScale | Outcome::Scale { .. } | Outcome::Unknown(_) => false,
    }
}

/// Whether what the controller remembers is known: before the first sync it is nothing.
fn remembers(snapshot: &Snapshot, answer: &Answer) -> bool {
    let mut sources = answer.memory_bounds.iter().flat_map(|bounds| &bounds.sources);
    !matches!(snapshot.memory_evidence, Evidence::Unknown | Evidence::Assumed)
        || sources.any(|it| *it == MemorySource::NeverReconciled)
}

/// Without `spec.behavior` nothing that is remembered bears on a scale-up.
fn memory_matters(snapshot: &Snapshot, decision: &Decision) -> bool {
    let current = snapshot.scale.as_ref().map(|scale| scale.replicas);
    let wants_more =
        decision.choice.is_some_and(|choice| current.is_ok_and(|current| choice.after > current));
    snapshot.hpa.behavior.is_some() || !wants_more
}

/// Whether there are as many pods as replicas and all of them count: while the target still follows, or where pods of somebody
/// else count, nobody knows who will share the load.
fn is_whole(snapshot: &Snapshot, decision: &Decision) -> bool {
    let Ok(scale) = &snapshot.scale else { return false };
    let is_all = |pods: usize| i32::try_from(pods) == Ok(scale.replicas.0);
    let are_ready = |metric: &MetricTrace| ready_pods(metric).is_none_or(is_all);
    let mut groups = decision.metrics.iter().filter_map(|metric| metric.groups.as_ref());
    // A bound decides before any metric is read.
    let needs_no_pod =
        |metric: &MetricSpec| metric.outlives_pods() && metric.target.kind == TargetType::AverageValue;
    let is_read = decision.choice.is_some() || snapshot.hpa.metrics.iter().all(needs_no_pod);
    let pods = || snapshot.pods.as_deref().unwrap_or_default();
    scale.observed == scale.replicas
        && groups.all(|groups| groups.foreign.is_empty() && is_all(groups.ready))
        && all_count(decision)
        && decision.metrics.iter().all(are_ready)
        && (is_read || is_all(pods().len()) && pods().iter().all(|pod| is_own_and_ready(snapshot, pod)))
}

/// The ready pods that the value of a metric is multiplied with.
fn ready_pods(metric: &MetricTrace) -> Option<usize> {
    match &metric.verdict {
        Verdict::Proposal(Proposal { calculation: Calculation::Total(total), .. }) => match total.basis {
            TotalBasis::ReadyPods(ready) => Some(ready),
            TotalBasis::FromZero | TotalBasis::WithinTolerance => None,
        },
        Verdict::Proposal(_) | Verdict::Failed(_) | Verdict::Unknown(_) => None,
    }
}

fn is_own_and_ready(snapshot: &Snapshot, pod: &Pod) -> bool {
    !pod.deleting && pod.is_running_and_ready() && !pod.is_of_another(&snapshot.hpa.target)
}

/// Whether no pod is missing or unready for any metric.
fn all_count(decision: &Decision) -> bool {
    let mut groups = decision.metrics.iter().filter_map(|metric| metric.groups.as_ref());
    groups.all(|groups| groups.missing == 0 && groups.unready == 0)
}

/// Where all plays rest, the last of them last, if each goes there without turning: what is between their memories goes there
/// between them.
fn one_rest(snapshot: &Snapshot, plays: [&Played; 3]) -> Option<Rest> {
    let current = snapshot.scale.as_ref().ok()?.replicas;
    let [soonest, latest, late] = plays.map(Played::rest);
    let rest = late.filter(|late| {
        [soonest, latest].iter().flatten().filter(|it| it.replicas == late.replicas).count() == 2
    })?;
    let turns = |played: &&Played| {
        let counts = || iter::once(current).chain(played.counts());
        let is_up = rest.replicas > current;
        !counts().zip(counts().skip(1)).all(|(one, next)| if is_up { one <= next } else { one >= next })
    };
    (!plays.iter().any(turns)).then_some(rest)
}

/// Whether the metrics, with one pod less than that on the way there, want to go on: within their tolerance it could rest there
/// as well.
fn is_only_rest(snapshot: &Snapshot, rules: &Rules, rest: Replicas) -> bool {
    let Ok(scale) = &snapshot.scale else { return false };
    let before = match rest.cmp(&scale.replicas) {
        Ordering::Greater => Replicas(rest.0 - 1),
        Ordering::Less => Replicas(rest.0 + 1),
        Ordering::Equal => return false,
    };
    if before == scale.replicas {
        return true;
    }
    let mut world = snapshot.clone();
    (world.hpa.min, world.hpa.max) = (before, before);
    let Ok(simple) = Assumptions::default().world(&world) else { return false };
    let Ok(mut player) = Player::start(world, simple, rules) else { return false };
    player.sync();
    let next = player.sync_at(snapshot.controller.sync_period.value);
    let wanted = next.and_then(|sync| sync.decision.choice).map(|choice| choice.after);
    wanted.is_some_and(|wanted| wanted.cmp(&before) == rest.cmp(&before))
}

/// How a world is played.
struct Play<'a> {
    rules: &'a Rules,
    /// How long after the first instant at which it can a sync comes.
    late: Duration,
}

/// A world, played until it rests.
#[derive(PartialEq)]
struct Played {
    first: Option<Step>,
    steps: Vec<Step>,
    is_known: bool,
    goes_on: bool,
}

impl Played {
    fn told(self) -> Projection {
        let Self { first: _, steps, is_known, goes_on } = self;
        Projection { steps, is_known, goes_on, rest: None }
    }

    fn counts(&self) -> impl Iterator<Item = Replicas> {
        self.first.iter().chain(&self.steps).map(|step| step.replicas)
    }

    fn rest(&self) -> Option<Rest> {
        let last = self.steps.last().copied().or(self.first);
        let Step { at, replicas } = last.filter(|_| self.is_known && !self.goes_on)?;
        Some(Rest { replicas, by: at })
    }
}

impl Play<'_> {
    fn of(&self, snapshot: &Snapshot, memory: &Memory) -> Played {
        let mut played = Played { first: None, steps: Vec::new(), is_known: false, goes_on: false };
        let begin = snapshot.taken_at + self.late;
        let world = Snapshot { memory: memory.clone(), taken_at: begin, ..snapshot.clone() };
        let Ok(simple) = Assumptions::default().world(&world) else { return played };
        let Ok(mut player) = Player::start(world, simple, self.rules) else { return played };
        let Some(mut replicas) = player.sync().and_then(left) else { return played };
        played.first = Some(Step { at: begin, replicas });
        let period = player.sync_period();
        let mut rests = player.snapshot().scale.as_ref().is_ok_and(|scale| scale.replicas == replicas);
        let mut looks = 0;
        for _ in 0..SYNCS {
            let Some(last) = player.last() else { return played };
            let next = if rests {
                let Some(turn) = turn(player.snapshot(), &last.decision) else {
                    played.is_known = true;
                    return played;
                };
                player.rest_until(turn.since(begin).plus(self.late))
            } else {
                let next = last.at.plus(period);
                player.sync_at(next)
            };
            let at = next.map(|sync| begin + sync.at);
            let (Some(at), Some(next)) = (at, player.last().and_then(left)) else { return played };
            rests = next == replicas;
            if !rests {
                played.steps.push(Step { at, replicas: next });
                replicas = next;
            }
            looks += player.snapshot().pods.as_ref().map_or(0, |pods| pods.len());
            if looks > LOOKS {
                break;
            }
        }
        played.goes_on = !played.steps.is_empty();
        played.is_known = played.goes_on;
        played
    }
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

/// The first instant after a sync at which time alone can change what it decided. What was recommended then as it is
/// now holds nothing.
fn turn(snapshot: &Snapshot, decision: &Decision) -> Option<Instant> {
    let mut recommended = decision.memory.recommendations.iter();
    let now = recommended.find(|it| it.at == snapshot.taken_at).map(|it| it.replicas);
    let turns = candidates(snapshot, &decision.memory, decision).into_iter();
    let holds = |cause: Cause| match cause {
        Cause::RecommendationLeaves(replicas) => Some(replicas) != now,
        Cause::PodSettles(_) | Cause::PeriodEnds => true,
    };
    turns.filter(|(_, cause)| holds(*cause)).map(|(at, _)| at).min()
}

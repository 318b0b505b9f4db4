//! A decision, or its bounds if the controller's memory is not known.

use super::bounds::{MemoryBounds, MemorySource};
use super::last_sync::Seen;
use super::recommendations::bound_memory;
use super::status_fingerprint::StatusFingerprint;
use super::watched;
use crate::attested::Attested;
use crate::engine::{decide, decide_again};
use crate::model::{
    Evidence, Instant, Memory, Policy, PolicyType, Replicas, ScaleEvent, ScalingRules, SelectPolicy,
};
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::status::report;
use crate::trace::{Code, Decision, Direction, Limited, Outcome};

/// A decision and how exact it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The decision. If only an interval is known: the end that agrees better with the last status.
    pub decision: Decision,
    /// The bounds of the memory; `None` if the memory is known.
    pub memory_bounds: Option<MemoryBounds>,
    /// Lowest and highest replicas over all memories that agree with the evidence, and over all that the controller's words
    /// leave open; `None` if the answer is exact.
    pub interval: Option<(Replicas, Replicas)>,
    /// Lowest and highest replicas that the controller asks for or would, if the replicas stay whatever it is, because writes are
    /// refused or nobody is at work; `None` if that is one number.
    pub asked: Option<(Replicas, Replicas)>,
    /// Whether it is the memory that makes it an interval.
    pub is_of_memory: bool,
    /// True if nothing between the two ends of the interval is possible.
    pub is_either: bool,
    /// The stages that hang on a memory that is not known.
    pub open_way: OpenWay,
    /// What the controller says of its reads, its writes and its rivals.
    pub attested: Attested,
}

/// The stages of a decision that are not known: memories that agree with the evidence differ in it, even where all of them
/// lead to the same replicas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenWay {
    /// Stabilization: an earlier recommendation may count.
    pub window: bool,
    /// Limits: a rate or a bound may limit the count.
    pub limit: bool,
}

impl OpenWay {
    /// The stages that differ between two decisions on one input.
    fn between(one: &Decision, other: &Decision) -> Self {
        let is_held = |it: &Decision| it.stabilized.as_ref().map(|it| it.before != it.after);
        let limit = |it: &Decision| it.limited.as_ref().map(Limited::code);
        let window = is_held(one) != is_held(other);
        // Between a count that is held and one that is not there are those that a rate limits.
        let is_between = window && limit(one) == Some(Code::WithinRange);
        Self { window, limit: is_between && one.left() != other.left() || limit(one) != limit(other) }
    }

    /// The code of a branch, as far as it is known.
    #[must_use]
    pub const fn code(self, branch: Code) -> Code {
        match branch {
            Code::NotStabilized | Code::ScaleDownStabilized | Code::ScaleUpStabilized if self.window => {
                Code::MemoryUnknown
            }
            Code::WithinRange
            | Code::ScaleUpLimit
            | Code::ScaleDownLimit
            | Code::ScaleUpDisabled
            | Code::ScaleDownDisabled
            | Code::TooManyReplicas
            | Code::TooFewReplicas
                if self.limit =>
            {
                Code::MemoryUnknown
            }
            known => known,
        }
    }
}

impl Answer {
    /// An answer on what the reader has read.
    #[must_use]
    pub fn new(
        decision: Decision,
        memory_bounds: Option<MemoryBounds>,
        interval: Option<(Replicas, Replicas)>,
    ) -> Self {
        let is_of_memory = interval.is_some();
        let (open_way, attested) = (OpenWay::default(), Attested::default());
        let (asked, is_either) = (None, false);
        Self { decision, memory_bounds, interval, asked, is_of_memory, is_either, open_way, attested }
    }

    /// The codes of everything that happened, in order, as far as they are known.
    #[must_use]
    pub fn codes(&self) -> Vec<Code> {
        self.decision.codes().into_iter().map(|branch| self.open_way.code(branch)).collect()
    }

    /// Lowest and highest replicas that the target is left with: the same if the answer is exact, `None` if there is no
    /// decision.
    #[must_use]
    pub fn range(&self) -> Option<(Replicas, Replicas)> {
        let unread = self.attested.scale.as_ref().filter(|_| self.decision.outcome == Outcome::NoScale);
        let left = if self.attested.is_idle() { self.decision.found() } else { self.decision.left() };
        let left = left.or(unread.map(|scale| scale.replicas));
        self.interval.or_else(|| left.map(|left| (left, left)))
    }
}

/// Lowest and highest replicas, if they differ.
type Ends = Option<(Replicas, Replicas)>;

/// Decides on what the controller reads, as far as its own words show that, and on its memory ([`Answer`]). Leaves both in the
/// snapshot, with the memory of the returned decision.
pub fn answer(snapshot: &mut Snapshot, rules: &Rules) -> Answer {
    let attested = Attested::of(snapshot, rules);
    // Whoever loses the Lease ends, and flags are read at the start: the next one at work remembers nothing.
    if attested.is_idle() {
        (snapshot.memory, snapshot.memory_evidence) = (Memory::default(), Evidence::Given);
    }
    attesting(snapshot, rules, attested)
}

fn attesting(snapshot: &mut Snapshot, rules: &Rules, mut attested: Attested) -> Answer {
    if attested.is_empty() {
        return remembering(snapshot, rules);
    }
    let (read, mended) = (snapshot.clone(), attested.mended());
    attested.apply(snapshot);
    let mut answer = remembering(snapshot, rules);
    refuse_update(snapshot, rules, &attested, &mut answer);
    let ends = attested.variants(snapshot).into_iter().filter_map(|mut world| {
        let mut other = remembering(&mut world, rules);
        refuse_update(&mut world, rules, &attested, &mut other);
        other.range().or_else(|| kept(&read))
    });
    let idle = attested.idle.iter().filter_map(|_| kept(&read));
    let open: Vec<(Replicas, Replicas)> = ends.chain(idle).collect();
    attested.otherwise = mended.and_then(|mended| attesting(&mut read.clone(), rules, mended).range());
    answer.attested = attested;
    if answer.attested.is_idle() {
        (answer.interval, answer.is_of_memory, answer.asked) = (None, false, None);
    } else {
        widen(&mut answer, &open);
    }
    answer
}

/// The replicas stay.
fn kept(snapshot: &Snapshot) -> Option<(Replicas, Replicas)> {
    snapshot.scale.as_ref().ok().map(|scale| (scale.replicas, scale.replicas))
}

/// Adds what else may come, if that is known of the answer itself.
fn widen(answer: &mut Answer, open: &[(Replicas, Replicas)]) {
    let Some(own) = answer.range() else { return };
    let (low, high) = open.iter().fold(own, |(low, high), it| (low.min(it.0), high.max(it.1)));
    let is_end = |it: &(Replicas, Replicas)| *it == (low, low) || *it == (high, high);
    let is_own_end = is_end(&own) || answer.is_either && own == (low, high);
    answer.is_either = low != high && is_own_end && open.iter().all(is_end);
    answer.interval = (low != high).then_some((low, high));
}

/// Decides again if the controller's update of the scale is refused, or adds that it may be.
fn refuse_update(snapshot: &mut Snapshot, rules: &Rules, attested: &Attested, answer: &mut Answer) {
    let (Some(fault), Some(from)) = (attested.refused_update(), answer.decision.found()) else { return };
    let size = fault.size.filter(|_| fault.is_certain).map(Replicas);
    if size.is_some() && answer.range() == size.zip(size) {
        snapshot.writes.scale = Some(fault.error.clone());
        *answer = remembering(snapshot, rules);
    } else {
        widen(answer, &[(from, from)]);
    }
}

/// Decides on the snapshot's memory if it is known, else on its bounds. Leaves the memory of the returned decision in
/// the snapshot.
fn remembering(snapshot: &mut Snapshot, rules: &Rules) -> Answer {
    let mut answer = answer_by(snapshot, |snapshot, other| match other {
        Some(other) => decide_again(snapshot, rules, other),
        None => decide(snapshot, rules),
    });
    let is_exact = answer.interval.is_none() && answer.asked.is_none();
    if let Some(bounds) = answer.memory_bounds.as_mut().filter(|_| is_exact) {
        let ends = contradicted(snapshot, bounds, &answer.decision, rules);
        bounds.sources.extend(ends.map(|_| MemorySource::Contradiction));
        (answer.interval, answer.asked) = kept_if_refused(snapshot, ends);
    }
    answer.is_of_memory = answer.interval.is_some();
    answer
}

/// The interval, and what is asked for instead if writes are refused: then the replicas stay.
fn kept_if_refused(snapshot: &Snapshot, ends: Ends) -> (Ends, Ends) {
    if snapshot.writes.scale.is_some() { (None, ends) } else { (ends, None) }
}

/// Like [`answer`], with any function that decides on a snapshot, which may be given a decision on the same one with another memory.
pub fn answer_by(
    snapshot: &mut Snapshot,
    decide: impl Fn(&Snapshot, Option<&Decision>) -> Decision,
) -> Answer {
    let first = decide(snapshot, None);
    if snapshot.memory_evidence != Evidence::Unknown {
        return Answer::new(first, None, None);
    }
    let bounds = bound_memory(snapshot, direction(&first));
    let observed = watched::observed(snapshot);
    let decide_with = |snapshot: &mut Snapshot, memory: &Memory, other: &Decision| {
        snapshot.memory.clone_from(memory);
        decide(snapshot, Some(other))
    };
    let others = turned_over(snapshot, &bounds, direction(&first), |then| decide(then, None));
    let free = if bounds.is_kept_by_rate { &bounds.tightest } else { &bounds.loosest };
    // Equal memories lead to equal decisions.
    let loosest = if *free == snapshot.memory { first } else { decide_with(snapshot, free, &first) };
    let tightest = if bounds.tightest == *free {
        loosest.clone()
    } else {
        decide_with(snapshot, &bounds.tightest, &loosest)
    };
    let ends = loosest.desired().zip(tightest.desired()).map(|(loosest, tightest)| {
        let all = others.into_iter().chain([loosest, tightest]);
        all.fold((loosest, loosest), |(low, high), it| (low.min(it), high.max(it)))
    });
    let ends = ends.filter(|(low, high)| low != high);
    let (interval, asked) = kept_if_refused(snapshot, ends);
    // Each observed recommendation is a range: the answer is exact if both ends of it lead to the same replicas.
    if ends.is_none()
        && let Some(memory) = observed
    {
        let decision = decide_with(snapshot, &memory, &loosest);
        if decision.desired() == loosest.desired() {
            snapshot.memory_evidence = Evidence::Observed;
            return Answer::new(decision, None, None);
        }
    }
    let all = OpenWay { window: true, limit: true };
    let open_way = if bounds.is_kept_by_rate { all } else { OpenWay::between(&loosest, &tightest) };
    let was_held = bounds.last_sync.is_some_and(|sync| sync.stabilization == Seen::EarlierHeld);
    let written = Replicas(snapshot.hpa.status.desired_replicas);
    let agrees = interval.is_some() && tightest.desired() == Some(written);
    let fails_alone = tightest.unwritten().is_some() && loosest.unwritten().is_none();
    let decision = if was_held && asked.is_none() || agrees || fails_alone {
        tightest
    } else {
        snapshot.memory.clone_from(free);
        loosest
    };
    Answer { asked, open_way, ..Answer::new(decision, Some(bounds), interval) }
}

/// Further results where a rate may turn over with what is remembered: a count at the period's start, or what a policy makes of
/// it, that leaves int32, or a policy above 100% of a scale-down after more additions than there are replicas. More changes may
/// then let fewer replicas come, so anything is possible between none and what the bounds allow.
fn turned_over(
    snapshot: &Snapshot,
    bounds: &MemoryBounds,
    direction: Option<Direction>,
    decide: impl Fn(&Snapshot) -> Decision,
) -> Vec<Replicas> {
    let (Some(behavior), Ok(scale), Some(direction)) = (&snapshot.hpa.behavior, &snapshot.scale, direction)
    else {
        return Vec::new();
    };
    let rules = direction.rules(behavior);
    if !bounds.may_turn_over(snapshot, direction) {
        return Vec::new();
    }
    let all = if direction == Direction::Up { i32::MAX - scale.replicas.0 } else { scale.replicas.0 };
    let free = Policy { kind: PolicyType::Pods, value: all, period_seconds: 1 };
    let ends = [
        ScalingRules { select: SelectPolicy::Disabled, ..rules.clone() },
        ScalingRules { select: SelectPolicy::Max, policies: vec![free], ..rules.clone() },
    ];
    let recommendations = &bounds.loosest.recommendations;
    let end = |rules: ScalingRules| {
        let memory = Memory { recommendations: recommendations.clone(), ..Memory::default() };
        let mut then = Snapshot { memory, ..snapshot.clone() };
        *direction.rules_mut(then.hpa.behavior.as_mut()?) = rules;
        decide(&then).desired()
    };
    ends.into_iter().filter_map(end).collect()
}

impl MemoryBounds {
    /// True if a rate of a direction may leave int32 with what is remembered: it wraps until its policies' periods are over, or for
    /// ever.
    #[must_use]
    pub fn may_turn_over(&self, snapshot: &Snapshot, direction: Direction) -> bool {
        let (Some(behavior), Ok(scale)) = (&snapshot.hpa.behavior, &snapshot.scale) else { return false };
        let rules = direction.rules(behavior);
        let current = i64::from(scale.replicas.0);
        let most = |events: fn(&Memory) -> &Vec<ScaleEvent>| {
            let sum =
                |memory: &Memory| events(memory).iter().map(|event| i64::from(event.change)).sum::<i64>();
            sum(&self.loosest).max(sum(&self.tightest)) + 1
        };
        let starts =
            [current - most(|memory| &memory.scale_ups), current + most(|memory| &memory.scale_downs)];
        let turns = |policy: &Policy| starts.iter().any(|start| may_turn_over(*policy, direction, *start));
        rules.select != SelectPolicy::Disabled && rules.policies.iter().any(turns)
    }
}

fn may_turn_over(policy: Policy, direction: Direction, start: i64) -> bool {
    const ALL: i32 = 100;
    let change = match policy.kind {
        PolicyType::Pods => i64::from(policy.value),
        PolicyType::Percent => start.saturating_mul(policy.value.into()) / i64::from(ALL),
    };
    let allowed = if direction == Direction::Up { start + change } else { start - change };
    let is_reversed =
        direction == Direction::Down && policy.kind == PolicyType::Percent && policy.value > ALL && start < 0;
    is_reversed || [start, allowed].into_iter().any(|count| i32::try_from(count).is_err())
}

/// The interval between what the last sync did and what is decided now, if the last sync saw the same inputs and no
/// memory that agrees with the evidence explains what it did. Then some evidence is misread, and either number may be
/// right.
fn contradicted(
    snapshot: &Snapshot,
    bounds: &MemoryBounds,
    decision: &Decision,
    rules: &Rules,
) -> Option<(Replicas, Replicas)> {
    let (sync, desired) = (bounds.last_sync?, decision.left()?);
    let current = snapshot.scale.as_ref().ok()?.replicas;
    // The last sync did not see the changes of a what-if.
    if snapshot.history.synced.as_ref().is_some_and(|synced| synced.is_past) {
        return None;
    }
    let stayed = sync.desired == current && Replicas(snapshot.hpa.status.current_replicas) == current;
    if desired == current || !stayed || !saw_the_same(snapshot, decision, rules) {
        return None;
    }
    let period = snapshot.controller.sync_period.value;
    let mut then = Snapshot { memory: bounds.tightest.clone(), ..snapshot.clone() };
    let mut stays = |at: Instant| {
        then.taken_at = at;
        decide(&then, rules).desired() == Some(current)
    };
    let instants = [sync.earliest, sync.latest - period, sync.latest];
    let is_explained = instants.into_iter().any(|at| !at.is_zero() && stays(at));
    (!is_explained).then(|| (current.min(desired), current.max(desired)))
}

/// Whether the last sync saw the current inputs, judged by the status that it wrote. From zero replicas each value is written as
/// the same average: it is divided by zero.
fn saw_the_same(snapshot: &Snapshot, decision: &Decision, rules: &Rules) -> bool {
    decision.choice.is_some()
        && snapshot.hpa.status.current_replicas > 0
        && StatusFingerprint::of(&report(snapshot, decision, rules).status)
            == StatusFingerprint::of(&snapshot.hpa.status)
}

/// Decides on the same inputs at an earlier instant, without what the controller remembers from later ones. Returns the
/// snapshot of that instant, too.
#[must_use]
pub fn decided_at(snapshot: &Snapshot, rules: &Rules, at: Instant) -> (Snapshot, Decision) {
    let mut then = Snapshot { taken_at: at, ..snapshot.clone() };
    then.memory.recommendations.retain(|recommendation| recommendation.at < at);
    then.memory.scale_ups.retain(|event| event.at < at);
    then.memory.scale_downs.retain(|event| event.at < at);
    let decision = answer(&mut then, rules).decision;
    (then, decision)
}

/// The direction in which the metrics want to scale: memory can delay this direction, not reverse it.
fn direction(decision: &Decision) -> Option<Direction> {
    let current = decision.found()?;
    match decision.choice?.after.cmp(&current) {
        std::cmp::Ordering::Greater => Some(Direction::Up),
        std::cmp::Ordering::Less => Some(Direction::Down),
        std::cmp::Ordering::Equal => None,
    }
}

//! The times at which the decision changes although nothing else does.

use std::collections::BTreeSet;

use crate::engine::decide;
use crate::memory_bounds::{longest_wait, window};
use crate::model::{Duration, Evidence, Instant, Memory, Replicas};
use crate::rules::Rules;
use crate::snapshot::{Pod, Snapshot};
use crate::trace::{Calculation, Decision, Direction, Group, MetricTrace, Outcome, Ready, Unready, Verdict};

/// How many instants are looked at: with more pods starting than this, the search ends early.
const INSTANTS: usize = 64;

/// How far ahead is looked: a time of the year 9999, which the API accepts, brings nothing that anybody waits for.
const AHEAD: Duration = Duration::from_seconds(100 * 365 * 86_400);

/// A decision that time alone brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// A reconcile from this instant on decides it; one nanosecond before the decision is still the old one.
    pub at: Instant,
    /// What happens then.
    pub cause: Cause,
    /// The replicas that it leads to.
    pub replicas: Replicas,
    /// Whether it is there for so long that a sync sees it: several policies, or rescales in both directions, may let the
    /// replicas change for a moment only.
    pub is_seen: bool,
}

/// What happens at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// A pod, named by its place, leaves its CPU initialization period.
    PodSettles(usize),
    /// A recommendation leaves the stabilization window.
    RecommendationLeaves(Replicas),
    /// A scale event leaves a policy's period.
    PeriodEnds,
}

/// The first change that time alone brings to a decision that leaves the replicas as they are, as long as pods, samples
/// and spec stay as they are. `None` where there is none, where the decision scales (then the world changes with it), or
/// where the controller's memory is not known.
#[must_use]
pub fn next_change(snapshot: &Snapshot, rules: &Rules, decision: &Decision) -> Option<Next> {
    let is_known = !matches!(snapshot.memory_evidence, Evidence::Unknown | Evidence::Assumed);
    if is_known { first_change(snapshot, rules, decision) } else { None }
}

/// The same, if the memory is that of the snapshot.
pub(super) fn first_change(snapshot: &Snapshot, rules: &Rules, decision: &Decision) -> Option<Next> {
    let mut ahead = Ahead::of(snapshot, rules, decision)?;
    let first = ahead.instants.clone().into_iter().find_map(|at| ahead.change(at))?;
    Some(Next { is_seen: ahead.is_seen(&first), ..first })
}

/// The first one that a sync sees for certain.
pub(super) fn seen_change(snapshot: &Snapshot, rules: &Rules, decision: &Decision) -> Option<Next> {
    let mut ahead = Ahead::of(snapshot, rules, decision)?;
    let instants = ahead.instants.clone();
    instants.into_iter().find_map(|at| ahead.change(at).filter(|change| ahead.is_seen(change)))
}

/// Looks at the same world at later instants.
struct Ahead<'a> {
    rules: &'a Rules,
    later: Snapshot,
    /// The replicas that the decision leaves.
    now: Replicas,
    candidates: Vec<(Instant, Cause)>,
    /// The first of theirs, each once, in their order.
    instants: Vec<Instant>,
}

impl<'a> Ahead<'a> {
    fn of(snapshot: &Snapshot, rules: &'a Rules, decision: &Decision) -> Option<Self> {
        let Outcome::Hold { at: now, .. } = decision.outcome else { return None };
        if !can_be_tried(snapshot, decision) {
            return None;
        }
        let later = Snapshot { memory: decision.memory.clone(), ..snapshot.clone() };
        let candidates = candidates(&later, &decision.memory, decision);
        let instants: BTreeSet<Instant> = candidates.iter().map(|(at, _)| *at).collect();
        let instants = instants.into_iter().take(INSTANTS).collect();
        Some(Self { rules, later, now, candidates, instants })
    }

    fn replicas(&mut self, at: Instant) -> Option<Replicas> {
        self.later.taken_at = at;
        decide(&self.later, self.rules).desired()
    }

    fn change(&mut self, at: Instant) -> Option<Next> {
        let replicas = self.replicas(at)?;
        let causes = self.candidates.iter().filter(|(other, _)| *other == at).map(|(_, cause)| *cause);
        // Of recommendations that leave together, the one held that was furthest off.
        let cause = if replicas < self.now { causes.max() } else { causes.min() };
        cause.filter(|_| replicas != self.now).map(|cause| Next { at, cause, replicas, is_seen: true })
    }

    /// True if there is a change until a sync must have come, and for a second, which no screen divides, this one.
    fn is_seen(&mut self, change: &Next) -> bool {
        let until = change.at + longest_wait(self.later.controller.sync_period.value);
        let meanwhile = self.instants.iter().filter(|at| change.at < **at && **at < until);
        let meanwhile: Vec<Instant> = meanwhile.copied().collect();
        let is_other = |at: Instant| at.since(change.at) >= Duration::from_seconds(1);
        meanwhile.into_iter().all(|at| {
            self.replicas(at).is_some_and(|it| it == change.replicas || it != self.now && is_other(at))
        })
    }
}

/// True if the same world is still there later: not where the decision scales, or where pods are about to count no more.
pub(super) fn can_be_tried(snapshot: &Snapshot, decision: &Decision) -> bool {
    matches!(decision.outcome, Outcome::Hold { .. }) && !divides_by_ended_pods(snapshot, decision)
}

/// True if a metric is divided by a `status.replicas` that counts pods which have ended: the controllers of workloads leave
/// them out as soon as they see them (`FilterActivePods`), and then the metric proposes something else.
fn divides_by_ended_pods(snapshot: &Snapshot, decision: &Decision) -> bool {
    let is_divided = |metric: &MetricTrace| match &metric.verdict {
        Verdict::Proposal(proposal) => matches!(proposal.calculation, Calculation::PerReplica(_)),
        Verdict::Failed(_) | Verdict::Unknown(_) => false,
    };
    let (Ok(scale), Ok(pods)) = (&snapshot.scale, &snapshot.pods) else { return false };
    let (ended, others): (Vec<&Pod>, Vec<&Pod>) = pods.iter().partition(|pod| pod.phase.has_ended());
    let active = others.iter().filter(|pod| !pod.deleting).count();
    let counts_more = usize::try_from(scale.observed.0).is_ok_and(|observed| observed > active);
    !ended.is_empty() && counts_more && decision.metrics.iter().any(is_divided)
}

/// Every instant within a hundred years after this one at which a branch of the controller turns, with such a memory.
pub(super) fn candidates(snapshot: &Snapshot, memory: &Memory, decision: &Decision) -> Vec<(Instant, Cause)> {
    let mut candidates = settling(snapshot, decision);
    candidates.extend(leaving(snapshot, memory));
    candidates.extend(ending(snapshot, memory));
    candidates.retain(|(at, _)| *at > snapshot.taken_at && *at <= snapshot.taken_at + AHEAD);
    candidates
}

fn settling(snapshot: &Snapshot, decision: &Decision) -> Vec<(Instant, Cause)> {
    let period = snapshot.controller.cpu_initialization_period.value;
    let started = |place: usize| snapshot.pods.as_ref().ok()?.get(place)?.started;
    let groups = decision.metrics.iter().filter_map(|metric| metric.groups.as_ref());
    let members = groups.flat_map(|groups| groups.pods.iter().enumerate());
    members
        .filter_map(|(place, member)| match member.group {
            Group::Unready(Unready::Initializing { until } | Unready::SampleTooEarly { until, .. }) => {
                Some((until, Cause::PodSettles(place)))
            }
            Group::Ready(Ready::SettledEarly) => Some((started(place)? + period, Cause::PodSettles(place))),
            Group::Ready(_) | Group::Unready(_) | Group::Missing(_) | Group::Ignored(_) => None,
        })
        .collect()
}

/// Without `spec.behavior` a recommendation exactly as old as the window still counts, with it no longer. The windows count
/// also where no metric decides yet.
fn leaving(snapshot: &Snapshot, memory: &Memory) -> Vec<(Instant, Cause)> {
    let windows = match &snapshot.hpa.behavior {
        None => {
            let window = window(snapshot, None).nanoseconds();
            vec![Duration::from_nanoseconds(window.saturating_add(1))]
        }
        Some(_) => [Direction::Up, Direction::Down].map(|way| window(snapshot, Some(way))).to_vec(),
    };
    let remembered = &memory.recommendations;
    let leaves = |window: Duration| {
        remembered.iter().map(move |it| (it.at + window, Cause::RecommendationLeaves(it.replicas)))
    };
    windows.into_iter().flat_map(leaves).collect()
}

fn ending(snapshot: &Snapshot, memory: &Memory) -> Vec<(Instant, Cause)> {
    let Some(behavior) = &snapshot.hpa.behavior else { return Vec::new() };
    let events = || memory.scale_ups.iter().chain(&memory.scale_downs);
    let policies = behavior.up.policies.iter().chain(&behavior.down.policies);
    let periods = policies.map(|policy| Duration::from_seconds(policy.period_seconds.into()));
    periods.flat_map(|period| events().map(move |event| (event.at + period, Cause::PeriodEnds))).collect()
}

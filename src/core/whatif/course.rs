//! What the next reconciles do, if the load stays.

use super::instants::{candidates, instants};
use crate::engine::{UsageProbe, decide_on};
use crate::model::{Duration, Evidence, Instant, Replicas};
use crate::rules::Rules;
use crate::snapshot::{Scale, Snapshot};
use crate::trace::{Decision, HoldReason, MetricTrace, Outcome, Verdict};

/// How many reconciles are looked ahead at most.
const MOST: usize = 2_000;

/// A change of the replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The reconcile that makes it: a sync period after the one before, or between them as soon as a window or a policy's
    /// period ends.
    pub at: Instant,
    /// The replicas from then on.
    pub replicas: Replicas,
}

/// The changes of the replicas that follow on a decision, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// Empty where nothing follows, or where what does is not known.
    pub steps: Vec<Step>,
    /// Whether it is known what follows, up to where the replicas rest; if so, no step means that they stay.
    pub is_known: bool,
    /// Whether the replicas were still changing where looking ahead ended.
    pub goes_on: bool,
}

/// What follows on this decision, each reconcile made by the engine on the memory that the one before left.
///
/// It is taken for granted that the controller syncs once a period, that each metric's total stays what it is, and that as
/// many pods as there are replicas are ready and share it. Not known where the decision is not, where it hangs on a
/// memory that is not, and where a bound decides before any metric. Where there are not as many pods as replicas, or some are
/// missing or unready, only the first change is known, of a decision that leaves the replicas: as soon as those count, the
/// decision is another one.
#[must_use]
pub fn course(snapshot: &Snapshot, rules: &Rules, decision: &Decision) -> Course {
    let mut course = Course::default();
    // At zero only metrics that need no pod count, and those stay what they are.
    let rests_at_zero = decision.desired() == Some(Replicas(0))
        && !matches!(decision.outcome, Outcome::Scale { failed: Some(_), .. })
        && decision.choice.is_some_and(|choice| choice.after == Replicas(0));
    if is_stuck(&decision.outcome) || rests_at_zero {
        course.is_known = true;
        return course;
    }
    let stays = matches!(decision.outcome, Outcome::Hold { .. });
    let is_settled = is_settled(snapshot, decision);
    let is_whole = is_settled && all_count(decision);
    if !(stays || is_whole) {
        return course;
    }
    let Some(mut run) = Run::start(snapshot, rules, decision) else { return course };
    let patience = patience(snapshot);
    let mut quiet_since = snapshot.taken_at;
    for _ in 0..MOST {
        let Some(replicas) = run.sync() else { return course };
        let at = run.world.taken_at;
        if replicas != run.replicas {
            course.steps.push(Step { at, replicas });
            // What is as it is now counts up to the first change only.
            if !is_whole {
                return course;
            }
            run.replicas = replicas;
            quiet_since = at;
        } else if at.since(quiet_since).nanoseconds() > patience.nanoseconds() {
            course.is_known = is_settled;
            return course;
        }
    }
    (course.goes_on, course.is_known) = (true, true);
    course
}

/// Whether no pod is missing or unready for any metric.
fn all_count(decision: &Decision) -> bool {
    let mut groups = decision.metrics.iter().filter_map(|metric| metric.groups.as_ref());
    groups.all(|groups| groups.missing == 0 && groups.unready == 0)
}

/// Whether there are as many pods as replicas, by the status of the scale and by what each metric counts: while the target
/// still follows, or where pods of somebody else count, nobody knows who will share the load.
fn is_settled(snapshot: &Snapshot, decision: &Decision) -> bool {
    let Ok(scale) = &snapshot.scale else { return false };
    let mut groups = decision.metrics.iter().filter_map(|metric| metric.groups.as_ref());
    scale.observed == scale.replicas
        && groups.all(|groups| {
            let pods = groups.ready + groups.unready + groups.missing;
            groups.foreign.is_empty() && i32::try_from(pods) == Ok(scale.replicas.0)
        })
}

/// Whether the replicas stay for as long as all else stays as it is.
fn is_stuck(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Hold { reason, .. } => *reason != HoldReason::Decided,
        Outcome::NoScale | Outcome::Scale { .. } | Outcome::Unknown(_) => false,
    }
}

/// Nothing that is remembered matters for longer than this.
fn patience(snapshot: &Snapshot) -> Duration {
    let rules = snapshot.hpa.behavior.iter().flat_map(|behavior| [&behavior.up, &behavior.down]);
    let seconds = rules.map(|rules| rules.longest_period().max(rules.window_seconds.unwrap_or(0)));
    let longest = Duration::from_seconds(seconds.max().unwrap_or(0).into());
    longest.max(snapshot.controller.downscale_stabilization.value)
}

struct Run<'a> {
    /// The snapshot without its pods, as time goes on.
    world: Snapshot,
    rules: &'a Rules,
    period: Duration,
    /// What the metrics said at the first count of replicas.
    first: (Replicas, Vec<MetricTrace>),
    probes: Vec<UsageProbe>,
    replicas: Replicas,
}

impl<'a> Run<'a> {
    fn start(snapshot: &Snapshot, rules: &'a Rules, decision: &Decision) -> Option<Self> {
        let replicas = match decision.outcome {
            Outcome::Hold { at, .. } => at,
            Outcome::Scale { to, failed: None, .. } => to,
            Outcome::Scale { .. } | Outcome::NoScale | Outcome::Unknown(_) => return None,
        };
        let current = snapshot.scale.as_ref().ok()?.replicas;
        let wants_more = decision.choice?.after > current;
        let known = !matches!(snapshot.memory_evidence, Evidence::Unknown | Evidence::Assumed);
        let memory_matters = snapshot.hpa.behavior.is_some() || !wants_more;
        let period = snapshot.controller.sync_period.value;
        if (memory_matters && !known) || period.nanoseconds() <= 0 {
            return None;
        }
        let probes =
            (0..decision.metrics.len()).filter_map(|place| UsageProbe::of(snapshot, rules, decision, place));
        let mut world = snapshot.without_pods();
        world.memory.clone_from(&decision.memory);
        Some(Self {
            world,
            rules,
            period,
            first: (current, decision.metrics.iter().map(MetricTrace::without_groups).collect()),
            probes: probes.collect(),
            replicas,
        })
    }

    /// The next reconcile that counts; gives its replicas. Without a replica there is no pod that could share the load. A
    /// count below zero is what a sum that overflowed asks for.
    fn sync(&mut self) -> Option<Replicas> {
        if self.replicas <= Replicas(0) {
            return None;
        }
        if let Ok(scale) = &mut self.world.scale {
            *scale = Scale { replicas: self.replicas, observed: self.replicas, ..scale.clone() };
        }
        let begun = self.world.taken_at;
        let mut decision = self.decide(begun + self.period);
        if decision.desired() != Some(self.replicas) {
            decision = self.earlier(begun, &decision).unwrap_or(decision);
        }
        self.world.memory.clone_from(&decision.memory);
        decision.desired()
    }

    /// The change as it comes as soon as that ends which held the count; `None` where nothing did.
    fn earlier(&mut self, begun: Instant, change: &Decision) -> Option<Decision> {
        let (end, held) = (self.world.taken_at, Some(self.replicas));
        let mut found = None;
        if self.decide(begun).desired() == held {
            let instants = instants(&candidates(&self.world, change)).into_iter();
            let mut earlier = instants.take_while(|at| *at < end).map(|at| self.decide(at));
            found = earlier.find(|decision| decision.desired() != held);
        }
        if found.is_none() {
            self.world.taken_at = end;
        }
        found
    }

    fn decide(&mut self, at: Instant) -> Decision {
        self.world.taken_at = at;
        decide_on(&self.world, self.rules, self.metrics())
    }

    fn metrics(&self) -> Vec<MetricTrace> {
        let (current, mut metrics) = self.first.clone();
        if self.replicas != current {
            for probe in &self.probes {
                let verdict = probe.shared_by(self.replicas).map(Verdict::Proposal);
                if let (Some(trace), Some(verdict)) = (metrics.get_mut(probe.place()), verdict) {
                    trace.verdict = verdict;
                }
            }
        }
        metrics
    }
}

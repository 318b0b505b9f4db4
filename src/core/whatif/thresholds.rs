//! The usage at which the decision changes.

use crate::engine::{UsageProbe, decide_on};
use crate::memory_bounds::{Answer, answer_by};
use crate::model::{Milli, Ratio, Replicas};
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::trace::{Calculation, Decision, Proposal, TotalBasis};

/// How far one metric is from another decision, all else being as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// The metric's place in the spec.
    pub index: usize,
    /// The current usage: the sum of the samples that count, or the one value, in milli-units.
    pub usage: Milli,
    /// Over how many samples it is the sum; `None` for one value.
    pub samples: Option<usize>,
    /// The nearest lower usage that changes the decision, not below 0.
    pub lower: Option<Threshold>,
    /// The nearest higher usage that changes the decision.
    pub higher: Option<Threshold>,
    /// Where nothing lower changes the decision, the nearest lower usage at which fewer replicas are wanted than there
    /// are now: a window or a rate holds them at first.
    pub held: Option<(Milli, Replicas)>,
}

/// A usage, and what is decided at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// In milli-units; the neighbor on this side of it still gives the decision as it is.
    pub usage: Milli,
    /// Lowest and highest replicas at it; equal where the decision is exact.
    pub replicas: (Replicas, Replicas),
}

/// The thresholds of every metric that made a proposal, in spec order.
#[must_use]
pub fn thresholds(snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Vec<Thresholds> {
    // What else may come of the next syncs is not in these.
    let Some(now) = answer.range().filter(|_| !answer.attested.is_unsteady()) else { return Vec::new() };
    let places = 0..answer.decision.metrics.len();
    places.filter_map(|place| of_metric(snapshot, rules, &answer.decision, place, now)).collect()
}

fn of_metric(
    snapshot: &Snapshot,
    rules: &Rules,
    decision: &Decision,
    place: usize,
    now: (Replicas, Replicas),
) -> Option<Thresholds> {
    let probe = UsageProbe::of(snapshot, rules, decision, place)?;
    let (usage, largest) = (probe.usage(), probe.largest());
    let decision_at = DecisionAt { bare: bare(snapshot), rules, probe };
    let samples = match decision_at.probe.propose(usage)?.calculation {
        Calculation::PerPod(per_pod) => Some(per_pod.first.samples),
        Calculation::Total(_) | Calculation::PerReplica(_) => None,
    };
    // The largest int64 stands for a sum that is negative.
    let inside = Milli(0) <= usage
        && usage <= largest
        && usage < Milli(i64::MAX)
        && decision_at.usage(usage)?.replicas == now;
    let search = |last: Milli, sign: i64| {
        let line = |x: i64| decision_at.usage(Milli(x * sign));
        let found =
            inside.then(|| first_change(usage.0 * sign, last.0 * sign, line, |it| it.replicas)).flatten()?;
        Some(Threshold { usage: Milli(found.0 * sign), replicas: found.1.replicas })
    };
    let index = decision.metrics[place].index;
    let (lower, higher) = (search(Milli(0), -1), search(largest, 1));
    let held = if inside && lower.is_none() { held(&decision_at, usage, now) } else { None };
    Some(Thresholds { index, usage, samples, lower, higher, held })
}

/// The nearest usage below at which fewer are wanted, within the bounds; `None` where the count is not just what is wanted.
fn held(decision_at: &DecisionAt<'_>, usage: Milli, now: (Replicas, Replicas)) -> Option<(Milli, Replicas)> {
    // Pods that were filled in hold the count, and no likely usage of the others frees it.
    decision_at.probe.propose(usage).filter(|proposal| proposal.refill().is_none())?;
    let current = decision_at.bare.scale.as_ref().ok()?.replicas;
    let (min, max) = (decision_at.bare.hpa.min, decision_at.bare.hpa.max);
    let line = |x: i64| decision_at.usage(Milli(-x));
    let wanted = |it: &Point| it.wanted.map(|wanted| wanted.min(max).max(min));
    // A refused write keeps the replicas, and no window.
    let is_refused = decision_at.bare.writes.scale.is_some();
    if is_refused || now != (current, current) || wanted(&line(-usage.0)?) != Some(current) {
        return None;
    }
    let falls = |it: &Point| wanted(it).is_some_and(|wanted| wanted < current);
    let (x, point) = first_change(-usage.0, 0, line, falls)?;
    Some((Milli(-x), wanted(&point)?))
}

/// What the stages after the metrics look at, and no list that grows with the metrics: it is copied at every usage tried.
fn bare(snapshot: &Snapshot) -> Snapshot {
    let mut bare = snapshot.without_pods();
    bare.hpa.metrics.clear();
    bare.hpa.status.current_metrics.iter_mut().for_each(Vec::clear);
    bare
}

/// Decides at any usage.
struct DecisionAt<'a> {
    bare: Snapshot,
    rules: &'a Rules,
    probe: UsageProbe,
}

impl DecisionAt<'_> {
    fn usage(&self, usage: Milli) -> Option<Point> {
        let proposal = self.probe.propose(usage)?;
        let (first, second) = classes(&proposal);
        let metrics = self.probe.metrics_with(proposal);
        let answer =
            answer_by(&mut self.bare.clone(), |snapshot, _| decide_on(snapshot, self.rules, metrics.clone()));
        let wanted = answer.decision.choice.map(|choice| choice.after);
        let current = self.bare.scale.as_ref().ok()?.replicas;
        let direction = wanted.map_or(0, |wanted| wanted.cmp(&current) as i8);
        Some(Point { classes: [first, second, direction], replicas: answer.range()?, wanted })
    }
}

/// What is decided at one usage, and by which branches.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Point {
    /// Each grows (or falls) steadily with the usage as long as the ones before it stay as they are; where all stay,
    /// so does the decision.
    classes: [i8; 3],
    replicas: (Replicas, Replicas),
    /// What the metrics want, before windows, rates and bounds.
    wanted: Option<Replicas>,
}

/// Where the first and the last ratio of a proposal stand to 1 and to the tolerance.
fn classes(proposal: &Proposal) -> (i8, i8) {
    let class = |ratio: Ratio| {
        let side = i8::from(ratio.is_above()) - i8::from(ratio.is_below());
        if proposal.tolerances.holds(ratio) { side } else { 2 * side }
    };
    match &proposal.calculation {
        Calculation::PerPod(per_pod) => {
            let first = class(per_pod.first.ratio);
            (first, per_pod.refill.map_or(first, |refill| class(refill.pass.ratio)))
        }
        Calculation::Total(total) if total.basis == TotalBasis::FromZero => (0, 0),
        Calculation::Total(total) => (class(total.ratio), 0),
        Calculation::PerReplica(per_replica) => (class(per_replica.ratio), 0),
    }
}

/// The first place after `start`, up to `last`, where something about the decision is another. The line is walked from stretch to
/// stretch: within one, no branch changes and the decision moves one way only, so its first change can be found by
/// halving.
fn first_change<T: PartialEq>(
    start: i64,
    last: i64,
    at: impl Fn(i64) -> Option<Point>,
    of: impl Fn(&Point) -> T,
) -> Option<(i64, Point)> {
    let now = of(&at(start)?);
    let mut here = start;
    loop {
        let point = at(here)?;
        if of(&point) != now {
            return Some((here, point));
        }
        let mut end = last;
        for class in 0..point.classes.len() {
            end = last_with(here, end, |x| {
                at(x).is_some_and(|other| other.classes[..=class] == point.classes[..=class])
            });
        }
        end = last_with(here, end, |x| at(x).is_some_and(|other| of(&other) == now));
        if end >= last {
            return None;
        }
        here = end + 1;
    }
}

/// The last place from `start` to `end` up to which something holds that holds at `start` and, once lost, does not come
/// back.
fn last_with(start: i64, end: i64, holds: impl Fn(i64) -> bool) -> i64 {
    if holds(end) {
        return end;
    }
    let (mut good, mut bad) = (start, end);
    while good + 1 < bad {
        let middle = good + (bad - good) / 2;
        if holds(middle) { good = middle } else { bad = middle }
    }
    good
}

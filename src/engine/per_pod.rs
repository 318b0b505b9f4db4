//! Metrics with a sample per pod (upstream `GetResourceReplicas` and `calcPlainMetricReplicas`).

use super::arith::{ceil_replicas, float, float_count, mean, percent, share};
use super::requests::{Part, request};
use crate::model::{Milli, Percent, Ratio, Replicas, Tolerances};
use crate::rules::Rules;
use crate::snapshot::Pod;
use crate::trace::{
    Calculation, Census, Failure, Filler, Group, Guard, Measure, Pass, PerPod, Proposal, Refill, RequestGap,
};

/// Sums over the samples that count.
#[derive(Clone, Copy, Default)]
struct Sums {
    usage: Milli,
    requests: Milli,
    samples: usize,
    /// Go's `len(metrics)`: all samples, also those that a utilization leaves out of its sums.
    entries: usize,
}

impl Sums {
    fn add(&mut self, usage: Milli, request: Option<Milli>) {
        self.usage = self.usage.plus(usage);
        self.requests = self.requests.plus(request.unwrap_or_default());
        self.samples += 1;
        self.entries += 1;
    }
}

/// Fills in each member's request, or lists the pods that lack one.
pub(super) fn read_requests(
    pods: &[Pod],
    census: &mut Census,
    part: Part<'_>,
    rules: &Rules,
) -> Result<(), Failure> {
    let mut gaps = Vec::new();
    for (place, (pod, member)) in pods.iter().zip(&mut census.members).enumerate() {
        match request(pod, part, rules) {
            Ok(request) => member.request = Some(request),
            Err(kind) => gaps.push(RequestGap { pod: place, kind }),
        }
    }
    if gaps.is_empty() { Ok(()) } else { Err(Failure::RequestGaps(gaps)) }
}

/// The proposal from samples that are sorted and, for a utilization, have their requests.
pub(super) fn propose(
    census: &mut Census,
    measure: Measure,
    tolerances: Tolerances,
    current: Replicas,
) -> Result<Proposal, Failure> {
    let sums = sum_ready(census, measure);
    let first = pass(sums, measure, census.ready)?;
    let unready_as_zero = census.unready > 0 && first.ratio.is_above();
    if !unready_as_zero && census.missing == 0 {
        let guard = tolerances.holds(first.ratio).then_some(Guard::WithinTolerance);
        let replicas = if guard.is_some() { current } else { multiply(first) };
        let calculation = Calculation::PerPod(PerPod { measure, first, refill: None, guard });
        return Ok(Proposal { tolerances, calculation, replicas });
    }
    let missing = filler(census, measure, first.ratio);
    let sums = refill(census, sums, missing, unready_as_zero);
    let second = pass(sums, measure, sums.entries)?;
    let proposed = multiply(second);
    let guard = guard(first.ratio, second.ratio, proposed, tolerances, current);
    let refill = Some(Refill { missing, unready_as_zero, pass: second });
    let calculation = Calculation::PerPod(PerPod { measure, first, refill, guard });
    Ok(Proposal { tolerances, calculation, replicas: if guard.is_some() { current } else { proposed } })
}

fn sum_ready(census: &Census, measure: Measure) -> Sums {
    let mut sums = Sums::default();
    for member in &census.members {
        if let Some(sample) = member.counted() {
            sums.add(sample, member.request);
        }
    }
    match measure {
        Measure::Value(_) => census.foreign.iter().for_each(|foreign| sums.add(foreign.sample, None)),
        Measure::Utilization(_) => sums.entries += census.foreign.len(),
    }
    sums
}

/// Upstream `GetResourceUtilizationRatio` and `GetMetricUsageRatio`.
fn pass(sums: Sums, measure: Measure, multiplier: usize) -> Result<Pass, Failure> {
    let (utilization, ratio) = match measure {
        Measure::Utilization(_) if sums.requests == Milli(0) => return Err(Failure::NoKnownPods),
        Measure::Utilization(target) => {
            let utilization = percent(sums.usage, sums.requests);
            (Some(utilization), f64::from(utilization.0) / f64::from(target.0))
        }
        Measure::Value(target) => (None, float(mean(sums.usage, sums.samples).0) / float(target.0)),
    };
    Ok(Pass {
        usage: sums.usage,
        requests: sums.requests,
        samples: sums.samples,
        utilization,
        mean: mean(sums.usage, sums.samples),
        ratio: Ratio(ratio),
        multiplier,
    })
}

fn multiply(pass: Pass) -> Replicas {
    ceil_replicas(pass.ratio.0 * float_count(pass.multiplier))
}

/// What missing pods count as: nothing is filled in at a ratio of exactly 1.
fn filler(census: &Census, measure: Measure, ratio: Ratio) -> Option<Filler> {
    if census.missing == 0 {
        None
    } else if ratio.is_above() {
        Some(Filler::Zero)
    } else if ratio.is_below() {
        Some(match measure {
            Measure::Utilization(target) => Filler::Request(target.max(Percent(100))),
            Measure::Value(target) => Filler::Target(target),
        })
    } else {
        None
    }
}

fn refill(census: &mut Census, mut sums: Sums, missing: Option<Filler>, unready_as_zero: bool) -> Sums {
    for member in &mut census.members {
        member.refilled = match member.group {
            Group::Ready(_) => member.sample,
            Group::Missing(_) => missing.map(|filler| fill(filler, member.request)),
            Group::Unready(_) => unready_as_zero.then_some(Milli(0)),
            Group::Ignored(_) => None,
        };
        if let (Group::Missing(_) | Group::Unready(_), Some(value)) = (member.group, member.refilled) {
            sums.add(value, member.request);
        }
    }
    sums
}

fn fill(filler: Filler, request: Option<Milli>) -> Milli {
    match filler {
        Filler::Zero => Milli(0),
        Filler::Request(percentage) => share(request.unwrap_or_default(), percentage),
        Filler::Target(target) => target,
    }
}

/// Why the current replicas are kept after a second pass, in upstream's order.
fn guard(
    first: Ratio,
    second: Ratio,
    proposed: Replicas,
    tolerances: Tolerances,
    current: Replicas,
) -> Option<Guard> {
    if tolerances.holds(second) {
        Some(Guard::WithinTolerance)
    } else if (first.is_below() && second.is_above()) || (first.is_above() && second.is_below()) {
        Some(Guard::DirectionFlip)
    } else if (second.is_below() && proposed > current) || (second.is_above() && proposed < current) {
        Some(Guard::CountFlip)
    } else {
        None
    }
}

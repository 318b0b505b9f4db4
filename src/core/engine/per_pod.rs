//! Metrics with a sample per pod (upstream `GetResourceReplicas` and `calcPlainMetricReplicas`).

use super::arith::{WHOLE, ceil_replicas, float, float_count, mean, percent, within_int32};
use crate::model::{Architecture, Milli, Percent, Ratio, Replicas, Tolerances};
use crate::rules::{MissingShare, Rules};
use crate::trace::{
    Calculation, Failure, Filler, Group, Guard, Measure, Pass, PerPod, PodGroups, Proposal, Refill,
};

/// What a metric's samples add up to: all that its proposal depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Totals {
    measure: Measure,
    /// Where floats become integers.
    arch: Architecture,
    /// What missing pods count as when scaling down.
    way_down: Filler,
    /// Whether missing pods count as 0 at a ratio of exactly 1.
    fills_at_target: bool,
    /// Over the ready pods, and for a value over the foreign samples.
    counted: Sums,
    /// How many pods are ready.
    ready: usize,
    /// Over the missing pods; their usage is what they count as when scaling down.
    missing: Sums,
    /// Over the unready pods, as zeros.
    unready: Sums,
}

/// Sums over samples.
#[derive(Clone, Copy, Debug, Default)]
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

    fn plus(self, other: Self) -> Self {
        Self {
            usage: self.usage.plus(other.usage),
            requests: self.requests.plus(other.requests),
            samples: self.samples + other.samples,
            entries: self.entries + other.entries,
        }
    }
}

impl Totals {
    /// Adds up.
    pub fn of(groups: &PodGroups, measure: Measure, rules: &Rules, arch: Architecture) -> Self {
        let way_down = way_down(measure, rules.missing_share);
        let fills_at_target = rules.fills_values_at_target && matches!(measure, Measure::Value(_));
        let (mut counted, mut missing, mut unready) = (Sums::default(), Sums::default(), Sums::default());
        for member in &groups.pods {
            match member.group {
                Group::Ready(_) => counted.add(member.sample.unwrap_or_default(), member.request),
                Group::Missing(_) => missing.add(way_down.of(member.request), member.request),
                Group::Unready(_) => unready.add(Milli(0), member.request),
                Group::Ignored(_) => {}
            }
        }
        match measure {
            // A value averages over the whole map of samples (`GetMetricUsageRatio`). A utilization skips samples
            // without requests (`GetResourceUtilizationRatio`), but they stay in the map, and its length is the
            // multiplier of the second pass.
            Measure::Value(_) => groups.foreign.iter().for_each(|foreign| counted.add(foreign.sample, None)),
            Measure::Utilization(_) => counted.entries += groups.foreign.len(),
        }
        let ready = groups.ready;
        Self { measure, arch, way_down, fills_at_target, counted, ready, missing, unready }
    }

    /// The sum of the samples that count.
    pub fn usage(&self) -> Milli {
        self.counted.usage
    }

    /// The same pods with another sum of samples.
    pub fn with_usage(mut self, usage: Milli) -> Self {
        self.counted.usage = usage;
        self
    }

    /// The largest sum of samples with which no step of the calculation leaves its integers: the product and the
    /// sums int64, the percentage and the proposal int32.
    pub fn largest_usage(&self) -> Milli {
        let product = (i64::MAX / 100).saturating_sub(self.missing.usage.0.max(0));
        let entries = self.counted.entries + self.missing.entries + self.unready.entries;
        let integers = match self.measure {
            // A sum that has turned negative leaves no usage at all.
            Measure::Utilization(_) if self.requests_turn_over() => return Milli(-1),
            Measure::Utilization(target) => {
                let requests = self.counted.requests;
                within_int32(requests, Percent(1), 1).min(within_int32(requests, target, entries))
            }
            Measure::Value(target) => within_int32(target, WHOLE, entries),
        };
        Milli(product.min(integers.0))
    }

    fn requests_turn_over(&self) -> bool {
        let sum = |[one, other]: [Milli; 2]| one.0.checked_add(other.0).is_none_or(|sum| sum <= 0);
        let (counted, missing) = (self.counted.requests, self.missing.requests);
        [[counted, Milli(0)], [counted, missing], [counted, self.unready.requests]].into_iter().any(sum)
            || sum([Milli(counted.0.wrapping_add(missing.0)), self.unready.requests])
    }

    /// The proposal.
    pub fn propose(&self, tolerances: Tolerances, current: Replicas) -> Result<Proposal, Failure> {
        let measure = self.measure;
        let first = pass(self.counted, measure, self.ready)?;
        let unready_as_zero = self.unready.samples > 0 && first.ratio.is_above();
        // The tolerance is asked of the last ratio only: with pods to fill in, the first ratio may be within it and the
        // replicas still change.
        if !unready_as_zero && self.missing.samples == 0 {
            let guard = tolerances.holds(first.ratio).then_some(Guard::WithinTolerance);
            // The first pass multiplies by the ready pods (`readyPodCount`), the second by all samples
            // (`len(metrics)`): foreign samples count in the second only.
            let replicas = if guard.is_some() { current } else { multiply(first, self.arch) };
            let calculation = Calculation::PerPod(PerPod { measure, first, refill: None, guard });
            return Ok(Proposal { tolerances, calculation, replicas });
        }
        let missing = self.filler(first.ratio);
        // Filled-in samples join the sums of the first pass: addition wraps and is associative, so the order of Go's
        // map does not matter.
        let sums = self.refill(missing, unready_as_zero);
        let second = pass(sums, measure, sums.entries)?;
        let proposed = multiply(second, self.arch);
        let guard = guard(first.ratio, second.ratio, proposed, tolerances, current);
        let refill = Some(Refill { missing, unready_as_zero, pass: second });
        let calculation = Calculation::PerPod(PerPod { measure, first, refill, guard });
        Ok(Proposal { tolerances, calculation, replicas: if guard.is_some() { current } else { proposed } })
    }

    /// What missing pods count as: at a ratio of exactly 1, or none at all, most often nothing is filled in.
    fn filler(&self, ratio: Ratio) -> Option<Filler> {
        if self.missing.samples == 0 {
            None
        } else if ratio.is_below() {
            Some(self.way_down)
        } else {
            (ratio.is_above() || self.fills_at_target).then_some(Filler::Zero)
        }
    }

    fn refill(&self, missing: Option<Filler>, unready_as_zero: bool) -> Sums {
        let mut sums = self.counted;
        match missing {
            Some(Filler::Zero) => sums = sums.plus(Sums { usage: Milli(0), ..self.missing }),
            Some(Filler::Request | Filler::Share(_) | Filler::Target(_)) => sums = sums.plus(self.missing),
            None => {}
        }
        if unready_as_zero { sums.plus(self.unready) } else { sums }
    }
}

/// What a missing pod counts as when scaling down.
fn way_down(measure: Measure, share: MissingShare) -> Filler {
    match (measure, share) {
        (Measure::Utilization(_), MissingShare::Request) => Filler::Request,
        (Measure::Utilization(target), MissingShare::RequestOrTarget) => {
            Filler::Share(target.max(Percent(100)))
        }
        (Measure::Value(target), _) => Filler::Target(target),
    }
}

/// Upstream `GetResourceUtilizationRatio` and `GetMetricUsageRatio`.
fn pass(sums: Sums, measure: Measure, multiplier: usize) -> Result<Pass, Failure> {
    let (utilization, ratio) = match measure {
        // Upstream checks the sum and not the number of pods: requests of 0, too, end in "no metrics returned matched
        // known pods".
        Measure::Utilization(_) if sums.requests == Milli(0) => return Err(Failure::NoKnownPods),
        Measure::Utilization(target) => {
            // The integer comes first: utilization is truncated to whole percent before it is divided, so 80.9%
            // against 80% is a ratio of exactly 1.
            let utilization = percent(sums.usage, sums.requests);
            (Some(utilization), f64::from(utilization.0) / f64::from(target.0))
        }
        // The mean is truncated to whole milli-units before it is divided.
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

fn multiply(pass: Pass, arch: Architecture) -> Replicas {
    // The rounded quotient is multiplied and then rounded up, in this order: 25% / 3% × 30 pods gives 251, exact
    // arithmetic 250.
    ceil_replicas(pass.ratio.0 * float_count(pass.multiplier), arch)
}

/// Why the current replicas are kept after a second pass, in upstream's order.
fn guard(
    first: Ratio,
    second: Ratio,
    proposed: Replicas,
    tolerances: Tolerances,
    current: Replicas,
) -> Option<Guard> {
    // All three keep the current replicas: the order only decides which one is named.
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

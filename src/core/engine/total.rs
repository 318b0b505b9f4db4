//! Metrics with one value: Object and External.

use super::arith::{ceil_replicas, ceil_replicas_capped, float, float_count, to_int64};
use crate::model::{Architecture, Milli, Ratio, Replicas, Tolerances};
use crate::rules::Rules;
use crate::snapshot::Pod;
use crate::trace::{Calculation, Failure, PerReplica, Proposal, Total, TotalBasis};

/// A value and how many series it was added up from.
#[derive(Clone, Copy)]
pub(super) struct Usage {
    /// The value.
    pub value: Milli,
    /// Series.
    pub series: usize,
}

/// The one value of an object (`GetForObject` of the custom metrics client takes exactly one).
pub(super) fn of_object(values: &[Milli]) -> Result<Usage, Failure> {
    match values {
        [value] => Ok(Usage { value: *value, series: 1 }),
        _ => Err(Failure::NotOneValue(values.len())),
    }
}

/// The sum for a Value target, capped at the largest int64 (upstream `GetExternalMetricReplicas`), or wrapping.
pub(super) fn sum_for_total(values: &[Milli], rules: &Rules) -> Usage {
    let mut sum = 0_i64;
    for value in values {
        // Upstream stops at the overflow: values after it are not added, not even negative ones.
        if rules.total_capped && value.0 > 0 && sum > i64::MAX - value.0 {
            sum = i64::MAX;
            break;
        }
        sum = sum.wrapping_add(value.0);
    }
    Usage { value: Milli(sum), series: values.len() }
}

/// The sum for an AverageValue target: as soon as it is negative it counts as an overflow and becomes the largest int64
/// (upstream `GetExternalPerPodMetricReplicas`), or it wraps.
pub(super) fn sum_for_average(values: &[Milli], rules: &Rules) -> Usage {
    let mut sum = 0_i64;
    for value in values {
        sum = sum.wrapping_add(value.0);
        if rules.average_capped && sum < 0 {
            sum = i64::MAX;
            break;
        }
    }
    Usage { value: Milli(sum), series: values.len() }
}

/// How many pods are running and ready; `None` where there is no pod at all.
pub(super) fn count_ready(pods: &[Pod]) -> Option<usize> {
    (!pods.is_empty()).then(|| pods.iter().filter(|pod| pod.is_running_and_ready()).count())
}

/// Against a Value target (upstream `getUsageRatioReplicaCount`).
pub(super) fn propose_total(
    usage: Usage,
    target: Milli,
    tolerances: Tolerances,
    current: Replicas,
    ready: Option<usize>,
    (rules, arch): (&Rules, Architecture),
) -> Result<Proposal, Failure> {
    let ratio = Ratio(float(usage.value.0) / float(target.0));
    let (basis, replicas) = if current == Replicas(0) {
        // From zero there are no ready pods to multiply by. Upstream has neither a tolerance nor an overflow check in
        // this branch.
        (TotalBasis::FromZero, ceil_replicas(ratio.0, arch))
    // Before the pods are counted: within the tolerance a target without pods is no error.
    } else if tolerances.holds(ratio) {
        (TotalBasis::WithinTolerance, current)
    } else {
        let ready = ready.ok_or(Failure::NoPodsToCount)?;
        let round = if rules.total_capped { ceil_replicas_capped } else { ceil_replicas };
        (TotalBasis::ReadyPods(ready), round(ratio.0 * float_count(ready), arch))
    };
    let total = Total { usage: usage.value, series: usage.series, target, ratio, basis };
    Ok(Proposal { tolerances, calculation: Calculation::Total(total), replicas })
}

/// An Object or External metric against an AverageValue target (upstream `GetObjectPerPodMetricReplicas`,
/// `GetExternalPerPodMetricReplicas`), with or without a cap at the largest integers.
pub(super) fn propose_per_replica(
    usage: Usage,
    target: Milli,
    tolerances: Tolerances,
    observed: Replicas,
    is_capped: bool,
    arch: Architecture,
) -> Proposal {
    // As a float the largest int64 is 2^63. Values close to it round to the same float, so `>=` catches what would
    // overflow below.
    let largest = is_capped && float(usage.value.0) >= float(i64::MAX);
    let mean = if largest {
        Milli(i64::MAX)
    } else {
        Milli(to_int64((float(usage.value.0) / f64::from(observed.0)).ceil(), arch))
    };
    // With 0 observed replicas the ratio is infinite or NaN, which is never within the tolerance, so the count comes
    // from the usage alone. Upstream has no check for it either.
    let ratio = Ratio(float(usage.value.0) / (float(target.0) * f64::from(observed.0)));
    let within = !tolerances.is_exceeded_by(ratio);
    // Usage over target instead of ratio × replicas: the second product would round once more.
    let wanted = float(usage.value.0) / float(target.0);
    let replicas = match (within, is_capped) {
        (true, _) => observed,
        (false, true) => ceil_replicas_capped(wanted.ceil(), arch),
        (false, false) => ceil_replicas(wanted, arch),
    };
    let trace = PerReplica {
        usage: usage.value,
        series: usage.series,
        target,
        replicas: observed,
        ratio,
        within,
        mean,
        is_capped,
    };
    Proposal { tolerances, calculation: Calculation::PerReplica(trace), replicas }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Upstream `GetExternalMetricReplicas` ends at the largest int64 only where the next value leads beyond it.
    #[test]
    fn a_sum_that_just_fits_is_not_capped() {
        let rules = Rules::for_version("1.37.1", &BTreeMap::new()).expect("rules");
        let sum = |values: &[i64]| {
            let values: Vec<Milli> = values.iter().copied().map(Milli).collect();
            sum_for_total(&values, &rules).value.0
        };
        assert_eq!(sum(&[i64::MAX - 1, 1, -5]), i64::MAX - 5);
        assert_eq!(sum(&[i64::MAX - 1, 2, -5]), i64::MAX);
    }
}

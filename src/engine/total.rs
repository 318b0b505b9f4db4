//! Metrics with one value: Object and External.

use super::arith::{ceil_replicas, ceil_replicas_capped, float, float_count, to_int64};
use crate::model::{Milli, Ratio, Replicas, Tolerances};
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

/// The sum for a Value target, capped at the largest int64 (upstream `GetExternalMetricReplicas`).
pub(super) fn sum_capped(values: &[Milli]) -> Usage {
    let mut sum = 0_i64;
    for value in values {
        if value.0 > 0 && sum > i64::MAX - value.0 {
            sum = i64::MAX;
            break;
        }
        sum = sum.wrapping_add(value.0);
    }
    Usage { value: Milli(sum), series: values.len() }
}

/// The sum for an AverageValue target: as soon as it is negative it is taken for an overflow and becomes the largest
/// int64 (upstream `GetExternalPerPodMetricReplicas`).
pub(super) fn sum_non_negative(values: &[Milli]) -> Usage {
    let mut sum = 0_i64;
    for value in values {
        sum = sum.wrapping_add(value.0);
        if sum < 0 {
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
) -> Result<Proposal, Failure> {
    let ratio = Ratio(float(usage.value.0) / float(target.0));
    let (basis, replicas) = if current == Replicas(0) {
        (TotalBasis::FromZero, ceil_replicas(ratio.0))
    } else if tolerances.holds(ratio) {
        (TotalBasis::WithinTolerance, current)
    } else {
        let ready = ready.ok_or(Failure::NoPodsToCount)?;
        (TotalBasis::ReadyPods(ready), ceil_replicas_capped(ratio.0 * float_count(ready)))
    };
    let total = Total { usage: usage.value, series: usage.series, target, ratio, basis };
    Ok(Proposal { tolerances, calculation: Calculation::Total(total), replicas })
}

/// Object against an AverageValue target (upstream `GetObjectPerPodMetricReplicas`).
pub(super) fn propose_per_replica_of_object(
    usage: Usage,
    target: Milli,
    tolerances: Tolerances,
    observed: Replicas,
) -> Proposal {
    let mean = Milli(to_int64((float(usage.value.0) / f64::from(observed.0)).ceil()));
    per_replica(usage, target, tolerances, observed, mean, ceil_replicas)
}

/// External against an AverageValue target (upstream `GetExternalPerPodMetricReplicas`): capped where the object
/// metric is not.
pub(super) fn propose_per_replica_of_external(
    usage: Usage,
    target: Milli,
    tolerances: Tolerances,
    observed: Replicas,
) -> Proposal {
    let mean = if float(usage.value.0) >= float(i64::MAX) {
        Milli(i64::MAX)
    } else {
        Milli(to_int64((float(usage.value.0) / f64::from(observed.0)).ceil()))
    };
    per_replica(usage, target, tolerances, observed, mean, |wanted| ceil_replicas_capped(wanted.ceil()))
}

fn per_replica(
    usage: Usage,
    target: Milli,
    tolerances: Tolerances,
    observed: Replicas,
    mean: Milli,
    round: impl Fn(f64) -> Replicas,
) -> Proposal {
    let ratio = Ratio(float(usage.value.0) / (float(target.0) * f64::from(observed.0)));
    let within = tolerances.holds(ratio);
    let replicas = if within { observed } else { round(float(usage.value.0) / float(target.0)) };
    let series = usage.series;
    let trace = PerReplica { usage: usage.value, series, target, replicas: observed, ratio, within, mean };
    Proposal { tolerances, calculation: Calculation::PerReplica(trace), replicas }
}

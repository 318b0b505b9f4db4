//! Sums that the controller takes for an overflow although they are none.

use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::Milli;
use kubectl_hpa_core::snapshot::Reading;
use kubectl_hpa_core::trace::{Calculation, PerReplica};

/// The sum below zero that became the largest int64, and after how many of how many values it was met; `None` where the
/// sum is what it is, or more than int64 holds.
pub(in crate::render) fn negative_sum(
    explanation: &Explanation,
    metric: Metric<'_>,
) -> Option<(Milli, usize, usize)> {
    let Calculation::PerReplica(PerReplica { usage: Milli(i64::MAX), .. }) = metric.proposal()?.calculation
    else {
        return None;
    };
    let Some(Reading::External(Ok(values))) = explanation.snapshot().readings.get(metric.trace.index) else {
        return None;
    };
    let mut sum = 0_i64;
    for (place, value) in values.iter().enumerate() {
        sum = sum.checked_add(value.0)?;
        if sum < 0 {
            return Some((Milli(sum), place + 1, values.len()));
        }
    }
    None
}

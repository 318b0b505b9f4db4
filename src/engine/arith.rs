//! Go's conversions between integers and floats, in one place.
//!
//! Where a float does not fit an integer Go leaves the result to the processor; amd64, which the controller's
//! images run on unless told otherwise, answers with the smallest integer (`CVTTSD2SL`, `CVTTSD2SQ`). Rust
//! saturates. Outside of this file the engine converts nothing.

#![expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "this is the one place for conversions; each is checked or meant"
)]

use crate::model::{Milli, Percent, Replicas};

/// Go's `int32(f)` on amd64: truncates; the smallest int32 for what does not fit and for NaN.
pub(super) fn to_int32(value: f64) -> i32 {
    if value > -2_147_483_649.0 && value < 2_147_483_648.0 { value as i32 } else { i32::MIN }
}

/// Go's `int64(f)` on amd64: truncates; the smallest int64 for what does not fit and for NaN.
pub(super) fn to_int64(value: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value) {
        value as i64
    } else {
        i64::MIN
    }
}

/// Go's `int32(math.Ceil(f))` as a replica count.
pub(super) fn ceil_replicas(value: f64) -> Replicas {
    Replicas(to_int32(value.ceil()))
}

/// Like [`ceil_replicas`], capped at the largest int32 before the conversion.
pub(super) fn ceil_replicas_capped(value: f64) -> Replicas {
    if value > f64::from(i32::MAX) { Replicas(i32::MAX) } else { ceil_replicas(value) }
}

/// Go's `float64(i)` of an int64: rounds to the nearest.
pub(super) fn float(value: i64) -> f64 {
    value as f64
}

/// A count of things in memory as Go's `int64(len(x))`.
pub(super) fn int(count: usize) -> i64 {
    count as i64
}

/// A count of things in memory as Go's `float64(len(x))`.
pub(super) fn float_count(count: usize) -> f64 {
    float(int(count))
}

/// `int32((usage * 100) / requests)`: wraps in the product and in the conversion, truncates in the division.
/// The requests are not zero.
pub(super) fn percent(usage: Milli, requests: Milli) -> Percent {
    Percent(usage.0.wrapping_mul(100).wrapping_div(requests.0) as i32)
}

/// `request * percentage / 100`: wraps in the product.
pub(super) fn share(request: Milli, percentage: Percent) -> Milli {
    Milli(request.0.wrapping_mul(i64::from(percentage.0)) / 100)
}

/// `sum / int64(count)`: truncates. The count is not zero.
pub(super) fn mean(sum: Milli, count: usize) -> Milli {
    Milli(sum.0.wrapping_div(int(count)))
}

/// A replica count as a number of pods; none where it is negative.
pub(super) fn count(replicas: Replicas) -> usize {
    usize::try_from(replicas.0).unwrap_or(0)
}

/// What so many of a number of things come to: `sum × part / whole`.
pub(super) fn part_of(sum: Milli, part: usize, whole: usize) -> Milli {
    let product = i128::from(sum.0) * i128::from(int(part)) / i128::from(int(whole).max(1));
    Milli(i64::try_from(product).unwrap_or(i64::MAX))
}

/// The largest amount that, over a target and times a count of pods, stays an int32: `i32::MAX × unit / count`, where
/// it is an int64 itself.
pub(super) fn within_int32(unit: Milli, count: usize) -> Milli {
    let largest = i128::from(i32::MAX) * i128::from(unit.0.max(0)) / i128::from(int(count).max(1));
    Milli(i64::try_from(largest).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `go1.26 linux/amd64` prints for `int32(f), int64(f)`.
    #[test]
    fn out_of_range_floats_become_the_smallest_integer_as_on_amd64() {
        let cases = [
            (3e9, i32::MIN, 3_000_000_000),
            (4_294_967_297.0, i32::MIN, 4_294_967_297),
            (f64::NAN, i32::MIN, i64::MIN),
            (f64::INFINITY, i32::MIN, i64::MIN),
            (f64::NEG_INFINITY, i32::MIN, i64::MIN),
            (2_147_483_647.5, i32::MAX, 2_147_483_647),
            (-2_147_483_648.9, i32::MIN, -2_147_483_648),
            (-2_147_483_649.0, i32::MIN, -2_147_483_649),
            (9.3e18, i32::MIN, i64::MIN),
            (-1.9, -1, -1),
        ];
        for (value, int32, int64) in cases {
            assert_eq!(to_int32(value), int32, "int32({value})");
            assert_eq!(to_int64(value), int64, "int64({value})");
        }
    }
}

//! Go's conversions between integers and floats, in one place.
//!
//! Where a float does not fit an integer Go leaves the result to the processor ([`Architecture`]): up to Go 1.26, with
//! which every release with rules is built. Rust saturates, as arm64 does. Outside of this file the engine converts
//! nothing.

#![expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "this is the one place for conversions; each is checked or meant"
)]

use crate::model::{Architecture, Milli, Percent, Replicas};

/// Go's `int32(f)`: truncates. What does not fit is the smallest int32 on amd64, the nearest one on arm64; NaN is the
/// smallest one on amd64, 0 on arm64. What is too small is the smallest one on both.
pub(super) fn to_int32(value: f64, arch: Architecture) -> i32 {
    let is_below = value < 2_147_483_648.0;
    if is_below || arch == Architecture::Arm64 { value as i32 } else { i32::MIN }
}

/// Go's `int64(f)`, as [`to_int32`].
pub(super) fn to_int64(value: f64, arch: Architecture) -> i64 {
    let is_below = value < 9_223_372_036_854_775_808.0;
    if is_below || arch == Architecture::Arm64 { value as i64 } else { i64::MIN }
}

/// Go's `int32(math.Ceil(f))` as a replica count.
pub(super) fn ceil_replicas(value: f64, arch: Architecture) -> Replicas {
    Replicas(to_int32(value.ceil(), arch))
}

/// Like [`ceil_replicas`], capped at the largest int32 before the conversion.
pub(super) fn ceil_replicas_capped(value: f64, arch: Architecture) -> Replicas {
    if value > f64::from(i32::MAX) { Replicas(i32::MAX) } else { ceil_replicas(value, arch) }
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

/// `sum / int64(count)`: truncates. The count is not zero.
pub(super) fn mean(sum: Milli, count: usize) -> Milli {
    Milli(sum.0.wrapping_div(int(count)))
}

/// All of a unit.
pub(super) const WHOLE: Percent = Percent(100);

/// The largest amount that, over a share of a unit and times a count of pods, stays an int32:
/// `i32::MAX × unit × share / count`, where it is an int64 itself.
pub(super) fn within_int32(unit: Milli, share: Percent, count: usize) -> Milli {
    let unit = i128::from(unit.0.max(0)) * i128::from(share.0.max(0));
    let largest = i128::from(i32::MAX) * unit / 100 / i128::from(int(count).max(1));
    Milli(i64::try_from(largest).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Go prints for `int32(f)` and `int64(f)`, by `tests/oracle/conversions/generate`: the bits of the float, and
    /// what it is on amd64 and on arm64.
    #[test]
    fn floats_become_integers_as_in_go() {
        let table = include_str!("conversions.txt");
        let mut differing = 0;
        for line in table.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [bits, amd32, amd64, arm32, arm64] = words[..] else { panic!("{line}") };
            let value = f64::from_bits(u64::from_str_radix(bits, 16).expect("bits"));
            for (arch, int32, int64) in
                [(Architecture::Amd64, amd32, amd64), (Architecture::Arm64, arm32, arm64)]
            {
                assert_eq!(to_int32(value, arch).to_string(), int32, "int32({value}) on {arch}");
                assert_eq!(to_int64(value, arch).to_string(), int64, "int64({value}) on {arch}");
            }
            differing += usize::from(amd32 != arm32 || amd64 != arm64);
        }
        assert!(table.lines().count() > 300 && differing > 50, "{differing}");
    }
}

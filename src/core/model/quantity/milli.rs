use super::amount::{Amount, Quantity};
use super::decimal::Decimal;

const MILLI: i32 = -3;

impl Quantity {
    /// The amount in thousandths, rounded away from zero.
    ///
    /// Amounts beyond `i64` are not reported, they come out as they do upstream: wrapped for some exponents, zero
    /// for others (`9E` gives 0). A long negative number is rounded towards positive infinity.
    ///
    /// Source: `resource.Quantity.MilliValue`.
    #[must_use]
    pub fn milli_value(&self) -> i64 {
        match &self.amount {
            Amount::Small { value, scale } => small_milli(*value, *scale),
            Amount::Large(decimal) => large_milli(decimal),
        }
    }
}

impl Quantity {
    /// The first amount, up or down, that nobody can type: a little less than 2^63 thousandths.
    pub const BEYOND_TYPED: f64 = 9e15;

    /// The same of what somebody types; `None` if int64 has no place for it.
    #[must_use]
    pub fn checked_milli_value(&self) -> Option<i64> {
        (self.as_approximate_f64().abs() < Self::BEYOND_TYPED).then(|| self.milli_value())
    }

    /// True if int64 has surely no place for its thousandths.
    #[must_use]
    pub fn overflows_milli(&self) -> bool {
        /// A little more than 2^63 thousandths.
        const MOST: f64 = 9.223_372_036_855e15;
        self.as_approximate_f64().abs() > MOST
    }
}

/// Source: `int64Amount.AsScaledInt64`.
fn small_milli(value: i64, scale: i32) -> i64 {
    if scale < MILLI {
        scale_down(value, scale.abs_diff(MILLI))
    } else {
        scale_up(value, scale.wrapping_sub(MILLI))
    }
}

/// Source: `negativeScaleInt64`.
fn scale_down(value: i64, places: u32) -> i64 {
    let Some(divisor) = 10_i64.checked_pow(places) else {
        return value.signum();
    };
    let quotient = value / divisor;
    if value % divisor == 0 { quotient } else { quotient + value.signum() }
}

/// Source: `positiveScaleInt64`, which has its own code, without a check of the overflow, for the factors between
/// neighboring suffixes. A `places` that overflowed to a negative number multiplies by nothing.
fn scale_up(value: i64, places: i32) -> i64 {
    let Ok(places) = u32::try_from(places) else {
        return value;
    };
    if matches!(places, 0 | 1 | 2 | 3 | 6 | 9) {
        return value.wrapping_mul(10_i64.pow(places));
    }
    10_i64.checked_pow(places).and_then(|factor| value.checked_mul(factor)).unwrap_or(0)
}

/// Source: `scaledValue`. A long number's scale is 9 (nano), or 0 when it was capped; only zero has others.
fn large_milli(decimal: &Decimal) -> i64 {
    let places = i64::from(decimal.scale) + i64::from(MILLI);
    if decimal.is_zero() {
        return 0;
    }
    let Ok(places) = u32::try_from(places) else {
        let factor = u32::try_from(-places).ok().and_then(|places| 10_i64.checked_pow(places)).unwrap_or(0);
        return decimal.unscaled_low_bits().wrapping_mul(factor);
    };
    if decimal.unscaled_below_max() {
        // Negative numbers of any length come here too and lose their high bits before the division.
        let divisor = 10_i64.checked_pow(places).unwrap_or(i64::MAX);
        let low = decimal.unscaled_low_bits();
        return low / divisor + i64::from(low % divisor != 0);
    }
    let mut quotient = decimal.clone();
    let inexact = quotient.drop_places(u64::from(places));
    quotient.unscaled_low_bits().wrapping_add(i64::from(inexact))
}

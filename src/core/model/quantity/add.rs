use super::amount::{Amount, Quantity};
use super::decimal::Decimal;

/// Digits that one number may go on beyond the other in a sum.
const MOST_DIGITS: u64 = 10_000;

impl Quantity {
    /// Adds an amount, as requests of containers are added up. Neither side is negative: the API server refuses
    /// negative requests.
    ///
    /// Source: `resource.Quantity.Add`. The stored form decides how [`Quantity::milli_value`] overflows, so it is
    /// chosen as upstream chooses it.
    ///
    /// Of amounts that are more than `MOST_DIGITS` apart the larger one is the sum: upstream would write all those
    /// digits out and never end.
    pub fn add(&mut self, other: &Self) {
        if are_far_apart(&self.amount, &other.amount) {
            if *self < *other {
                *self = other.clone();
            }
            return;
        }
        self.text = None;
        if self.magnitude().is_zero() {
            self.format = other.format;
        }
        self.amount = match (&self.amount, &other.amount) {
            (
                &Amount::Small { value: left, scale: left_scale },
                &Amount::Small { value: right, scale: right_scale },
            ) => add_small((left, left_scale), (right, right_scale)).map_or_else(
                || add_large(&self.amount, &other.amount),
                |(value, scale)| Amount::Small { value, scale },
            ),
            (left, right) => add_large(left, right),
        };
    }
}

/// Whether the last digits are so far apart that one amount is nothing beside the other. Zero is nothing anyway.
fn are_far_apart(left: &Amount, right: &Amount) -> bool {
    let exponents = exponent(left).zip(exponent(right));
    exponents.is_some_and(|(left, right)| left.abs_diff(right) > MOST_DIGITS)
}

/// Of the last digit; `None` for zero.
fn exponent(amount: &Amount) -> Option<i64> {
    match amount {
        Amount::Small { value, scale } => (*value != 0).then_some(i64::from(*scale)),
        Amount::Large(decimal) => (!decimal.is_zero()).then(|| decimal.exponent()),
    }
}

/// Adds at the finer scale; `None` where int64 is too small for it.
///
/// Source: `int64Amount.Add`.
fn add_small((left, left_scale): (i64, i32), (right, right_scale): (i64, i32)) -> Option<(i64, i32)> {
    if left == 0 && right == 0 {
        // The sum has the other's format, in which a zero's exponent is never written.
        return Some((0, 0));
    }
    if right == 0 {
        return Some((left, left_scale));
    }
    if left == 0 {
        return Some((right, right_scale));
    }
    let scale = left_scale.min(right_scale);
    let shifted = |value: i64, from: i32| {
        10_i64.checked_pow(from.abs_diff(scale)).and_then(|factor| value.checked_mul(factor))
    };
    let sum = shifted(left, left_scale)?.checked_add(shifted(right, right_scale)?)?;
    Some((sum, scale))
}

fn add_large(left: &Amount, right: &Amount) -> Amount {
    Amount::Large(Decimal::sum(&decimal(left), &decimal(right)).into())
}

fn decimal(amount: &Amount) -> Decimal {
    match amount {
        Amount::Small { value, scale } => {
            let digits = value.unsigned_abs().to_string().into_bytes();
            Decimal::new(digits, scale.saturating_neg())
        }
        Amount::Large(decimal) => (**decimal).clone(),
    }
}

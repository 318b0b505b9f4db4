use super::amount::{Amount, Quantity};

/// 10^0 to 10^31.
const ONES: [f64; 32] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31,
];
/// 10^0, 10^32, 10^64 and so on.
const UP: [f64; 10] = [1e0, 1e32, 1e64, 1e96, 1e128, 1e160, 1e192, 1e224, 1e256, 1e288];
/// The same downwards.
const DOWN: [f64; 11] = [1e0, 1e-32, 1e-64, 1e-96, 1e-128, 1e-160, 1e-192, 1e-224, 1e-256, 1e-288, 1e-320];

impl Quantity {
    /// The amount as a float: the stored mantissa times a power of ten, each rounded on its own, so that the result
    /// may differ in the last bit from the float nearest to the text (`0.057`).
    ///
    /// Infinite when out of range; not a number for a zero with an exponent above 308.
    ///
    /// Source: `resource.Quantity.AsApproximateFloat64`.
    #[must_use]
    pub fn as_approximate_f64(&self) -> f64 {
        let (base, exponent) = match &self.amount {
            Amount::Small { value, scale } => (nearest(*value), *scale),
            // The standard library's parser rounds to nearest even, as the conversion of a big integer does.
            Amount::Large(decimal) => {
                (decimal.unscaled_text().parse().unwrap_or(0.0), decimal.scale.wrapping_neg())
            }
        };
        if exponent == 0 { base } else { base * power_of_ten(exponent) }
    }
}

#[expect(clippy::cast_precision_loss, reason = "the conversion is meant to round to the nearest float")]
fn nearest(value: i64) -> f64 {
    value as f64
}

/// Source: Go's `math.Pow10`, which multiplies two table entries and is not always the nearest float.
fn power_of_ten(exponent: i32) -> f64 {
    let places = exponent.unsigned_abs() as usize;
    match exponent {
        0..=308 => UP[places / 32] * ONES[places % 32],
        309.. => f64::INFINITY,
        -323..=-1 => DOWN[places / 32] / ONES[places % 32],
        _ => 0.0,
    }
}

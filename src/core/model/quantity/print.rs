use std::fmt;

use super::amount::{Format, Quantity};
use super::magnitude::Magnitude;
use super::suffix::{binary_letters, decimal_letter, low_half};

/// As Kubernetes prints it: the parsed text where that is kept, else the canonical form, which has no fraction and
/// the largest suffix that loses nothing.
///
/// Source: `resource.Quantity.String`, `CanonicalizeBytes`.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = &self.text {
            return f.write_str(text);
        }
        let magnitude = self.magnitude();
        if magnitude.is_zero() {
            return f.write_str("0");
        }
        if magnitude.negative {
            f.write_str("-")?;
        }
        match (self.format, whole_binary(&magnitude)) {
            (Format::BinarySI, Some(value)) => write_binary(f, value),
            (Format::DecimalExponent, _) => write_decimal(f, &magnitude, Format::DecimalExponent),
            _ => write_decimal(f, &magnitude, Format::DecimalSI),
        }
    }
}

/// The magnitude, if it is fit for a binary suffix: without a fraction and not below 1024.
fn whole_binary(magnitude: &Magnitude) -> Option<u64> {
    magnitude.to_u64().filter(|value| *value >= 1024)
}

fn write_binary(f: &mut fmt::Formatter<'_>, mut value: u64) -> fmt::Result {
    let mut times = 0;
    while value >= 1024 && value.is_multiple_of(1024) {
        value /= 1024;
        times += 1;
    }
    write!(f, "{value}{}", binary_letters(times))
}

fn write_decimal(f: &mut fmt::Formatter<'_>, magnitude: &Magnitude, format: Format) -> fmt::Result {
    let exponent = low_half(magnitude.exponent);
    let zeros = exponent.rem_euclid(3);
    let exponent = exponent.wrapping_sub(zeros);
    f.write_str(&String::from_utf8_lossy(&magnitude.digits))?;
    (0..zeros).try_for_each(|_| f.write_str("0"))?;
    match (format, exponent) {
        (Format::DecimalExponent, 0) => Ok(()),
        (Format::DecimalExponent, _) => write!(f, "e{exponent}"),
        _ => f.write_str(decimal_letter(exponent)),
    }
}

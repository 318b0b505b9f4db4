//! Numbers as they are typed.

use crate::model::{Format, Quantity};

/// A replica count.
pub(super) fn replicas(text: &str) -> Result<i32, String> {
    let count = text.parse().ok().filter(|count| *count >= 0);
    count.ok_or_else(|| {
        format!("`{text}` is no number of replicas; expected a whole number from 0 to 2147483647")
    })
}

/// A quantity.
pub(super) fn quantity(text: &str) -> Result<Quantity, String> {
    Quantity::parse(text)
        .map_err(|_| format!("`{text}` is no quantity; expected one such as 500m, 2 or 1.5Gi"))
}

/// Whether the controller can count a quantity in milli-units: nobody means one that its integers make 0 or another of.
pub(super) fn countable(text: &str) -> Result<(), String> {
    let quantity = quantity(text)?;
    let (meant, counted) =
        (quantity.as_approximate_f64(), Quantity::from_milli(quantity.milli_value(), Format::DecimalSI));
    // What is rounded up to a milli-unit is near; what does not fit is something else altogether.
    let is_counted = (meant - counted.as_approximate_f64()).abs() <= 0.001 + meant.abs() * 1e-9;
    if is_counted {
        return Ok(());
    }
    Err(format!(
        "`{text}` is more than the controller can count: int64 holds 9223372036854775807 milli-units"
    ))
}

/// An amount in milli-units as a quantity, the same that is read from its text: very long numbers make a difference.
pub(super) fn of_milli(milli: i64) -> Quantity {
    const SHORT: u64 = 10_u64.pow(17);
    if milli.unsigned_abs() < SHORT {
        return Quantity::from_milli(milli, Format::DecimalSI);
    }
    Quantity::parse(&format!("{milli}m")).unwrap_or_default()
}

/// A percentage of a target or a request: a whole number, with or without its sign.
pub(super) fn percent(text: &str) -> Result<i32, String> {
    let digits = text.strip_suffix('%').unwrap_or(text).trim();
    digits.parse().map_err(|_| format!("`{text}` is no percentage; expected a whole number such as 80"))
}

/// `NAME=VALUE`; the name ends at the first sign of equality.
pub(super) fn pair(text: &str) -> Result<(&str, &str), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim(), value.trim()))
        }
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

/// A share of an amount: `parts` of `whole`, rounded up to a milli-unit, kept within int64.
pub(super) fn share(milli: i64, parts: i64, whole: i128) -> i64 {
    let product = i128::from(milli) * i128::from(parts);
    let whole = whole.max(1);
    let up = product.div_euclid(whole) + i128::from(product.rem_euclid(whole) != 0);
    i64::try_from(up).unwrap_or(if up < 0 { i64::MIN } else { i64::MAX })
}

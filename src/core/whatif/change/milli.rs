//! Quantities of thousandths.

use crate::model::{Format, Quantity};

/// An amount in milli-units as a quantity, the same that is read from its text: very long numbers make a difference.
pub(super) fn of_milli(milli: i64) -> Quantity {
    const SHORT: u64 = 10_u64.pow(17);
    if milli.unsigned_abs() < SHORT {
        return Quantity::from_milli(milli, Format::DecimalSI);
    }
    Quantity::parse(&format!("{milli}m")).unwrap_or_default()
}

/// A share of an amount: `parts` of `whole`, rounded up to a milli-unit, kept within int64.
pub(super) fn share(milli: i64, parts: i64, whole: i128) -> i64 {
    let product = i128::from(milli) * i128::from(parts);
    let whole = whole.max(1);
    let up = product.div_euclid(whole) + i128::from(product.rem_euclid(whole) != 0);
    i64::try_from(up).unwrap_or(if up < 0 { i64::MIN } else { i64::MAX })
}

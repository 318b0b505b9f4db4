//! Numbers as they are typed.

use super::Problem;
use crate::model::{Format, Quantity};

/// `NAME=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named<T> {
    pub name: String,
    /// The value as it was typed.
    pub typed: String,
    pub value: T,
}

/// A name and its value; the name ends at the first sign of equality.
pub(super) fn named<T>(
    text: &str,
    read: impl FnOnce(&str) -> Result<T, Problem>,
) -> Result<Named<T>, Problem> {
    let (name, typed) = pair(text).ok_or(Problem::NotAPair)?;
    Ok(Named { name: name.to_owned(), typed: typed.to_owned(), value: read(typed)? })
}

/// The two sides of the first sign of equality, neither of them empty.
pub(super) fn pair(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    (!name.is_empty() && !value.is_empty()).then_some((name, value))
}

/// A replica count.
pub(super) fn replicas(text: &str) -> Result<i32, Problem> {
    let count = text.parse().ok().filter(|count| *count >= 0);
    count.ok_or_else(|| Problem::NotReplicas(text.to_owned()))
}

/// A quantity.
pub(super) fn quantity(text: &str) -> Result<Quantity, Problem> {
    Quantity::parse(text).map_err(|_| Problem::NotAQuantity(text.to_owned()))
}

/// Whether the controller can count a quantity in milli-units: nobody means one that its integers make 0 or another of.
pub(super) fn check_countable(typed: &str, quantity: &Quantity) -> Result<(), Problem> {
    let (meant, counted) =
        (quantity.as_approximate_f64(), Quantity::from_milli(quantity.milli_value(), Format::DecimalSI));
    // What is rounded up to a milli-unit is near; what does not fit is something else altogether.
    let is_counted = (meant - counted.as_approximate_f64()).abs() <= 0.001 + meant.abs() * 1e-9;
    if is_counted { Ok(()) } else { Err(Problem::Uncountable(typed.to_owned())) }
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
pub(super) fn percent(text: &str) -> Result<i32, Problem> {
    let digits = text.strip_suffix('%').unwrap_or(text).trim();
    digits.parse().map_err(|_| Problem::NotAPercentage(text.to_owned()))
}

/// A share of an amount: `parts` of `whole`, rounded up to a milli-unit, kept within int64.
pub(super) fn share(milli: i64, parts: i64, whole: i128) -> i64 {
    let product = i128::from(milli) * i128::from(parts);
    let whole = whole.max(1);
    let up = product.div_euclid(whole) + i128::from(product.rem_euclid(whole) != 0);
    i64::try_from(up).unwrap_or(if up < 0 { i64::MIN } else { i64::MAX })
}

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

/// A name and its value.
pub(super) fn named<T>(
    text: &str,
    read: impl FnOnce(&str) -> Result<T, Problem>,
) -> Result<Named<T>, Problem> {
    let (name, typed) = pair(text).ok_or(Problem::NotAPair)?;
    Ok(Named { name: name.to_owned(), typed: typed.to_owned(), value: read(typed)? })
}

/// The two sides of the first sign of equality that is in no selector, neither of them empty.
pub(in crate::whatif) fn pair(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let sign = text.find(|letter| {
        depth += match letter {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        letter == '=' && depth == 0
    })?;
    let (name, value) = (&text[..sign], &text[sign + 1..]);
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

/// A percentage of a target or a request: a whole number, with or without its sign.
pub(super) fn percent(text: &str) -> Result<i32, Problem> {
    let digits = text.strip_suffix('%').unwrap_or(text).trim();
    digits.parse().map_err(|_| Problem::NotAPercentage(text.to_owned()))
}

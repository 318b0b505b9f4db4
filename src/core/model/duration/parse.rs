use std::str::FromStr;

use thiserror::Error;

use super::span::Duration;
use crate::model::go_text::time_quote;

/// 2^63, the largest sum that fits when it is negated.
const LIMIT: u64 = 1 << 63;

/// Why a text is not a duration, in Go's words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("time: {reason} {}", time_quote(text))]
pub struct DurationError {
    reason: Reason,
    text: Box<str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
enum Reason {
    #[error("invalid duration")]
    Invalid,
    #[error("missing unit in duration")]
    MissingUnit,
    #[error("unknown unit {} in duration", time_quote(.0))]
    UnknownUnit(Box<str>),
}

impl Duration {
    /// Reads a sequence of decimal numbers with units out of `h m s ms us µs ns`, such as `1h1.5m`, or `0`.
    ///
    /// Source: `time.ParseDuration`.
    ///
    /// # Errors
    /// What Go says about the text, when it refuses it.
    pub fn parse(text: &str) -> Result<Self, DurationError> {
        parse_signed(text)
            .map(Self::from_nanoseconds)
            .map_err(|reason| DurationError { reason, text: text.into() })
    }

    /// Reads the same, or whole days, such as `7d`, as people write what goes on for long; `None` if it is neither.
    #[must_use]
    pub fn parse_with_days(text: &str) -> Option<Self> {
        let days = text.strip_suffix('d').and_then(|days| days.parse::<u32>().ok());
        days.map(|days| Self::from_seconds(i64::from(days) * 86_400)).or_else(|| Self::parse(text).ok())
    }
}

impl FromStr for Duration {
    type Err = DurationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

fn parse_signed(text: &str) -> Result<i64, Reason> {
    let rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return Ok(0);
    }
    let total = sum(rest)?;
    if text.starts_with('-') {
        return Ok(total.cast_signed().wrapping_neg());
    }
    i64::try_from(total).map_err(|_| Reason::Invalid)
}

fn sum(mut rest: &str) -> Result<u64, Reason> {
    let mut total = 0_u64;
    if rest.is_empty() {
        return Err(Reason::Invalid);
    }
    while !rest.is_empty() {
        let (whole, after) = split_digits(rest);
        let (fraction, after) = after.strip_prefix('.').map_or(("", after), split_digits);
        let whole_value = leading_integer(whole).ok_or(Reason::Invalid)?;
        if whole.is_empty() && fraction.is_empty() {
            return Err(Reason::Invalid);
        }
        let end = after.find(|letter: char| letter == '.' || letter.is_ascii_digit()).unwrap_or(after.len());
        let (name, after) = after.split_at(end);
        // Two terms of 2^63 each wrap to zero, upstream as well.
        total = total.wrapping_add(term(whole_value, fraction, unit(name)?).ok_or(Reason::Invalid)?);
        if total > LIMIT {
            return Err(Reason::Invalid);
        }
        rest = after;
    }
    Ok(total)
}

fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len()))
}

fn leading_integer(digits: &str) -> Option<u64> {
    digits
        .bytes()
        .try_fold(0_u64, |value, digit| value.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
        .filter(|value| *value <= LIMIT)
}

fn unit(name: &str) -> Result<u64, Reason> {
    match name {
        "ns" => Ok(1),
        // The micro sign and the Greek letter look alike.
        "us" | "\u{b5}s" | "\u{3bc}s" => Ok(1_000),
        "ms" => Ok(1_000_000),
        "s" => Ok(1_000_000_000),
        "m" => Ok(60_000_000_000),
        "h" => Ok(3_600_000_000_000),
        "" => Err(Reason::MissingUnit),
        _ => Err(Reason::UnknownUnit(name.into())),
    }
}

fn term(whole: u64, fraction: &str, unit: u64) -> Option<u64> {
    if whole > LIMIT / unit {
        return None;
    }
    Some(whole * unit + fraction_of(fraction, unit)).filter(|value| *value <= LIMIT)
}

/// The share of `unit` that the digits after the point stand for, through a float as upstream.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the result is not negative and at most an hour; upstream rounds and truncates in the same places"
)]
fn fraction_of(digits: &str, unit: u64) -> u64 {
    let (mut value, mut scale) = (0_u64, 1.0_f64);
    for digit in digits.bytes() {
        // Digits beyond 64 bits are dropped.
        if value > (LIMIT - 1) / 10 {
            break;
        }
        let longer = value * 10 + u64::from(digit - b'0');
        if longer > LIMIT {
            break;
        }
        value = longer;
        scale *= 10.0;
    }
    (value as f64 * (unit as f64 / scale)) as u64
}

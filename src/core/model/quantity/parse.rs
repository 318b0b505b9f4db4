use std::str::FromStr;

use super::amount::{Amount, Format, Quantity};
use super::decimal::Decimal;
use super::error::QuantityError;
use super::magnitude::Magnitude;
use super::scan::{Pieces, scan};
use super::suffix::Suffix;

/// The finest exponent that is kept; everything finer is rounded up to it.
const NANO: i32 = -9;
/// So many digits always fit in an `i64`.
const SAFE_DIGITS: usize = 18;

impl Quantity {
    /// Reads a quantity: a decimal number with an optional sign and a suffix out of
    /// `n u m k M G T P E`, `Ki Mi Gi Ti Pi Ei` or `e` and an exponent.
    ///
    /// Amounts finer than a nano are rounded away from zero; with a binary suffix they are capped at ±(2^63-1).
    ///
    /// Source: `resource.ParseQuantity`.
    ///
    /// # Errors
    /// What Kubernetes says about the text, when it refuses it.
    pub fn parse(text: &str) -> Result<Self, QuantityError> {
        if text.is_empty() {
            return Err(QuantityError::Format);
        }
        let pieces = scan(text)?;
        let suffix = Suffix::parse(pieces.suffix).ok_or(QuantityError::Suffix)?;
        match small(&pieces, suffix) {
            Some((value, scale)) => {
                let is_kept = is_kept(&pieces, suffix, scale) && !is_canonical(text, &pieces, suffix);
                let text = is_kept.then(|| Box::new(text.into()));
                Ok(Self { amount: Amount::Small { value, scale }, format: suffix.format(), text })
            }
            None => large(&pieces, suffix),
        }
    }
}

impl FromStr for Quantity {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

/// The value and scale, when the number surely fits in an `i64`.
fn small(pieces: &Pieces<'_>, suffix: Suffix) -> Option<(i64, i32)> {
    let (factor, exponent) = match suffix {
        Suffix::Decimal(exponent) | Suffix::Exponent(exponent) => (1, exponent),
        Suffix::Binary(exponent) => (1_i64 << exponent, 0),
    };
    if pieces.whole.len() + pieces.fraction.len() > most_digits(pieces, suffix)? {
        return None;
    }
    let scale = exponent.wrapping_sub(i32::try_from(pieces.fraction.len()).ok()?);
    if scale < NANO {
        return None;
    }
    let digits = pieces.whole.bytes().chain(pieces.fraction.bytes());
    let value =
        digits.fold(0_i64, |value, digit| value * 10 + i64::from(digit - b'0')).checked_mul(factor)?;
    Some((if pieces.negative { -value } else { value }, scale))
}

/// How many digits upstream's fast path takes; a binary suffix uses some of them up and allows no fraction.
fn most_digits(pieces: &Pieces<'_>, suffix: Suffix) -> Option<usize> {
    match suffix {
        Suffix::Binary(_) if !pieces.fraction.is_empty() => None,
        Suffix::Binary(exponent) => 14_usize.checked_sub(exponent as usize * 3 / 10),
        Suffix::Decimal(_) | Suffix::Exponent(_) => Some(SAFE_DIGITS),
    }
}

/// Upstream takes these texts for canonical, even if they have a plus or trailing zeros (`+1.500`), and prints them
/// back as they came.
fn is_kept(pieces: &Pieces<'_>, suffix: Suffix, scale: i32) -> bool {
    if matches!(suffix, Suffix::Binary(_)) {
        // Not divisible by 8; the last three digits decide.
        let tail = &pieces.whole[pieces.whole.len().saturating_sub(3)..];
        return !tail.parse::<u16>().unwrap_or(0).is_multiple_of(8);
    }
    let mut digits = pieces.whole.bytes().chain(pieces.fraction.bytes());
    let ends_in_zeros = digits.clone().rev().take(3).eq(*b"000");
    scale % 3 == 0 && !ends_in_zeros && digits.next() != Some(b'0')
}

/// Whether a text that is kept is printed the same without it: whole digits that no larger suffix fits, and a suffix.
/// Nearly all are, so that the many quantities of a case need no memory for their texts.
fn is_canonical(text: &str, pieces: &Pieces<'_>, suffix: Suffix) -> bool {
    // Nothing else is in it: no sign, point or zeros in front.
    let is_plain = text.len() == pieces.whole.len() + pieces.suffix.len();
    is_plain && matches!(suffix, Suffix::Decimal(_) | Suffix::Binary(_))
}

fn large(pieces: &Pieces<'_>, suffix: Suffix) -> Result<Quantity, QuantityError> {
    if !pieces.has_digits {
        return Err(QuantityError::Number);
    }
    let digits = [pieces.whole.as_bytes(), pieces.fraction.as_bytes()].concat();
    let mut decimal = Decimal::new(digits, i32::try_from(pieces.fraction.len()).unwrap_or(i32::MAX));
    match suffix {
        Suffix::Binary(exponent) => decimal.shift_left(exponent),
        Suffix::Decimal(exponent) | Suffix::Exponent(exponent) => {
            decimal.scale = decimal.scale.wrapping_sub(exponent);
        }
    }
    if !decimal.is_zero() {
        decimal.round_up_to(-NANO);
    }
    let format = match suffix {
        Suffix::Binary(_) => bound_binary(&mut decimal),
        Suffix::Decimal(_) | Suffix::Exponent(_) => suffix.format(),
    };
    decimal.negative = pieces.negative && !decimal.is_zero();
    Ok(Quantity { amount: Amount::Large(decimal.into()), format, text: None })
}

/// Caps a binary amount and chooses its format: amounts below one turn decimal.
fn bound_binary(decimal: &mut Decimal) -> Format {
    if decimal.magnitude() > Magnitude::of_small(i64::MAX, 0) {
        *decimal = Decimal::new(i64::MAX.to_string().into_bytes(), 0);
    }
    let below_one = decimal.magnitude() < Magnitude::of_small(1, 0);
    if below_one && !decimal.is_zero() { Format::DecimalSI } else { Format::BinarySI }
}

#[cfg(test)]
mod tests {
    use super::Quantity;

    /// The text that upstream caches is kept only if it would be printed otherwise without it.
    #[test]
    fn a_text_is_kept_where_it_is_not_canonical() {
        let suffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti"];
        for suffix in suffixes {
            for whole in ["1", "7", "10", "50", "100", "110", "999", "1001", "1500", "1010", "2047", "99999"]
            {
                let text = format!("{whole}{suffix}");
                let quantity = Quantity::parse(&text).expect("a quantity");
                assert_eq!(quantity.text, None, "{text}");
                assert_eq!(quantity.to_string(), text);
            }
        }
        for text in ["+1", "+1.500", "01", "0100m", "15e3", "-7"] {
            let quantity = Quantity::parse(text).expect("a quantity");
            assert_eq!(quantity.text.as_deref().map(AsRef::as_ref), Some(text));
            assert_eq!(quantity.to_string(), text);
        }
    }
}

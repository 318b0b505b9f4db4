use super::error::QuantityError;

/// The pieces of a quantity's text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pieces<'a> {
    pub(super) negative: bool,
    /// Digits before the point, without leading zeros, but at least one digit.
    pub(super) whole: &'a str,
    /// Digits after the point.
    pub(super) fraction: &'a str,
    pub(super) suffix: &'a str,
    /// The text has a digit of its own in front of the suffix (`k` and `.` have none, and are zero all the same).
    pub(super) has_digits: bool,
}

/// Source: `parseQuantityString`. It takes more than the documented grammar: `+`, `.`, `1.G` and `k` are numbers.
pub(super) fn scan(text: &str) -> Result<Pieces<'_>, QuantityError> {
    let (negative, unsigned) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let stripped = unsigned.trim_start_matches('0');
    if stripped.is_empty() {
        return Ok(Pieces { negative, whole: "0", fraction: "", suffix: "", has_digits: true });
    }
    let (whole, rest) = split_digits(stripped);
    let (fraction, suffix) = rest.strip_prefix('.').map_or(("", rest), split_digits);
    check_suffix(suffix)?;
    let has_digits = stripped.len() < unsigned.len() || !whole.is_empty() || !fraction.is_empty();
    let whole = if whole.is_empty() { "0" } else { whole };
    Ok(Pieces { negative, whole, fraction, suffix, has_digits })
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

/// Letters, then at most one sign, then digits.
fn check_suffix(suffix: &str) -> Result<(), QuantityError> {
    let rest = suffix.trim_start_matches(|letter| "eEinumkKMGTP".contains(letter));
    let digits = rest.strip_prefix(['-', '+']).unwrap_or(rest);
    if split_digits(digits).1.is_empty() { Ok(()) } else { Err(QuantityError::Format) }
}

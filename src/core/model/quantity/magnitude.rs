use std::cmp::Ordering;

/// The value of a quantity without its stored form: ± `digits` × 10^`exponent`, one spelling for each value.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Magnitude {
    pub(super) negative: bool,
    /// ASCII digits without zeros in front or behind; empty for zero.
    pub(super) digits: Vec<u8>,
    pub(super) exponent: i64,
}

impl Magnitude {
    pub(super) fn of_small(value: i64, scale: i32) -> Self {
        let mut digits = value.unsigned_abs().to_string().into_bytes();
        let zeros = digits.iter().rev().take_while(|digit| **digit == b'0').count();
        digits.truncate(digits.len() - zeros);
        // An i64 has at most 19 digits.
        let exponent = i64::from(scale) + i64::try_from(zeros).unwrap_or(0);
        Self { negative: value < 0, digits, exponent }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// The magnitude as an integer, unless it has a fraction or is too large.
    pub(super) fn to_u64(&self) -> Option<u64> {
        let power = 10_u64.checked_pow(u32::try_from(self.exponent).ok()?)?;
        std::str::from_utf8(&self.digits).ok()?.parse::<u64>().ok()?.checked_mul(power)
    }

    fn signum(&self) -> i8 {
        match (self.is_zero(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    /// Compares what is left when the signs are taken away; neither side may be zero.
    fn cmp_unsigned(&self, other: &Self) -> Ordering {
        // The position of the first digit decides; equal positions make the digits comparable as text.
        let top = |side: &Self| side.exponent.saturating_add_unsigned(side.digits.len() as u64);
        top(self).cmp(&top(other)).then_with(|| self.digits.cmp(&other.digits))
    }
}

impl PartialOrd for Magnitude {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Magnitude {
    fn cmp(&self, other: &Self) -> Ordering {
        self.signum().cmp(&other.signum()).then_with(|| match self.signum() {
            0 => Ordering::Equal,
            1 => self.cmp_unsigned(other),
            _ => other.cmp_unsigned(self),
        })
    }
}

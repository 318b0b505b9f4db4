use super::magnitude::Magnitude;

/// A decimal number of any length: ± `digits` × 10^`zeros` is the unscaled integer, which stands for itself
/// × 10^-`scale`.
///
/// Decimal digits instead of a big integer, because everything that upstream does with its long numbers is a
/// shift by powers of ten, apart from one multiplication by a power of two. So every operation is linear, and
/// `1e2000000000` takes no more room than its text.
///
/// Source: `inf.Dec`, as far as `resource.Quantity` uses it.
#[derive(Clone, Debug)]
pub(super) struct Decimal {
    pub(super) negative: bool,
    /// ASCII digits without zeros in front or behind; empty for zero.
    digits: Vec<u8>,
    zeros: u64,
    pub(super) scale: i32,
}

impl Decimal {
    /// Reads ASCII digits, which may have zeros on either side.
    pub(super) fn new(digits: Vec<u8>, scale: i32) -> Self {
        let mut decimal = Self { negative: false, digits, zeros: 0, scale };
        decimal.normalize();
        decimal
    }

    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    pub(super) fn magnitude(&self) -> Magnitude {
        Magnitude { negative: self.negative, digits: self.digits.clone(), exponent: self.exponent() }
    }

    /// The unscaled integer as text that a float parser understands.
    pub(super) fn unscaled_text(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        let digits = if self.is_zero() { "0".into() } else { String::from_utf8_lossy(&self.digits) };
        format!("{sign}{digits}e{}", self.zeros)
    }

    /// The low 64 bits of the unscaled integer, with its sign.
    ///
    /// Source: `big.Int.Int64`.
    pub(super) fn unscaled_low_bits(&self) -> i64 {
        let low = self
            .digits
            .iter()
            .fold(0_u64, |low, digit| low.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')));
        // 10^64 is a multiple of 2^64, so that longer runs of zeros leave nothing.
        let low = (0..self.zeros.min(64)).fold(low, |low, _| low.wrapping_mul(10)).cast_signed();
        if self.negative { low.wrapping_neg() } else { low }
    }

    /// The unscaled integer is negative or below `i64::MAX`.
    pub(super) fn unscaled_below_max(&self) -> bool {
        let unscaled = Self { scale: 0, ..self.clone() };
        unscaled.magnitude() < Magnitude::of_small(i64::MAX, 0)
    }

    /// Multiplies by 2^`exponent`; `exponent` is at most 60.
    pub(super) fn shift_left(&mut self, exponent: u32) {
        let mut carry = 0_u128;
        for digit in self.digits.iter_mut().rev() {
            let product = (u128::from(*digit - b'0') << exponent) + carry;
            *digit = ascii_digit(product % 10);
            carry = product / 10;
        }
        let mut front = Vec::new();
        while carry > 0 {
            front.push(ascii_digit(carry % 10));
            carry /= 10;
        }
        front.reverse();
        self.digits.splice(0..0, front);
        self.normalize();
    }

    /// Moves to `scale`, away from zero where digits are lost.
    ///
    /// Source: `inf.Dec.Round` with `inf.RoundUp`. The shift wraps at 32 bits as it does there.
    pub(super) fn round_up_to(&mut self, scale: i32) {
        let shift = scale.wrapping_sub(self.scale);
        self.scale = scale;
        if self.is_zero() {
            return;
        }
        let places = u64::from(shift.unsigned_abs());
        if shift >= 0 {
            self.zeros += places;
        } else if self.drop_places(places) {
            self.increment();
        }
    }

    /// Removes the last `places` digits of the unscaled integer and says whether any of them was not zero.
    pub(super) fn drop_places(&mut self, places: u64) -> bool {
        if places <= self.zeros {
            self.zeros -= places;
            return false;
        }
        let places = places - self.zeros;
        self.zeros = 0;
        let kept = (self.digits.len() as u64).saturating_sub(places);
        let inexact = !self.digits.is_empty();
        self.digits.truncate(usize::try_from(kept).unwrap_or(0));
        self.normalize();
        inexact
    }

    /// The sum of two numbers that are not negative, at the finer scale of both.
    ///
    /// Source: `inf.Dec.Add`.
    pub(super) fn sum(left: &Self, right: &Self) -> Self {
        let scale = left.scale.max(right.scale);
        // Zeros that both end in are not written out.
        let last = match (left.is_zero(), right.is_zero()) {
            (true, _) => right.exponent(),
            (_, true) => left.exponent(),
            _ => left.exponent().min(right.exponent()),
        };
        let (mut left, mut right) = (left.digits_down_to(last), right.digits_down_to(last));
        let width = left.len().max(right.len()) + 1;
        for digits in [&mut left, &mut right] {
            digits.splice(0..0, std::iter::repeat_n(b'0', width - digits.len()));
        }
        let mut carry = 0;
        for (digit, other) in left.iter_mut().zip(&right).rev() {
            let sum = (*digit - b'0') + (*other - b'0') + carry;
            *digit = b'0' + sum % 10;
            carry = sum / 10;
        }
        let mut sum = Self::new(left, scale);
        if !sum.is_zero() {
            sum.zeros += last.saturating_add(i64::from(scale)).max(0).cast_unsigned();
        }
        sum
    }

    /// Of the last digit.
    pub(super) fn exponent(&self) -> i64 {
        self.zeros.cast_signed().saturating_sub(i64::from(self.scale))
    }

    /// The digits down to an exponent that is not above their own.
    fn digits_down_to(&self, last: i64) -> Vec<u8> {
        let mut digits = self.digits.clone();
        if !self.is_zero() {
            let zeros = usize::try_from(self.exponent().saturating_sub(last)).unwrap_or(0);
            digits.extend(std::iter::repeat_n(b'0', zeros));
        }
        digits
    }

    /// Adds one to the unscaled integer's magnitude, which must have been left by an inexact division.
    fn increment(&mut self) {
        self.digits.extend(std::iter::repeat_n(b'0', usize::try_from(self.zeros).unwrap_or(0)));
        self.zeros = 0;
        for digit in self.digits.iter_mut().rev() {
            if *digit < b'9' {
                *digit += 1;
                self.normalize();
                return;
            }
            *digit = b'0';
        }
        self.digits.insert(0, b'1');
        self.normalize();
    }

    fn normalize(&mut self) {
        let leading = self.digits.iter().take_while(|digit| **digit == b'0').count();
        self.digits.drain(..leading);
        let trailing = self.digits.iter().rev().take_while(|digit| **digit == b'0').count();
        self.digits.truncate(self.digits.len() - trailing);
        self.zeros += trailing as u64;
        if self.digits.is_empty() {
            self.zeros = 0;
        }
    }
}

fn ascii_digit(value: u128) -> u8 {
    b'0' + u8::try_from(value).unwrap_or(0)
}

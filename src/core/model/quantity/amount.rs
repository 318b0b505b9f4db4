use super::decimal::Decimal;
use super::magnitude::Magnitude;

/// How a [`Quantity`] writes its exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `12e6`.
    DecimalExponent,
    /// `12Mi`, powers of 1024.
    BinarySI,
    /// `12M`, powers of 1000.
    DecimalSI,
}

/// An amount such as `250m`, `1.5Gi` or `2e3`.
///
/// Equality, order and hash look at the value only: `1k`, `1000` and `1e3` are equal. The text that a quantity
/// was parsed from is kept where Kubernetes keeps it, so that printing gives the same text that the API server
/// gives.
///
/// Source: `resource.Quantity`.
#[derive(Clone, Debug)]
pub struct Quantity {
    pub(super) amount: Amount,
    pub(super) format: Format,
    /// The parsed text, kept only where upstream caches it; it wins over the canonical form when printing. Few have one.
    pub(super) text: Option<Box<Box<str>>>,
}

/// The two stored forms. They differ in how [`Quantity::milli_value`] overflows, so they are never exchanged.
#[derive(Clone, Debug)]
pub(super) enum Amount {
    /// `value` × 10^`scale`: all numbers of up to 18 digits that are not finer than a nano.
    Small { value: i64, scale: i32 },
    /// Everything else, which is rare: 50,000 pods have 200,000 quantities.
    Large(Box<Decimal>),
}

impl Quantity {
    /// A quantity of `milli` thousandths.
    ///
    /// Source: `resource.NewMilliQuantity`.
    #[must_use]
    pub const fn from_milli(milli: i64, format: Format) -> Self {
        Self { amount: Amount::Small { value: milli, scale: -3 }, format, text: None }
    }

    /// How the quantity writes its exponent: the kind of suffix that it was parsed with.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Whether it is the smallest int64 in thousandths, or as a whole: what Go makes of NaN on amd64.
    #[must_use]
    pub fn is_smallest_integer(&self) -> bool {
        [-3, 0].into_iter().any(|scale| {
            *self
                == Self { amount: Amount::Small { value: i64::MIN, scale }, format: self.format, text: None }
        })
    }

    /// Whether it is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match &self.amount {
            Amount::Small { value, .. } => *value < 0,
            Amount::Large(decimal) => decimal.negative && !decimal.is_zero(),
        }
    }

    pub(super) fn magnitude(&self) -> Magnitude {
        match &self.amount {
            Amount::Small { value, scale } => Magnitude::of_small(*value, *scale),
            Amount::Large(decimal) => decimal.magnitude(),
        }
    }
}

impl Default for Quantity {
    /// Zero, what an absent or `null` quantity is.
    fn default() -> Self {
        Self { amount: Amount::Small { value: 0, scale: 0 }, format: Format::DecimalSI, text: None }
    }
}

#[cfg(test)]
mod tests {
    use super::Quantity;

    #[test]
    fn quantities_are_small() {
        assert!(size_of::<Quantity>() <= 32, "{}", size_of::<Quantity>());
    }
}

use std::ops::{Add, Sub};

use crate::model::duration::Duration;

const SECOND: i128 = 1_000_000_000;

/// A point in time: nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Source: Go's `time.Time` without its zone, and `metav1.Time` for its JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(i128);

impl Instant {
    /// 0001-01-01T00:00:00Z, which Kubernetes treats as no time and writes as null.
    pub const ZERO: Self = Self(-62_135_596_800 * SECOND);

    /// The point that is `nanoseconds` after 1970.
    #[must_use]
    pub const fn from_unix_nanoseconds(nanoseconds: i128) -> Self {
        Self(nanoseconds)
    }

    /// Nanoseconds since 1970.
    #[must_use]
    pub const fn unix_nanoseconds(self) -> i128 {
        self.0
    }

    /// Whether this is [`Instant::ZERO`].
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == Self::ZERO.0
    }

    /// The same point truncated to the second, as `metav1.Time` is stored.
    #[must_use]
    pub const fn to_second(self) -> Self {
        Self(self.0 - self.0.rem_euclid(SECOND))
    }

    /// The time from `earlier` to this point, negative if that is later; the longest or the shortest duration when
    /// it does not fit.
    ///
    /// Source: `time.Time.Sub`.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        let span = self.0.saturating_sub(earlier.0);
        let bound = if span < 0 { i64::MIN } else { i64::MAX };
        Duration::from_nanoseconds(i64::try_from(span).unwrap_or(bound))
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, span: Duration) -> Self {
        Self(self.0.saturating_add(i128::from(span.nanoseconds())))
    }
}

impl Sub<Duration> for Instant {
    type Output = Self;

    fn sub(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(i128::from(span.nanoseconds())))
    }
}

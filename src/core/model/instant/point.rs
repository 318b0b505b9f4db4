use std::num::NonZeroU32;
use std::ops::{Add, Sub};

use crate::model::duration::Duration;

const SECOND: i64 = 1_000_000_000;

/// A point in time, to the nanosecond, without leap seconds.
///
/// Source: Go's `time.Time` without its zone, and `metav1.Time` for its JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant {
    /// Since 1970-01-01T00:00:00Z.
    seconds: i64,
    /// The nanoseconds of the second and one, never zero: no time takes no more memory than a time, and of 50,000 pods each
    /// has six of them.
    nanoseconds: NonZeroU32,
}

impl Instant {
    /// 0001-01-01T00:00:00Z, which Kubernetes treats as no time and writes as null.
    pub const ZERO: Self = Self { seconds: -62_135_596_800, nanoseconds: NonZeroU32::MIN };

    /// The point that is `nanoseconds` after 1970.
    #[must_use]
    pub fn from_unix_nanoseconds(nanoseconds: i128) -> Self {
        let second = i128::from(SECOND);
        let bound = if nanoseconds < 0 { i64::MIN } else { i64::MAX };
        let seconds = i64::try_from(nanoseconds.div_euclid(second)).unwrap_or(bound);
        Self::new(seconds, i64::try_from(nanoseconds.rem_euclid(second)).unwrap_or_default())
    }

    /// The point that is whole seconds after 1970.
    #[must_use]
    pub const fn from_unix_seconds(seconds: i64) -> Self {
        Self { seconds, nanoseconds: NonZeroU32::MIN }
    }

    /// So long after 1970; the nanoseconds may be more than a second, or negative.
    fn new(seconds: i64, nanoseconds: i64) -> Self {
        let rest = u32::try_from(nanoseconds.rem_euclid(SECOND)).unwrap_or_default();
        Self {
            seconds: seconds.saturating_add(nanoseconds.div_euclid(SECOND)),
            nanoseconds: NonZeroU32::MIN.saturating_add(rest),
        }
    }

    /// Nanoseconds since 1970.
    #[must_use]
    pub fn unix_nanoseconds(self) -> i128 {
        i128::from(self.seconds) * i128::from(SECOND) + i128::from(self.subsecond())
    }

    /// Nanoseconds since the full second.
    fn subsecond(self) -> i64 {
        i64::from(self.nanoseconds.get() - 1)
    }

    /// Whether this is [`Instant::ZERO`].
    #[must_use]
    pub fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// The same point truncated to the second, as `metav1.Time` is stored.
    #[must_use]
    pub const fn to_second(self) -> Self {
        Self::from_unix_seconds(self.seconds)
    }

    /// The time from `earlier` to this point, negative if that is later; the longest or the shortest duration when
    /// it does not fit.
    ///
    /// Source: `time.Time.Sub`.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        let span = self.unix_nanoseconds() - earlier.unix_nanoseconds();
        let bound = if span < 0 { i64::MIN } else { i64::MAX };
        Duration::from_nanoseconds(i64::try_from(span).unwrap_or(bound))
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, span: Duration) -> Self {
        let span = span.nanoseconds();
        let seconds = self.seconds.saturating_add(span.div_euclid(SECOND));
        Self::new(seconds, self.subsecond() + span.rem_euclid(SECOND))
    }
}

impl Sub<Duration> for Instant {
    type Output = Self;

    fn sub(self, span: Duration) -> Self {
        let span = span.nanoseconds();
        let seconds = self.seconds.saturating_sub(span.div_euclid(SECOND));
        Self::new(seconds, self.subsecond() - span.rem_euclid(SECOND))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_counts_as_nanoseconds_do(at in -(1_i128 << 90)..1 << 90, span: i64, other in -(1_i128 << 70)..1 << 70) {
            let instant = Instant::from_unix_nanoseconds(at);
            let other = Instant::from_unix_nanoseconds(other);
            prop_assert_eq!(instant.unix_nanoseconds(), at);
            prop_assert_eq!(instant.cmp(&other), at.cmp(&other.unix_nanoseconds()));
            let moved = [instant + Duration::from_nanoseconds(span), instant - Duration::from_nanoseconds(span)];
            prop_assert_eq!(moved.map(Instant::unix_nanoseconds), [at + i128::from(span), at - i128::from(span)]);
            prop_assert_eq!(moved[0].since(instant).nanoseconds(), span);
            prop_assert_eq!(instant.to_second().unix_nanoseconds(), at - at.rem_euclid(1_000_000_000));
        }
    }

    #[test]
    fn no_time_takes_no_more_memory_than_a_time() {
        assert_eq!([size_of::<Instant>(), size_of::<Option<Instant>>()], [16, 16]);
    }
}

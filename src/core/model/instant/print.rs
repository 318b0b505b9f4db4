use std::fmt;

use super::calendar::date_from_days;
use super::point::Instant;

const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400;

/// To the second and in UTC: `2026-11-21T10:42:00Z`. Fractions are cut off.
///
/// Source: `metav1.Time.MarshalJSON`.
impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_seconds(f, *self)?;
        f.write_str("Z")
    }
}

impl Instant {
    /// To the nanosecond and in UTC, without trailing zeros: `2026-11-21T10:42:00.5Z`.
    ///
    /// Source: `time.Time.Format` with `time.RFC3339Nano`.
    #[must_use]
    pub fn to_rfc3339_nano(self) -> String {
        Nano(self).to_string()
    }
}

pub(super) struct Nano(pub(super) Instant);

impl fmt::Display for Nano {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_seconds(f, self.0)?;
        let fraction = self.0.unix_nanoseconds().rem_euclid(SECOND);
        if fraction != 0 {
            // The leading one holds the zeros after the point.
            write!(f, ".{}", (SECOND + fraction).to_string()[1..].trim_end_matches('0'))?;
        }
        f.write_str("Z")
    }
}

fn write_seconds(f: &mut fmt::Formatter<'_>, instant: Instant) -> fmt::Result {
    let seconds = instant.unix_nanoseconds().div_euclid(SECOND);
    let (year, month, day) = date_from_days(seconds.div_euclid(DAY));
    let second = seconds.rem_euclid(DAY);
    let sign = if year < 0 { "-" } else { "" };
    write!(f, "{sign}{:04}-{month:02}-{day:02}T", year.unsigned_abs())?;
    write!(f, "{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60)
}

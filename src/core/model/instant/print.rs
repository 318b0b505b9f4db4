use std::fmt;

use super::calendar::date_at;
use super::point::Instant;

/// To the second and in UTC: `2026-11-21T10:42:00Z`. Fractions are cut off.
///
/// Source: `metav1.Time.MarshalJSON`.
impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.to_second())
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
        write(f, self.0)
    }
}

/// The year may be one that jiff has no date of, and jiff would read a layout anew for each instant.
fn write(f: &mut fmt::Formatter<'_>, instant: Instant) -> fmt::Result {
    let (year, date) = date_at(instant.unix_nanoseconds());
    let sign = if year < 0 { "-" } else { "" };
    write!(f, "{sign}{:04}-{:02}-{:02}", year.unsigned_abs(), date.month(), date.day())?;
    write!(f, "T{:02}:{:02}:{:02}", date.hour(), date.minute(), date.second())?;
    let fraction = date.subsec_nanosecond();
    if fraction != 0 {
        f.write_str(format_args!(".{fraction:09}").to_string().trim_end_matches('0'))?;
    }
    f.write_str("Z")
}

#[cfg(test)]
mod tests {
    use super::Instant;

    #[test]
    fn years_that_no_calendar_of_a_library_has_are_printed_as_go_prints_them() {
        for (text, printed) in [
            ("9999-12-31T23:59:59.25-24:00", "10000-01-01T23:59:59.25Z"),
            ("0000-01-01T00:00:00+01:00", "-0001-12-31T23:00:00Z"),
            ("0000-02-29T00:00:00.000000001Z", "0000-02-29T00:00:00.000000001Z"),
        ] {
            assert_eq!(Instant::parse(text).map(Instant::to_rfc3339_nano).as_deref(), Ok(printed));
        }
        let forty_million_years = 100_000 * 146_097 * 86_400 * 1_000_000_000;
        let long_ago = Instant::from_unix_nanoseconds(-forty_million_years);
        assert_eq!(long_ago.to_string(), "-39998030-01-01T00:00:00Z");
    }
}

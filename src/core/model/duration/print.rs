use std::fmt;

use super::span::Duration;

const SECOND: u64 = 1_000_000_000;

/// Source: `time.Duration.String`.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.nanoseconds() < 0 {
            f.write_str("-")?;
        }
        match self.nanoseconds().unsigned_abs() {
            0 => f.write_str("0s"),
            span @ 1..1_000 => write!(f, "{span}ns"),
            span @ 1_000..1_000_000 => write!(f, "{}µs", Fraction(span, 1_000)),
            span @ 1_000_000..SECOND => write!(f, "{}ms", Fraction(span, 1_000_000)),
            span => write_clock(f, span),
        }
    }
}

/// Hours and minutes are left out only in front.
fn write_clock(f: &mut fmt::Formatter<'_>, span: u64) -> fmt::Result {
    let minutes = span / (60 * SECOND);
    if minutes >= 60 {
        write!(f, "{}h", minutes / 60)?;
    }
    if minutes > 0 {
        write!(f, "{}m", minutes % 60)?;
    }
    write!(f, "{}s", Fraction(span % (60 * SECOND), SECOND))
}

/// The first number divided by the second, a power of ten, without trailing zeros.
struct Fraction(u64, u64);

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value, unit) = *self;
        write!(f, "{}", value / unit)?;
        if value.is_multiple_of(unit) {
            return Ok(());
        }
        // The leading one holds the zeros after the point.
        let digits = (unit + value % unit).to_string();
        write!(f, ".{}", digits[1..].trim_end_matches('0'))
    }
}

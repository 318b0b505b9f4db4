//! Read here and not by jiff, whose reader takes texts that Go refuses (a space for the `T`, no seconds, a zone in
//! brackets), refuses some that Go takes, and has no word of what Go says about a text.

use std::str::FromStr;

use jiff::civil::DateTime;
use thiserror::Error;

use super::calendar::since_epoch;
use super::point::Instant;
use crate::model::go_text::time_quote;

const LAYOUT: &str = "2006-01-02T15:04:05Z07:00";

/// Why a text is not a time, in Go's words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("parsing time {}{}", time_quote(text), reason)]
pub struct InstantError {
    text: Box<str>,
    reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
enum Reason {
    /// The rest of the text, and the part of the layout that it should begin with.
    #[error(" as {}: cannot parse {} as {}", time_quote(LAYOUT), time_quote(.0), time_quote(.1))]
    Unlike(Box<str>, &'static str),
    #[error(": extra text: {}", time_quote(.0))]
    ExtraText(Box<str>),
    #[error(": {0} out of range")]
    OutOfRange(&'static str),
}

impl Instant {
    /// Reads RFC 3339 with any fraction of a second and any offset. As lenient as Go: hours of one digit, a comma
    /// before the fraction and offsets of up to 24:60 are taken. Digits after the ninth are cut off.
    ///
    /// Source: `time.Parse` with `time.RFC3339`.
    ///
    /// # Errors
    /// What Go says about the text, when it refuses it.
    pub fn parse(text: &str) -> Result<Self, InstantError> {
        Reader { rest: text }.instant().map_err(|reason| InstantError { text: text.into(), reason })
    }
}

impl FromStr for Instant {
    type Err = InstantError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn instant(&mut self) -> Result<Instant, Reason> {
        let year = self.year()?;
        self.literal("-")?;
        let month = self.number("01", true, 1..=12, "month")?;
        self.literal("-")?;
        let day = self.number("02", true, 0..=99, "day")?;
        self.literal("T")?;
        let hour = self.number("15", false, 0..=23, "hour")?;
        self.literal(":")?;
        let minute = self.number("04", true, 0..=59, "minute")?;
        self.literal(":")?;
        let second = self.number("05", true, 0..=59, "second")?;
        let fraction = self.fraction();
        let offset = self.offset()?;
        if !self.rest.is_empty() {
            return Err(Reason::ExtraText(self.rest.into()));
        }
        // All but the day was found to be in range; Go judges it last.
        let date = DateTime::new(year, month, day, hour, minute, second, fraction);
        let date = date.map_err(|_| Reason::OutOfRange("day"))?;
        Ok(Instant::from_unix_nanoseconds(since_epoch(date) - offset * 1_000_000_000))
    }

    fn refuse<T>(&self, part: &'static str) -> Result<T, Reason> {
        Err(Reason::Unlike(self.rest.into(), part))
    }

    fn literal(&mut self, part: &'static str) -> Result<(), Reason> {
        match self.rest.strip_prefix(part) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => self.refuse(part),
        }
    }

    fn year(&mut self) -> Result<i16, Reason> {
        if count_digits(self.rest) < 4 { self.refuse("2006") } else { Ok(self.value(4)) }
    }

    /// A number of two digits, or of one if it is not `fixed`.
    fn number(
        &mut self,
        part: &'static str,
        fixed: bool,
        range: std::ops::RangeInclusive<i8>,
        name: &'static str,
    ) -> Result<i8, Reason> {
        let digits = count_digits(self.rest).min(2);
        if digits == 0 || (fixed && digits == 1) {
            return self.refuse(part);
        }
        let number = self.value(digits);
        if range.contains(&number) { Ok(number) } else { Err(Reason::OutOfRange(name)) }
    }

    /// Nanoseconds.
    fn fraction(&mut self) -> i32 {
        let Some(after) = self.rest.strip_prefix(['.', ',']) else {
            return 0;
        };
        let digits = count_digits(after);
        if digits == 0 {
            return 0;
        }
        self.rest = after;
        let digits = self.take(digits).bytes().chain(std::iter::repeat(b'0')).take(9);
        digits.fold(0, |value, digit| value * 10 + i32::from(digit - b'0'))
    }

    /// Seconds east of UTC.
    fn offset(&mut self) -> Result<i128, Reason> {
        const PART: &str = "Z07:00";
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Ok(0);
        }
        let bytes = self.rest.as_bytes();
        if bytes.len() < 6 || bytes[3] != b':' {
            return self.refuse(PART);
        }
        let hour = two_digits(&bytes[1..3]);
        let minute = if hour.is_some() { two_digits(&bytes[4..6]) } else { None };
        if hour.is_some_and(|hour| hour > 24) && minute.is_none_or(|minute| minute <= 60) {
            return Err(Reason::OutOfRange("time zone offset hour"));
        }
        if minute.is_some_and(|minute| minute > 60) {
            return Err(Reason::OutOfRange("time zone offset minute"));
        }
        let sign = match bytes[0] {
            b'+' => 1,
            b'-' => -1,
            _ => return self.refuse(PART),
        };
        let (Some(hour), Some(minute)) = (hour, minute) else {
            return self.refuse(PART);
        };
        self.take(6);
        Ok(sign * (hour * 60 + minute) * 60)
    }

    /// The number of the next few digits.
    fn value<T: FromStr + Default>(&mut self, digits: usize) -> T {
        self.take(digits).parse().unwrap_or_default()
    }

    /// The next `length` bytes, which have been found to be ASCII.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }
}

fn count_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn two_digits(bytes: &[u8]) -> Option<i128> {
    match bytes {
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => Some(i128::from((tens - b'0') * 10 + (ones - b'0'))),
        _ => None,
    }
}

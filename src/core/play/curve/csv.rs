//! Curves from a table of times and values.

use thiserror::Error;

use super::parse::share;
use super::{Curve, WHOLE};
use crate::model::{Duration, Instant, Quantity};

/// More points than this are taken for a slip.
const MOST: usize = 1_000_000;

/// A table that is no curve; lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CsvError {
    /// A line has no time and value.
    #[error("line {0}: expected a time and a value, for example 2026-11-21 10:42:00,94.5 or 300,120%")]
    NotAPoint(usize),
    /// A time is before the one of the line before.
    #[error("line {0}: the times must be in order")]
    Disorder(usize),
    /// One time is an instant, another counts from now.
    #[error("line {0}: the times must all be dates, or all count from 0")]
    Mixed(usize),
    /// A quote is left open.
    #[error("line {0}: a quote is not closed")]
    OpenQuote(usize),
    /// There is no point.
    #[error("it has no time and value")]
    Empty,
    /// More points than are played.
    #[error("it has more than {MOST} lines")]
    TooLong,
    /// The first value is nothing, and the others are shares of it.
    #[error(
        "the first value is 0, and the others are shares of it: write percentages of today's load instead"
    )]
    NothingFirst,
    /// A value is too many times the first.
    #[error("line {0}: the value is more than 1000 times the first one")]
    TooHigh(usize),
}

impl Curve {
    /// Reads lines of a time and a value, after a line of names or without one. A time is an instant (RFC 3339, or
    /// `2014-04-10 00:04:00`), a number of seconds or a duration; the first one is now. A value is a percentage of the demand of
    /// now if it ends in `%`, else a number of which the first one is the demand of now.
    ///
    /// # Errors
    /// What is wrong, and in which line.
    pub fn of_csv(text: &str) -> Result<Self, CsvError> {
        let mut rows: Vec<(Time, Value, usize)> = Vec::new();
        // Spreadsheets begin a file with a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        for (number, line) in text.lines().enumerate().map(|(place, line)| (place + 1, line.trim())) {
            if line.is_empty() {
                continue;
            }
            if line.matches('"').count() % 2 == 1 {
                return Err(CsvError::OpenQuote(number));
            }
            let row = row(line);
            // The line of names: where a time is, a value is meant.
            if row.is_none()
                && rows.is_empty()
                && number == 1
                && instant(cells(line).map_or("", |it| it.0)).is_none()
            {
                continue;
            }
            let (at, value) = row.ok_or(CsvError::NotAPoint(number))?;
            match rows.last().map(|(last, ..)| last) {
                Some(last) if last.is_date != at.is_date => return Err(CsvError::Mixed(number)),
                Some(last) if at.nanoseconds < last.nanoseconds => return Err(CsvError::Disorder(number)),
                _ => {}
            }
            if rows.len() >= MOST {
                return Err(CsvError::TooLong);
            }
            rows.push((at, value, number));
        }
        let Some((start, first, _)) = rows.first().copied() else { return Err(CsvError::Empty) };
        let points = rows.into_iter().map(|(at, value, number)| {
            let passed = at.nanoseconds - start.nanoseconds;
            let at = Duration::from_nanoseconds(i64::try_from(passed).unwrap_or(i64::MAX));
            Ok((at, value.of(first, number)?))
        });
        Ok(Self::through(points.collect::<Result<Vec<_>, CsvError>>()?))
    }
}

#[derive(Clone, Copy)]
struct Time {
    nanoseconds: i128,
    /// True if they count from 1970.
    is_date: bool,
}

#[derive(Clone, Copy)]
enum Value {
    /// In millionths of the demand of now.
    Share(u32),
    /// In thousandths of a unit of its own.
    Number(i64),
}

impl Value {
    fn of(self, first: Self, line: usize) -> Result<u32, CsvError> {
        match (self, first) {
            (Self::Share(ppm), _) => Ok(ppm),
            (Self::Number(number), Self::Number(first)) if first > 0 => {
                let ppm = i128::from(number) * i128::from(WHOLE) / i128::from(first);
                let ppm = u32::try_from(ppm).ok().filter(|ppm| ppm / 1_000 <= WHOLE);
                ppm.ok_or(CsvError::TooHigh(line))
            }
            (Self::Number(_), Self::Number(_)) => Err(CsvError::NothingFirst),
            (Self::Number(_), Self::Share(_)) => Err(CsvError::NotAPoint(line)),
        }
    }
}

fn cells(line: &str) -> Option<(&str, &str)> {
    let (time, value) = line.rsplit_once([',', ';', '\t'])?;
    Some((time.trim().trim_matches('"'), value.trim().trim_matches('"')))
}

fn row(line: &str) -> Option<(Time, Value)> {
    let (time, value) = cells(line)?;
    let value = if value.ends_with('%') {
        Value::Share(share(value).ok()?)
    } else {
        Value::Number(milli(value).filter(|number| *number >= 0)?)
    };
    Some((instant(time)?, value))
}

/// A number without a unit, in thousandths.
fn milli(text: &str) -> Option<i64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    Quantity::parse(text).ok().filter(|_| is_number)?.checked_milli_value()
}

fn instant(text: &str) -> Option<Time> {
    let counted = |nanoseconds| Some(Time { nanoseconds, is_date: false });
    if let Some(thousandths) = milli(text) {
        return counted(i128::from(thousandths) * 1_000_000);
    }
    if let Some(length) = Duration::parse_with_days(text) {
        return counted(length.nanoseconds().into());
    }
    let instant = Instant::parse(text).ok();
    // A space in the place of the T, and no zone: as databases write it.
    let spelled = || Instant::parse(&format!("{}Z", text.replacen(' ', "T", 1))).ok();
    let instant = instant.or_else(spelled)?;
    Some(Time { nanoseconds: instant.unix_nanoseconds(), is_date: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(text: &str, times: &[i64]) -> Result<Vec<u64>, CsvError> {
        let curve = Curve::of_csv(text)?;
        Ok(times.iter().map(|at| curve.at(Duration::from_seconds(*at)) / 10_000).collect())
    }

    #[test]
    fn times_are_read_as_people_write_them() {
        let table = "timestamp,value\n2014-04-10 00:04:00,94.0\n2014-04-10 00:09:00,47\n\n";
        assert_eq!(shares(table, &[0, 150, 300, 999]), Ok(vec![100, 75, 50, 50]));
        assert_eq!(shares("0,10\n60,30", &[0, 30, 60]), Ok(vec![100, 200, 300]));
        assert_eq!(shares("\u{feff}0,10\r\n60,30\r\n", &[0, 60]), Ok(vec![100, 300]));
        assert_eq!(shares("0s;100%\n1m;30%", &[0, 60]), Ok(vec![100, 30]));
        assert_eq!(shares("2026-11-21T10:42:00Z,5\n2026-11-21T10:43:00Z,10", &[60]), Ok(vec![200]));
    }

    #[test]
    fn what_is_no_table_is_refused_by_line() {
        assert_eq!(Curve::of_csv(""), Err(CsvError::Empty));
        assert_eq!(Curve::of_csv("time,value\n"), Err(CsvError::Empty));
        assert_eq!(Curve::of_csv("0,1k\n9,2"), Err(CsvError::NotAPoint(1)));
        assert_eq!(Curve::of_csv("0,-1\n9,2"), Err(CsvError::NotAPoint(1)));
        assert_eq!(Curve::of_csv("0,1\nx,y"), Err(CsvError::NotAPoint(2)));
        assert_eq!(Curve::of_csv("5,1\n4,1"), Err(CsvError::Disorder(2)));
        assert_eq!(Curve::of_csv("0s,1\n2026-11-21T10:47:00Z,2"), Err(CsvError::Mixed(2)));
        assert_eq!(Curve::of_csv("\"0s,100\n5m,200"), Err(CsvError::OpenQuote(1)));
        assert_eq!(Curve::of_csv("0,0\n4,1"), Err(CsvError::NothingFirst));
        assert_eq!(Curve::of_csv("0,5\n4,-1"), Err(CsvError::NotAPoint(2)));
        assert_eq!(Curve::of_csv("0,1\n1,2000"), Err(CsvError::TooHigh(2)));
        assert_eq!(Curve::of_csv("0,1\n1,NaN"), Err(CsvError::NotAPoint(2)));
        assert_eq!(Curve::of_csv("0,1\n1,1e30"), Err(CsvError::NotAPoint(2)));
    }
}

//! The calendar is jiff's, for any year.
//!
//! Its dates end with the year 9999. An instant may be later, for example one of that year with an offset or a window
//! added to it. So only the place within 400 years, after which the calendar repeats, is asked of jiff.

use jiff::SignedDuration;
use jiff::civil::DateTime;

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
/// Nanoseconds of 400 years.
const ERA: i128 = 146_097 * 86_400 * 1_000_000_000;

/// The nanoseconds from 1970 to a date.
pub(super) fn since_epoch(date: DateTime) -> i128 {
    date.duration_since(EPOCH).as_nanos()
}

/// The year, and a date with the same month, day and time of day, so many nanoseconds after 1970.
pub(super) fn date_at(nanoseconds: i128) -> (i128, DateTime) {
    let date = EPOCH.saturating_add(SignedDuration::from_nanos_i128(nanoseconds.rem_euclid(ERA)));
    (i128::from(date.year()) + nanoseconds.div_euclid(ERA) * 400, date)
}

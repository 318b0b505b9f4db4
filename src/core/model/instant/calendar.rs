//! The proleptic Gregorian calendar in days since 1970-01-01, for any year.

/// Days of four hundred years.
const ERA: i128 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i128 = 719_468;

/// A date: year, month from 1, day from 1.
pub(super) type Date = (i128, u32, u32);

/// The days from 1970-01-01 to a date.
pub(super) fn days_from_date((year, month, day): Date) -> i128 {
    // Years begin in March here, so that a leap day is the last day of its year.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((i128::from(month) + 9) % 12) + 2) / 5 + i128::from(day) - 1;
    era * ERA + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - EPOCH
}

/// The date that is so many days after 1970-01-01.
pub(super) fn date_from_days(days: i128) -> Date {
    let days = days + EPOCH;
    let era = days.div_euclid(ERA);
    let day_of_era = days.rem_euclid(ERA);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i128::from(month <= 2);
    (year, u32::try_from(month).unwrap_or(1), u32::try_from(day).unwrap_or(1))
}

/// How many days a month has.
pub(super) const fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

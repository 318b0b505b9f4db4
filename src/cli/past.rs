//! Facts that somebody knows of the controller's past and the API does not show.

use std::str::FromStr;

use clap::Args;

use super::ValueError;
use kubectl_hpa_core::model::{Duration, Instant, Replicas};

/// What is known of the past.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "What you know of the past (the controller's memory is not in the API)")]
pub struct PastArgs {
    /// Replicas from which the HPA scaled, and when, for example 12@03:02:38; may be repeated
    #[arg(long, value_name = "REPLICAS@TIME")]
    pub scaled_from: Vec<ScaledFrom>,
    /// When kube-controller-manager started or became leader, for example 03:00
    #[arg(long, value_name = "TIME")]
    pub controller_started: Option<Moment>,
}

/// A time as it is typed: of the clock in UTC, or with its date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// `03:02` or `03:02:38`: the last time that the clock showed this; seconds since midnight.
    Clock(i64),
    /// RFC 3339.
    At(Instant),
}

const DAY: i64 = 86_400;

impl Moment {
    /// The last such instant before another one.
    #[must_use]
    pub fn before(self, now: Instant) -> Instant {
        match self {
            Self::At(at) => at,
            Self::Clock(seconds) => {
                let day = i128::from(DAY) * 1_000_000_000;
                let midnight = now.unix_nanoseconds().div_euclid(day) * day;
                let at = Instant::from_unix_nanoseconds(midnight) + Duration::from_seconds(seconds);
                if at > now { at - Duration::from_seconds(DAY) } else { at }
            }
        }
    }
}

impl FromStr for Moment {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        if let Ok(at) = Instant::parse(text) {
            return Ok(Self::At(at));
        }
        let numbers: Option<Vec<i64>> = text.split(':').map(two_digits).collect();
        match numbers.ok_or(ValueError::NotATime)?.as_slice() {
            [hours @ 0..=23, minutes @ 0..=59] => Ok(Self::Clock(hours * 3600 + minutes * 60)),
            [hours @ 0..=23, minutes @ 0..=59, seconds @ 0..=59] => {
                Ok(Self::Clock(hours * 3600 + minutes * 60 + seconds))
            }
            _ => Err(ValueError::NotATime),
        }
    }
}

fn two_digits(text: &str) -> Option<i64> {
    let is_number = text.len() == 2 && text.bytes().all(|digit| digit.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// `12@03:02:38`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScaledFrom {
    /// The replicas before.
    pub from: Replicas,
    /// When the HPA scaled.
    pub at: Moment,
}

impl FromStr for ScaledFrom {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let (from, at) = text.split_once('@').ok_or(ValueError::NotASizeAndATime)?;
        let from = from.parse().ok().filter(|from| *from >= 0).ok_or(ValueError::NotASizeAndATime)?;
        Ok(Self { from: Replicas(from), at: at.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Instant {
        Instant::parse(text).expect("a time")
    }

    #[test]
    fn a_time_of_the_clock_is_the_last_one() {
        let now = at("2026-11-21T03:05:00Z");
        for (typed, meant) in [
            ("03:02", "2026-11-21T03:02:00Z"),
            ("03:04:59", "2026-11-21T03:04:59Z"),
            ("23:59:59", "2026-11-20T23:59:59Z"),
            ("2026-11-21T02:00:00+01:00", "2026-11-21T01:00:00Z"),
        ] {
            assert_eq!(typed.parse::<Moment>().map(|it| it.before(now)), Ok(at(meant)), "{typed}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for typed in ["", "3", "3:2", "24:00", "12:60", "12:00:60", "12:00:00:00", "-1:00", "+1:00"] {
            assert!(typed.parse::<Moment>().is_err(), "{typed}");
        }
        for typed in ["12", "@03:00", "-1@03:00", "12@", "x@03:00", "12@3"] {
            assert!(typed.parse::<ScaledFrom>().is_err(), "{typed}");
        }
    }
}

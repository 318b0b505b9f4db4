//! How demand changes with time.

mod csv;
mod parse;

pub use csv::CsvError;
pub use parse::CurveError;

use crate::model::Duration;

/// A share of one, in millionths.
pub(super) const WHOLE: u32 = 1_000_000;

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The time since the first sync.
    pub at: Duration,
    /// The demand there, in millionths of what the load says.
    pub ppm: u64,
}

/// Demand over time: straight lines between points; two points at one time are a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Curve {
    /// In the order of time, the first one at 0. None: demand stays.
    pub points: Vec<Point>,
    /// After this time it begins anew.
    pub repeat: Option<Duration>,
}

impl Curve {
    /// The demand at a time, in millionths.
    #[must_use]
    pub fn at(&self, time: Duration) -> u64 {
        let now = match self.repeat {
            Some(repeat) if repeat > Duration::ZERO => time.nanoseconds().rem_euclid(repeat.nanoseconds()),
            _ => time.nanoseconds(),
        };
        let after = self.points.partition_point(|point| point.at.nanoseconds() <= now);
        let Some(last) = after.checked_sub(1).and_then(|place| self.points.get(place)) else {
            return self.points.first().map_or(WHOLE.into(), |point| point.ppm);
        };
        self.points.get(after).map_or(last.ppm, |next| between(*last, *next, now))
    }

    /// The demand at a time of a load that is `demand` at 1,000,000.
    pub(in crate::play) fn demand(&self, demand: i64, time: Duration) -> i128 {
        i128::from(demand) * i128::from(self.at(time)) / i128::from(WHOLE)
    }
}

fn between(last: Point, next: Point, now: i64) -> u64 {
    let rise = i128::from(next.ppm) - i128::from(last.ppm);
    let passed = i128::from(now) - i128::from(last.at.nanoseconds());
    let length = i128::from(next.at.nanoseconds()) - i128::from(last.at.nanoseconds());
    let risen = (rise * passed).div_euclid(length.max(1));
    u64::try_from(i128::from(last.ppm) + risen).unwrap_or(last.ppm)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: &[(i64, u64)], repeat: Option<i64>) -> Curve {
        let point = |(seconds, ppm): &(i64, u64)| Point { at: Duration::from_seconds(*seconds), ppm: *ppm };
        Curve { points: points.iter().map(point).collect(), repeat: repeat.map(Duration::from_seconds) }
    }

    fn values(curve: &Curve, seconds: &[i64]) -> Vec<u64> {
        seconds.iter().map(|seconds| curve.at(Duration::from_seconds(*seconds))).collect()
    }

    #[test]
    fn demand_stays_without_points() {
        assert_eq!(values(&Curve::default(), &[0, 5, 1_000_000]), [u64::from(WHOLE); 3]);
    }

    #[test]
    fn lines_run_between_points_and_stay_after_the_last() {
        let rising = curve(&[(0, 100), (10, 103)], None);
        assert_eq!(values(&rising, &[0, 3, 4, 7, 10, 99]), [100, 100, 101, 102, 103, 103]);
        // Rounded down also if demand falls.
        assert_eq!(values(&curve(&[(0, 103), (10, 100)], None), &[1, 9]), [102, 100]);
    }

    #[test]
    fn two_points_at_one_time_are_a_step() {
        assert_eq!(values(&curve(&[(0, 1), (5, 1), (5, 9)], None), &[4, 5, 6]), [1, 9, 9]);
    }

    #[test]
    fn it_begins_anew() {
        let saw = curve(&[(0, 0), (10, 1000)], Some(20));
        assert_eq!(values(&saw, &[5, 15, 20, 25, 40]), [500, 1000, 0, 500, 0]);
    }
}

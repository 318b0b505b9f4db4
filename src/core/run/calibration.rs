//! How well a play of the recorded settings matches the record.

use super::recording::Recorded;
use super::{Rescale, Run};
use crate::model::{Duration, Replicas};

/// So much of the time the replicas have to be equal, in percent.
pub const EQUAL_PERCENT: i128 = 90;
/// The replicas times time may be off by so much, in percent.
pub const OFF_PERCENT: i128 = 5;

/// A record has to be this long.
pub const LEAST: Duration = Duration::from_seconds(600);
/// A container may be at its limit for so much of the time, in percent.
pub const AT_LIMIT_PERCENT: i128 = 10;

/// Why other settings are not compared by a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// It is too short.
    Short,
    /// Less than half of its time was seen.
    Unseen,
    /// The play of its settings differs from it.
    Differs,
    /// Containers were at their limits, so the load may have been higher.
    AtLimit,
    /// The play makes none of its rescales, or there is none.
    Untested,
}

/// The replicas from a time on, the first of them from the beginning.
struct Steps(Vec<(Duration, Replicas)>);

impl Steps {
    fn at(&self, time: Duration) -> Replicas {
        self.between(time, time).next().unwrap_or_default()
    }

    /// All that there are from a time to another.
    fn between(&self, from: Duration, to: Duration) -> impl Iterator<Item = Replicas> {
        let place = |time: Duration| self.0.partition_point(|(at, _)| *at <= time);
        let steps = self.0.get(place(from).saturating_sub(1)..place(to)).unwrap_or_default();
        steps.iter().map(|(_, replicas)| *replicas)
    }
}

/// A play of the recorded settings beside the record. Gaps between looks count for nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calibration {
    /// The time that is compared.
    pub time: Duration,
    /// The part of it in which the replicas are equal, give or take one sync.
    pub equal: Duration,
    /// Replicas times time, in nanoseconds: recorded and played.
    pub replica_time: [i128; 2],
    /// Recorded changes of the replicas.
    pub rescales: usize,
    /// Those of them that the play makes within one sync.
    pub matched: usize,
    /// All changes that the play makes.
    pub played: usize,
    /// Why nothing is compared by it.
    pub doubt: Option<Doubt>,
}

impl Calibration {
    /// Compares a record with a play of its settings, of which a sync comes after each period.
    #[must_use]
    pub fn of(recorded: &Recorded, run: &Run, period: Duration) -> Self {
        let mut calibration = Self::default();
        let first = recorded.steps.first().map_or(Replicas(0), |first| first.1);
        // A change is somewhere between two looks: in the middle of them.
        let middle = |[from, to]: [Duration; 2]| {
            from.plus(Duration::from_nanoseconds(to.minus(from).nanoseconds() / 2))
        };
        let then = Steps(recorded.steps.iter().map(|(between, to)| (middle(*between), *to)).collect());
        let start = std::iter::once((Duration::ZERO, first));
        let now = Steps(start.chain(run.changes.iter().map(|change| (change.at, change.to))).collect());
        let near = now.0.iter().flat_map(|(at, _)| [at.minus(period), *at, at.plus(period)]);
        let mut points: Vec<Duration> = near.chain(then.0.iter().map(|(at, _)| *at)).collect();
        points.extend(recorded.gaps.iter().flatten());
        points.retain(|at| (Duration::ZERO..recorded.time).contains(at));
        points.push(recorded.time);
        points.sort_unstable();
        let mut gaps = recorded.gaps.iter().peekable();
        for (from, to) in points.iter().zip(points.iter().skip(1)) {
            while gaps.next_if(|gap| gap[1] <= *from).is_some() {}
            if gaps.peek().is_some_and(|gap| gap[0] <= *from) {
                continue;
            }
            let length = to.minus(*from);
            calibration.time = calibration.time.plus(length);
            let recorded = then.at(*from);
            if now.between(from.minus(period), from.plus(period)).any(|played| played == recorded) {
                calibration.equal = calibration.equal.plus(length);
            }
            for (total, replicas) in calibration.replica_time.iter_mut().zip([recorded, now.at(*from)]) {
                *total += i128::from(replicas.0) * i128::from(length.nanoseconds());
            }
        }
        calibration.match_changes(recorded, &run.changes, period);
        calibration.doubt = calibration.doubted(recorded);
        calibration
    }

    /// A play makes a recorded change if it comes to the same replicas between the two looks, or one sync before or after.
    fn match_changes(&mut self, recorded: &Recorded, played: &[Rescale], period: Duration) {
        let is_gap = |between: &[Duration; 2]| recorded.gaps.contains(between);
        let mut left = played.iter().peekable();
        for (between, to) in recorded.steps.iter().skip(1).filter(|(between, _)| !is_gap(between)) {
            self.rescales += 1;
            while left.next_if(|change| change.at.plus(period) < between[0]).is_some() {}
            let near = left.clone().take_while(|change| change.at <= between[1].plus(period));
            if let Some(place) = near.map(|change| change.to).position(|other| other == *to) {
                self.matched += 1;
                left.by_ref().take(place + 1).for_each(drop);
            }
        }
        self.played = played.len();
    }

    /// Replicas times time that the play has more than the record.
    #[must_use]
    pub fn off(&self) -> i128 {
        self.replica_time[1] - self.replica_time[0]
    }

    /// True if the play matches the record.
    #[must_use]
    pub fn is_close(&self) -> bool {
        let [time, equal] = [self.time, self.equal].map(|it| i128::from(it.nanoseconds()));
        let is_equal = time > 0 && equal * 100 >= time * EQUAL_PERCENT;
        is_equal && self.off().abs() * 100 <= self.replica_time[0] * OFF_PERCENT
    }

    fn doubted(&self, recorded: &Recorded) -> Option<Doubt> {
        let [whole, at_limit] = [recorded.time, recorded.saturated].map(|it| i128::from(it.nanoseconds()));
        let doubts = [
            (recorded.time < LEAST, Doubt::Short),
            (self.time.plus(self.time) < recorded.time, Doubt::Unseen),
            (!self.is_close(), Doubt::Differs),
            (at_limit * 100 > whole * AT_LIMIT_PERCENT, Doubt::AtLimit),
            (self.matched == 0, Doubt::Untested),
        ];
        doubts.into_iter().find_map(|(is_so, doubt)| is_so.then_some(doubt))
    }
}

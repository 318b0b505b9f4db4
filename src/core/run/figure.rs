//! What runs are compared by.

use super::Totals;

/// One of the totals of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Pods times time.
    PodTime,
    /// Requested cpu times time.
    Cpu,
    /// Requested memory times time.
    Memory,
    /// Time with a metric above its target.
    OverTarget,
    /// Time with a metric above its target by more than the tolerance.
    OverTolerance,
    /// The longest time with a metric above its target.
    LongestOverTarget,
    /// Time in which no metric decided.
    Undecided,
    /// Time at maxReplicas.
    AtMax,
    /// Time at minReplicas.
    AtMin,
    /// Changes of the replicas.
    Rescales,
    /// Changes of their direction.
    Flips,
}

impl Figure {
    /// All of them, in the order of a table.
    pub const ALL: [Self; 11] = [
        Self::PodTime,
        Self::Cpu,
        Self::Memory,
        Self::OverTarget,
        Self::OverTolerance,
        Self::LongestOverTarget,
        Self::Undecided,
        Self::AtMax,
        Self::AtMin,
        Self::Rescales,
        Self::Flips,
    ];

    /// Its amount: times in nanoseconds, pods times nanoseconds, milli-units times nanoseconds, or a count.
    #[must_use]
    pub fn of(self, totals: &Totals) -> i128 {
        let count = |count: usize| i128::try_from(count).unwrap_or(i128::MAX);
        match self {
            Self::PodTime => totals.pod_time,
            Self::Cpu => totals.requested[0],
            Self::Memory => totals.requested[1],
            Self::OverTarget => totals.over_target.nanoseconds().into(),
            Self::OverTolerance => totals.over_tolerance.nanoseconds().into(),
            Self::LongestOverTarget => totals.longest_over_target.nanoseconds().into(),
            Self::Undecided => totals.undecided.nanoseconds().into(),
            Self::AtMax => totals.at_max.nanoseconds().into(),
            Self::AtMin => totals.at_min.nanoseconds().into(),
            Self::Rescales => count(totals.rescales),
            Self::Flips => count(totals.flips),
        }
    }

    /// The place of the run that has less of it; `None` if several have the least, or if less of it is not better: time at
    /// minReplicas says of itself neither that there are too many pods nor too few.
    #[must_use]
    pub fn better(self, runs: &[&Totals]) -> Option<usize> {
        if self == Self::AtMin {
            return None;
        }
        let amounts: Vec<i128> = runs.iter().map(|totals| self.of(totals)).collect();
        let least = amounts.iter().min()?;
        let mut places = (0..amounts.len()).filter(|place| amounts.get(*place) == Some(least));
        let first = places.next()?;
        places.next().is_none().then_some(first).filter(|_| runs.len() > 1)
    }
    /// True if runs differ by more than a play beside a record may be off: 1% of pods times time and of what they request, 3% of
    /// the time, 3 rescales or flips. Source: `tests/decisions/backtest.rs`.
    #[must_use]
    pub fn is_apart(self, runs: &[&Totals]) -> bool {
        let amounts = || runs.iter().map(|totals| self.of(totals));
        let (Some(least), Some(most)) = (amounts().min(), amounts().max()) else { return false };
        let time = runs.iter().map(|totals| i128::from(totals.time.nanoseconds())).max().unwrap_or_default();
        let off = match self {
            Self::PodTime | Self::Cpu | Self::Memory => most / 100,
            Self::Rescales | Self::Flips => 3,
            Self::OverTarget
            | Self::OverTolerance
            | Self::LongestOverTarget
            | Self::Undecided
            | Self::AtMax
            | Self::AtMin => time * 3 / 100,
        };
        most - least > off
    }
}

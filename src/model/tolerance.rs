//! How far a ratio may stand from 1 before the controller acts.

use super::Ratio;

/// Upstream `Tolerances` (`replica_calculator.go`, since 1.33): fractions, not percents; 0.1 is ten percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerances {
    /// How far below 1 a ratio may stand without a scale-down.
    pub down: f64,
    /// How far above 1 a ratio may stand without a scale-up.
    pub up: f64,
}

impl Tolerances {
    /// Upstream `Tolerances.isWithin`: both ends belong to the band; a ratio that is not a number never does.
    #[must_use]
    pub fn holds(self, ratio: Ratio) -> bool {
        self.lowest().0 <= ratio.0 && ratio.0 <= self.highest().0
    }

    /// The lower end of the band.
    #[must_use]
    pub fn lowest(self) -> Ratio {
        Ratio(1.0 - self.down)
    }

    /// The upper end of the band.
    #[must_use]
    pub fn highest(self) -> Ratio {
        Ratio(1.0 + self.up)
    }
}

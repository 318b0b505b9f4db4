//! How far a ratio may be from 1 before the controller acts.

use super::Ratio;

/// Upstream `Tolerances` (`replica_calculator.go`; before 1.33 one number): fractions, not percents; 0.1 is ten percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerances {
    /// How far below 1 a ratio may be without a scale-down.
    pub down: f64,
    /// How far above 1 a ratio may be without a scale-up.
    pub up: f64,
    /// How a ratio is compared with them.
    pub test: ToleranceTest,
}

/// How the controller holds a ratio against the tolerances. At the very ends the two round differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToleranceTest {
    /// Up to 1.32 the distance from 1 is compared, with one tolerance for both directions: 55 over 50 is outside of
    /// 0.1.
    Distance,
    /// Since 1.33 the ratio is compared with both ends of the band: 55 over 50 is inside of 0.1.
    Band,
}

impl Tolerances {
    /// Upstream `Tolerances.isWithin`: both ends belong to the band; a ratio that is not a number never does.
    #[must_use]
    pub fn holds(self, ratio: Ratio) -> bool {
        match self.test {
            ToleranceTest::Distance => (1.0 - ratio.0).abs() <= self.up,
            ToleranceTest::Band => self.is_in_band(ratio),
        }
    }

    /// The contrary, as it is asked for an AverageValue target of one value (`GetObjectPerPodMetricReplicas`,
    /// `GetExternalPerPodMetricReplicas`): up to 1.32 a ratio that is not a number does not exceed them either.
    #[must_use]
    pub fn is_exceeded_by(self, ratio: Ratio) -> bool {
        match self.test {
            ToleranceTest::Distance => (1.0 - ratio.0).abs() > self.up,
            ToleranceTest::Band => !self.holds(ratio),
        }
    }

    /// Whether a ratio is within the band, both ends included.
    #[must_use]
    pub fn is_in_band(self, ratio: Ratio) -> bool {
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

//! The feature gates that a controller asks for.

use super::release::Release;
use super::{Rules, RulesError};

impl Rules {
    /// Sets a gate of a release. One that it does not ask for, or does not know, changes nothing. `AllAlpha` and
    /// `AllBeta` are set before gates that have a name, which count more, because they stand before them in the alphabet.
    pub(super) fn set_gate(&mut self, release: Release, gate: &str, value: bool) -> Result<(), RulesError> {
        match (gate, release.minor) {
            ("AllBeta", 34..) => self.set_beta(release, value),
            ("AllAlpha", 36) | ("HPAScaleToZero", 36..) => self.scale_to_zero = value,
            ("HPAConfigurableTolerance", 37..) if !value => {
                return Err(RulesError::Locked { gate: "HPAConfigurableTolerance", value, row: "1.37" });
            }
            ("AllAlpha", 33 | 34) | ("HPAConfigurableTolerance", 33..) => self.configurable_tolerance = value,
            ("PodLevelResources", 34..) => self.pod_level_resources = value,
            ("HPAContainerMetrics", 30 | 31) if !value => {
                return Err(RulesError::Locked { gate: "HPAContainerMetrics", value, row: "1.30" });
            }
            ("AllBeta" | "HPAContainerMetrics", 27..=29) => self.container_metrics = value,
            ("HPAOptimizedSelectorStore", 37..) => self.ambiguous_limit = value,
            ("HPAGeneration", 37..) => self.observed_generation = value,
            _ => {}
        }
        Ok(())
    }

    /// Sets what is beta since 1.34.
    fn set_beta(&mut self, release: Release, value: bool) {
        self.pod_level_resources = value;
        match release.minor {
            35 | 36 => self.configurable_tolerance = value,
            37.. => {
                self.scale_to_zero = value;
                self.ambiguous_limit = value;
                self.observed_generation = value;
            }
            _ => {}
        }
    }
}

//! The feature gates that a controller asks for.

use super::release::Release;
use super::{Rules, RulesError};

impl Rules {
    /// Sets a gate of a release. One that it does not ask for, or does not know, changes nothing.
    pub(super) fn set_gate(&mut self, release: Release, gate: &str, value: bool) -> Result<(), RulesError> {
        match (gate, release.minor) {
            ("HPAScaleToZero", 36..) => self.scale_to_zero = value,
            ("HPAConfigurableTolerance", 37..) if !value => {
                return Err(RulesError::Locked { gate: "HPAConfigurableTolerance", value, row: "1.37" });
            }
            ("HPAConfigurableTolerance", 33..) => self.configurable_tolerance = value,
            ("PodLevelResources", 34..) => self.pod_level_resources = value,
            ("HPAContainerMetrics", 30 | 31) if !value => {
                return Err(RulesError::Locked { gate: "HPAContainerMetrics", value, row: "1.30" });
            }
            ("HPAContainerMetrics", 27..=29) => self.container_metrics = value,
            ("HPAOptimizedSelectorStore", 37..) => self.ambiguous_limit = value,
            ("HPAGeneration", 37..) => self.observed_generation = value,
            _ => {}
        }
        Ok(())
    }
}

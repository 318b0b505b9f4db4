//! What differs between versions of the controller: one table, and nothing else asks for a version.

use std::collections::BTreeMap;

use crate::model::Evidenced;

/// The rules of one row of versions, with the feature gates as they stand in one controller.
#[expect(clippy::struct_excessive_bools, reason = "feature gates are on or off")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The row, as `1.37`.
    pub row: &'static str,
    /// How an Object metric's error names its object (PR 139648; `GetObjectMetricReplicas`).
    pub object_error: ObjectErrorOrder,
    /// How the AmbiguousSelector message is worded (`validateAndParseSelector`).
    pub ambiguous_text: AmbiguousText,
    /// Whether the search for other HPAs ends at the second one (gate `HPAOptimizedSelectorStore`, since 1.37, on).
    pub ambiguous_limit: bool,
    /// Gate `HPAScaleToZero`: alpha and off since 1.16, beta and on since 1.37.
    pub scale_to_zero: bool,
    /// Gate `HPAConfigurableTolerance`: beta and on since 1.35, locked on since 1.37.
    pub configurable_tolerance: bool,
    /// Gate `PodLevelResources`: beta and on since 1.34.
    pub pod_level_resources: bool,
    /// Gate `HPAGeneration` (since 1.37, on): the status keeps `observedGeneration`.
    pub observed_generation: bool,
}

/// Word order in "unable to get metric".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectErrorOrder {
    /// Up to 1.36 the arguments are swapped: "NAME: KIND on NAMESPACE OBJECT/ERROR".
    Swapped,
    /// Since 1.37: "NAME on KIND NAMESPACE/OBJECT: ERROR".
    Straight,
}

/// The wording of the AmbiguousSelector message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmbiguousText {
    /// Up to 1.36: "multiple HPAs: [...]".
    Multiple,
    /// Since 1.37: "more than one HPA (e.g. [...])".
    MoreThanOne,
}

/// A version for which there are no rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The text is no version.
    #[error("`{0}` is not a Kubernetes version; expected one like v{NEWEST}.1")]
    NotAVersion(Box<str>),
    /// Older than the oldest row.
    #[error("Kubernetes {0} is older than {OLDEST}, the oldest controller whose rules are known")]
    TooOld(Box<str>),
    /// The controller would refuse to start with it.
    #[error("feature gate {gate} cannot be set to {value}: it is locked since Kubernetes {row}")]
    Locked {
        /// The gate.
        gate: &'static str,
        /// What was asked.
        value: bool,
        /// Since when.
        row: &'static str,
    },
}

/// The oldest row.
pub const OLDEST: &str = "1.36";
/// The newest row; newer versions use it.
pub const NEWEST: &str = "1.37";

/// The feature gates that have a bearing on a decision or on its status.
pub const GATES: [&str; 5] = [
    "HPAScaleToZero",
    "HPAConfigurableTolerance",
    "PodLevelResources",
    "HPAOptimizedSelectorStore",
    "HPAGeneration",
];

impl Rules {
    /// The rules of a version (`v1.37.1`, `1.36`, `v1.36.2-gke.100`) with gates set over its defaults. Gates that
    /// have no bearing on the HPA are passed over.
    ///
    /// # Errors
    /// No version, one older than [`OLDEST`], or a locked gate.
    pub fn for_version(
        version: &str,
        gates: &BTreeMap<Box<str>, Evidenced<bool>>,
    ) -> Result<Self, RulesError> {
        let minor = minor_of(version)?;
        let mut rules = match minor {
            ..36 => return Err(RulesError::TooOld(version.into())),
            36 => ROW_1_36,
            37.. => ROW_1_37,
        };
        for (gate, set) in gates {
            rules.set_gate(gate, set.value)?;
        }
        Ok(rules)
    }

    /// Whether a version is newer than the newest row, so that its rules are a guess.
    #[must_use]
    pub fn is_beyond(version: &str) -> bool {
        minor_of(version).is_ok_and(|minor| minor > 37)
    }

    fn set_gate(&mut self, gate: &str, value: bool) -> Result<(), RulesError> {
        match gate {
            "HPAScaleToZero" => self.scale_to_zero = value,
            "HPAConfigurableTolerance" if self.row == NEWEST && !value => {
                return Err(RulesError::Locked { gate: "HPAConfigurableTolerance", value, row: NEWEST });
            }
            "HPAConfigurableTolerance" => self.configurable_tolerance = value,
            "PodLevelResources" => self.pod_level_resources = value,
            "HPAOptimizedSelectorStore" if self.row == NEWEST => self.ambiguous_limit = value,
            "HPAGeneration" if self.row == NEWEST => self.observed_generation = value,
            _ => {}
        }
        Ok(())
    }
}

const ROW_1_36: Rules = Rules {
    row: "1.36",
    object_error: ObjectErrorOrder::Swapped,
    ambiguous_text: AmbiguousText::Multiple,
    ambiguous_limit: false,
    scale_to_zero: false,
    configurable_tolerance: true,
    pod_level_resources: true,
    observed_generation: false,
};

const ROW_1_37: Rules = Rules {
    row: "1.37",
    object_error: ObjectErrorOrder::Straight,
    ambiguous_text: AmbiguousText::MoreThanOne,
    ambiguous_limit: true,
    scale_to_zero: true,
    observed_generation: true,
    ..ROW_1_36
};

/// The minor of a version of major 1.
fn minor_of(version: &str) -> Result<u32, RulesError> {
    let no_version = || RulesError::NotAVersion(version.into());
    let mut parts = version.strip_prefix('v').unwrap_or(version).split('.');
    if parts.next() != Some("1") {
        return Err(no_version());
    }
    let minor = parts.next().ok_or_else(no_version)?;
    let digits = minor.trim_end_matches('+');
    digits.parse().map_err(|_| no_version())
}

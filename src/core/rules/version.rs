//! From a version to its rules.

use std::collections::BTreeMap;

use super::release::Release;
use super::{Rules, RulesError, rows};
use crate::model::Evidenced;

/// Every minor that has rules, as `1.23`, oldest first.
pub fn versions() -> impl Iterator<Item = String> {
    (rows::OLDEST_MINOR..=rows::NEWEST_MINOR).map(|minor| format!("1.{minor}"))
}

impl Rules {
    /// The rules of a version (`v1.37.1`, `1.36`, `v1.36.2-gke.100`) with gates set over its defaults. Gates that
    /// have no bearing on the HPA are passed over. A version without a patch is taken for the last patch of its minor.
    ///
    /// # Errors
    /// No version, one older than [`OLDEST`](super::OLDEST), or a locked gate.
    pub fn for_version(
        version: &str,
        gates: &BTreeMap<Box<str>, Evidenced<bool>>,
    ) -> Result<Self, RulesError> {
        let release = Release::parse(version).ok_or_else(|| RulesError::NotAVersion(version.into()))?;
        let mut rules = rows::row(release).ok_or_else(|| RulesError::TooOld(version.into()))?;
        for (gate, set) in gates {
            rules.set_gate(release, gate, set.value)?;
        }
        Ok(rules)
    }

    /// Whether an API server of a version lets somebody create an HPA with minReplicas 0, with the gates that are set. One that
    /// is stored keeps it in any case.
    ///
    /// Source: `validationOptionsForHorizontalPodAutoscaler`, which asks for the gate `HPAScaleToZero` (alpha and off before 1.37).
    ///
    /// # Errors
    /// The text is not a version.
    pub fn accepts_zero(
        version: &str,
        gates: &BTreeMap<Box<str>, Evidenced<bool>>,
    ) -> Result<bool, RulesError> {
        let release = Release::parse(version).ok_or_else(|| RulesError::NotAVersion(version.into()))?;
        let is_alpha = release.minor < 37;
        let stage = if is_alpha { "AllAlpha" } else { "AllBeta" };
        let set = gates.get("HPAScaleToZero").or_else(|| gates.get(stage));
        Ok(set.map_or(!is_alpha, |set| set.value))
    }

    /// Whether two versions are different releases, whatever their providers add to them.
    #[must_use]
    pub fn tells_apart(one: &str, other: &str) -> bool {
        match (Release::parse(one), Release::parse(other)) {
            (Some(one), Some(other)) => one != other,
            _ => one != other,
        }
    }

    /// Whether a version is newer than the newest row, so that its rules are a guess.
    #[must_use]
    pub fn is_beyond(version: &str) -> bool {
        Release::parse(version).is_some_and(|release| release.minor > rows::NEWEST_MINOR)
    }
}

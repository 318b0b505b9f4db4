//! Feature gates, as they are typed.

use thiserror::Error;

/// A text that is not a feature gate with its value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FeatureGateError {
    /// Nothing says whether it is on.
    #[error("`{0}` has no `=true` or `=false`")]
    NoValue(String),
    /// Not a boolean.
    #[error("`{0}` is neither true nor false")]
    NotABoolean(String),
}

/// Reads one of `--feature-gates`: `HPAScaleToZero=true`, or with the component that it is for in front,
/// `kube:HPAScaleToZero=true`.
///
/// # Errors
/// If it is not a name with a boolean in one of Go's spellings (`strconv.ParseBool`).
///
/// Source: `featureGate.Set` and `ComponentGlobalsRegistry` of component-base.
pub fn feature_gate(text: &str) -> Result<(&str, bool), FeatureGateError> {
    let (name, value) = text.split_once('=').ok_or_else(|| FeatureGateError::NoValue(text.to_owned()))?;
    let name = name.rsplit_once(':').map_or(name, |(_component, name)| name);
    let value = boolean(value.trim()).ok_or_else(|| FeatureGateError::NotABoolean(value.to_owned()))?;
    Ok((name.trim(), value))
}

/// A boolean as Go's flags take it.
///
/// Source: Go's `strconv.ParseBool`.
#[must_use]
pub fn boolean(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
        "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
        _ => None,
    }
}

//! What Go's decoder makes of null.

use serde::{Deserialize, Deserializer};

/// Takes `null` for the zero value, for `#[serde(deserialize_with = "…")]`.
///
/// # Errors
///
/// Those of the value itself.
pub fn nullable<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

//! Numbers of a case that the controller cannot hold are refused where they stand.

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};

use crate::model::{Duration, Evidenced};

/// What `reconcileAutoscaler` recommends begins at zero and only rises.
pub(super) fn replicas<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
    at_least(0, deserializer)
}

/// `storeScaleEvent` is called for a rescale alone, and takes the smaller count from the larger.
pub(super) fn change<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
    at_least(1, deserializer)
}

fn at_least<'de, D: Deserializer<'de>>(least: i32, deserializer: D) -> Result<i32, D::Error> {
    let number = i32::deserialize(deserializer)?;
    if number >= least {
        return Ok(number);
    }
    let expected = format!("a whole number from {least} to {}", i32::MAX);
    Err(D::Error::invalid_value(Unexpected::Signed(number.into()), &expected.as_str()))
}

/// The time between two reconciles.
pub(super) fn period<'de, D>(deserializer: D) -> Result<Option<Evidenced<Duration>>, D::Error>
where
    D: Deserializer<'de>,
{
    let setting = Option::<Evidenced<Duration>>::deserialize(deserializer)?;
    match &setting {
        Some(Evidenced { value, .. }) if *value <= Duration::ZERO => {
            Err(D::Error::custom(format!("`value` must be longer than 0s, not {value}")))
        }
        _ => Ok(setting),
    }
}

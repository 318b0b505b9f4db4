use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::point::Instant;

/// To the second, as Kubernetes writes times; [`Instant::ZERO`] is null.
///
/// Source: `metav1.Time.MarshalJSON`.
impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_zero() { serializer.serialize_unit() } else { serializer.collect_str(self) }
    }
}

/// Source: `metav1.Time.UnmarshalJSON`.
impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(InstantVisitor)
    }
}

struct InstantVisitor;

impl Visitor<'_> for InstantVisitor {
    type Value = Instant;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time such as \"2026-11-21T10:42:00Z\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Instant, E> {
        Instant::parse(text).map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }

    fn visit_unit<E: Error>(self) -> Result<Instant, E> {
        Ok(Instant::ZERO)
    }
}

/// For `#[serde(with = "nanos")]`: writes to the nanosecond instead of the second.
pub mod nanos {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::model::instant::Instant;
    use crate::model::instant::print::Nano;

    /// Writes RFC 3339 with nanoseconds, in UTC.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(instant: &Instant, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Nano(*instant))
    }

    /// Reads RFC 3339 with any fraction and offset.
    ///
    /// # Errors
    /// When the text is not a time.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Instant, D::Error> {
        Instant::deserialize(deserializer)
    }
}

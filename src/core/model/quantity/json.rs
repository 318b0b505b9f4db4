use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::amount::Quantity;
use super::error::QuantityError;
use crate::model::go_text::json_float;

/// As a string, as Kubernetes writes it.
///
/// Source: `resource.Quantity.MarshalJSON`.
impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// From a string with space around it, a number, or null, which is zero.
///
/// The text of a float is lost before it comes here, so it is written anew as Go's JSON writes floats.
///
/// Source: `resource.Quantity.UnmarshalJSON`.
impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(QuantityVisitor)
    }
}

struct QuantityVisitor;

impl Visitor<'_> for QuantityVisitor {
    type Value = Quantity;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a quantity such as \"250m\", \"1.5Gi\" or 2")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Quantity, E> {
        Quantity::parse(text.trim()).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Quantity, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Quantity, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Quantity, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Quantity, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Quantity, E> {
        if value.is_finite() {
            self.visit_str(&json_float(value))
        } else {
            Err(E::custom(QuantityError::Format))
        }
    }

    fn visit_unit<E: Error>(self) -> Result<Quantity, E> {
        Ok(Quantity::default())
    }
}

//! What claims hold: numbers that keep the way in which they are shown, so that a sentence needs nothing beside its claim.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::render::units::{Decimals, Unit, special};
use kubectl_hpa_core::model::{Duration, Instant, Milli};
use kubectl_hpa_core::trace::Direction;

/// An amount of a metric in thousandths, with the unit in which it is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::render) struct Amount(pub Milli, pub Unit);

impl Amount {
    /// For people.
    pub fn text(self) -> String {
        self.1.human(self.0)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0.0)
    }
}

/// A ratio or an end of the tolerance, with the decimals that show where it stands to the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::render) struct Ratio {
    /// As the controller computed it.
    pub value: f64,
    /// Those that are shown.
    pub decimals: Decimals,
}

impl Ratio {
    /// For people.
    pub fn text(self) -> String {
        self.decimals.of(self.value)
    }

    /// Whether it is exactly on target.
    pub fn is_one(self) -> bool {
        (self.value - 1.0).abs() < f64::EPSILON
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.value.is_finite() {
            serializer.serialize_f64(self.value)
        } else {
            serializer.serialize_str(&special(self.value))
        }
    }
}

/// An instant, in RFC 3339.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::render) struct At(pub Instant);

impl Serialize for At {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.to_rfc3339_nano())
    }
}

/// A length of time, as Go writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::render) struct Span(pub Duration);

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A direction, by its field of spec.behavior.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::render) struct Way(pub Direction);

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.field())
    }
}

impl Way {
    /// What the replicas do.
    pub fn verb(self) -> &'static str {
        if self.0 == Direction::Up { "rise" } else { "fall" }
    }
}

impl Serialize for Way {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.field())
    }
}

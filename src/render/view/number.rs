//! Values in JSON: milli-units as integers, ratios as numbers, instants to the nanosecond.

use serde::{Serialize, Serializer};

use crate::render::units::special;
use kubectl_hpa_core::model::{Duration, Evidenced, Instant};

/// A float; what JSON has no number for is a string: `"NaN"`, `"+Inf"`, `"-Inf"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.serialize_f64(self.0)
        } else {
            serializer.serialize_str(&special(self.0))
        }
    }
}

/// An instant to the nanosecond, RFC 3339 in UTC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::render) struct Moment(pub Instant);

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.to_rfc3339_nano())
    }
}

/// A setting with how it is known.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SettingView<T> {
    value: T,
    evidence: kubectl_hpa_core::model::Evidence,
    from: String,
}

impl<T> SettingView<T> {
    pub fn of<V: Clone>(setting: &Evidenced<V>, show: impl Fn(V) -> T) -> Self {
        Self {
            value: show(setting.value.clone()),
            evidence: setting.evidence,
            from: setting.from.to_string(),
        }
    }
}

/// A duration as Go writes it.
pub(super) fn go_duration(duration: Duration) -> String {
    duration.to_string()
}

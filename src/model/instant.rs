//! Provisional.
use crate::model::Duration;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Nanoseconds since the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Instant(i128);

impl Instant {
    /// Go's zero time.
    pub const ZERO: Self = Self(-62_135_596_800_000_000_000);
    /// From text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let stamp: jiff::Timestamp = text.parse().map_err(|error: jiff::Error| error.to_string())?;
        Ok(Self(stamp.as_nanosecond()))
    }
    /// RFC3339Nano in UTC.
    #[must_use]
    pub fn to_rfc3339_nano(self) -> String {
        jiff::Timestamp::from_nanosecond(self.0).map(|t| t.to_string()).unwrap_or_default()
    }
}
impl std::ops::Add<Duration> for Instant {
    type Output = Self;
    fn add(self, duration: Duration) -> Self {
        Self(self.0 + i128::from(duration.as_nanos()))
    }
}
impl std::ops::Sub<Duration> for Instant {
    type Output = Self;
    fn sub(self, duration: Duration) -> Self {
        Self(self.0 - i128::from(duration.as_nanos()))
    }
}
impl std::fmt::Display for Instant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let secs = Self(self.0.div_euclid(1_000_000_000) * 1_000_000_000);
        f.write_str(&secs.to_rfc3339_nano())
    }
}
impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}
impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

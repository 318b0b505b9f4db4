//! Provisional.
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Duration(i64);
impl Duration {
    /// Seconds.
    #[must_use]
    pub const fn from_secs(secs: i64) -> Self {
        Self(secs.wrapping_mul(1_000_000_000))
    }
    /// Nanoseconds.
    #[must_use]
    pub const fn as_nanos(self) -> i64 {
        self.0
    }
}
impl std::fmt::Display for Duration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}ns", self.0)
    }
}
impl Serialize for Duration {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}
impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        let mut rest = text.as_str();
        let mut total = 0f64;
        while !rest.is_empty() {
            let n = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(|| serde::de::Error::custom("duration"))?;
            let v: f64 = rest[..n].parse().map_err(serde::de::Error::custom)?;
            rest = &rest[n..];
            let n = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
            total += v * match &rest[..n] { "h" => 3600e9, "m" => 60e9, "s" => 1e9, "ms" => 1e6, "us" | "µs" => 1e3, _ => 1.0 };
            rest = &rest[n..];
        }
        Ok(Self(total as i64))
    }
}

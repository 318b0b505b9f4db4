//! The processor that the controller runs on.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A processor's architecture, by Go's name for it: Go leaves it to the processor what comes of a float that does not
/// fit an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Architecture {
    /// `amd64`: the smallest integer (`CVTTSD2SL`, `CVTTSD2SQ`).
    #[default]
    Amd64,
    /// `arm64`: the nearest integer, and 0 for what is no number (`FCVTZS`).
    Arm64,
}

impl Architecture {
    /// Every one that is known.
    pub const ALL: [Self; 2] = [Self::Amd64, Self::Arm64];

    /// Go's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Amd64 => "amd64",
            Self::Arm64 => "arm64",
        }
    }
}

impl Display for Architecture {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An architecture whose floats are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected amd64 or arm64")]
pub struct UnknownArchitecture;

impl FromStr for Architecture {
    type Err = UnknownArchitecture;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|known| known.as_str() == text);
        known.ok_or(UnknownArchitecture)
    }
}

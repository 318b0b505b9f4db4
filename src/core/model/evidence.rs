//! How a fact is known.

use serde::{Deserialize, Serialize};

use super::nullable;

/// The certainty of a fact that the API does not state, or states elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Evidence {
    /// Stated by the user, in a case file or with a flag.
    #[default]
    Given,
    /// Read from the cluster.
    Observed,
    /// Follows from what was read.
    Inferred,
    /// The default, because nothing was read.
    Assumed,
    /// Not known at all.
    Unknown,
}

/// Where the value of a default is from.
const DEFAULT: &str = "default";

/// A value with its evidence and where that comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidenced<T> {
    /// The value.
    pub value: T,
    /// How it is known.
    #[serde(default, deserialize_with = "nullable")]
    pub evidence: Evidence,
    /// Where it was found, for a person to check; may be empty.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "str::is_empty")]
    pub from: Box<str>,
}

impl<T> Evidenced<T> {
    /// A value with how it is known and where it was found.
    #[must_use]
    pub fn new(value: T, evidence: Evidence, from: impl Into<Box<str>>) -> Self {
        Self { value, evidence, from: from.into() }
    }

    /// A default that nothing confirmed.
    #[must_use]
    pub fn assumed(value: T) -> Self {
        Self::new(value, Evidence::Assumed, DEFAULT)
    }

    /// Whether it is such a default, or nothing says why it is assumed.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.evidence == Evidence::Assumed && (self.from.is_empty() || &*self.from == DEFAULT)
    }

    /// A value that the user stated, with the place where they did.
    #[must_use]
    pub fn given(value: T, from: &str) -> Self {
        Self::new(value, Evidence::Given, from)
    }
}

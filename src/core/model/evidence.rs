//! How a fact is known.

use serde::{Deserialize, Serialize};

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

/// A value with its evidence and where that comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidenced<T> {
    /// The value.
    pub value: T,
    /// How it is known.
    pub evidence: Evidence,
    /// Where it was found, for a person to check; may be empty.
    pub from: Box<str>,
}

impl<T> Evidenced<T> {
    /// A default that nothing confirmed.
    #[must_use]
    pub fn assumed(value: T) -> Self {
        Self { value, evidence: Evidence::Assumed, from: "default".into() }
    }

    /// A value that the user stated, with the place where they did.
    #[must_use]
    pub fn given(value: T, from: &str) -> Self {
        Self { value, evidence: Evidence::Given, from: from.into() }
    }
}

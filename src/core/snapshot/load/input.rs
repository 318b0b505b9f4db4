//! The kinds of documents.

use serde_json::Value;

use super::{LoadError, UnknownField};
use crate::api::Hpa;
use crate::snapshot::Case;

/// What a document may be where more than a case is of use.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A case.
    Case(Box<Case>),
    /// A manifest of an HPA, as it can be applied, and as it is written.
    Manifest(Box<Manifest>, Value),
    /// An object of another kind, as it stands beside an HPA in a file.
    Other {
        /// Its kind.
        kind: String,
        /// Why it is of no use alone.
        problem: String,
        /// As it is written, or why it cannot be read.
        object: Result<Value, String>,
    },
}

/// A manifest of an HPA.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The HPA.
    pub hpa: Hpa,
    /// The fields that its version of the API does not know. They count for nothing.
    pub unknown: Vec<UnknownField>,
}

/// A document of a stream of cases, objects of the API, or both.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// A case.
    Case(Box<Case>),
    /// An object, or a list of some, as it is written; and why it is no case.
    Object(Value, Box<LoadError>),
}

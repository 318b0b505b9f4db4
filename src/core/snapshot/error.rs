//! A case that cannot be decided on.

/// What is wrong with a case, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct CaseError {
    /// Path of the field, as `pods.items[3].metadata.name`.
    pub place: String,
    /// What is wrong with it.
    pub problem: String,
}

impl CaseError {
    pub(crate) fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), problem: problem.into() }
    }
}

use thiserror::Error;

/// Why a selector is invalid, word for word as Kubernetes says it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SelectorError(pub(in crate::model) String);

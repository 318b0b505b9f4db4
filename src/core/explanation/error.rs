//! Why a case cannot be explained.

use crate::rules::RulesError;
use crate::snapshot::CaseError;
use crate::trace::Fault;

/// Why a case cannot be explained.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExplanationError {
    /// The case is not valid.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// There are no rules for the version or the gates of its controller.
    #[error("cannot tell by which rules the controller decides")]
    Rules(#[from] RulesError),
    /// Something that the decision depends on is not in the case.
    #[error("{0}")]
    NotInCase(String),
    /// A metric's query has no answer in the case.
    #[error("the case has no answer to a query of its metrics, and its decision depends on it")]
    NoAnswer,
    /// The decision contradicts itself. An error instead of a panic: the other HPAs of a list are still decided.
    #[error("this is a fault of kubectl-hpa, please report it: {0}")]
    Fault(#[from] Fault),
}

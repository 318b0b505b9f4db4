//! Texts that are no quantity.

use thiserror::Error;

/// Why a text is not a quantity, in the words of Kubernetes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum QuantityError {
    /// Letters or signs where they cannot stand.
    #[error("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")]
    Format,
    /// No number in front of the suffix.
    #[error("unable to parse numeric part of quantity")]
    Number,
    /// An unknown suffix.
    #[error("unable to parse quantity's suffix")]
    Suffix,
}

//! Why an answer that came could not be decoded.

use super::protobuf::Malformed;
use super::shape::Strange;
use super::splitter::SplitError;

/// A list beyond this is refused: a cluster of 150,000 pods, more than Kubernetes supports, comes near it.
pub(super) const LONGEST_LIST: usize = 2 << 30;
/// No more than this is kept of a list: 20,000 pods of 12 KB are a fourth of it.
pub(super) const MOST_KEPT: usize = 128 << 20;

/// What is wrong with an item of a list, or with what stands around the items.
#[derive(Debug, thiserror::Error)]
pub(super) enum Undecodable {
    /// It is no JSON, or other JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It is no protobuf, or of another message.
    #[error(transparent)]
    Protobuf(#[from] Malformed),
    /// Something is absent that is always there.
    #[error("missing field `{0}`")]
    Missing(&'static str),
    /// It is of another namespace than the one that was asked for.
    #[error("it is of namespace {found:?}, not {expected:?}")]
    Elsewhere { found: String, expected: String },
}

/// Why a list could not be decoded.
#[derive(Debug, thiserror::Error)]
pub(super) enum DecodeError {
    /// The list does not end.
    #[error("the list is longer than {LONGEST_LIST} bytes")]
    TooLong,
    /// Too much would be kept of it.
    #[error("the list is more than is read: what is needed of its first {items} items is {MOST_KEPT} bytes")]
    TooMuch {
        /// How many came so far.
        items: usize,
    },
    /// One of the items is wrong, or there are too many.
    #[error(transparent)]
    Split(#[from] SplitError<Undecodable>),
    /// The envelope around the items is invalid, or the answer ended early.
    #[error("the list: {0}")]
    Envelope(Undecodable),
    /// The answer is another list or none.
    #[error(transparent)]
    Other(#[from] Strange),
}

impl DecodeError {
    /// Whether a bound was met that the controller does not have.
    pub fn is_bound(&self) -> bool {
        matches!(
            self,
            Self::TooLong
                | Self::TooMuch { .. }
                | Self::Split(SplitError::LongItem { .. } | SplitError::LongEnvelope)
        )
    }
}

impl From<Malformed> for DecodeError {
    fn from(error: Malformed) -> Self {
        Self::Envelope(error.into())
    }
}

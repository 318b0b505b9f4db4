//! The body of an answer, piece by piece, within the time that the answer has.

use bytes::Bytes;
use http_body_util::BodyExt;
use kube::client::Body;

use crate::cluster::client::{Overdue, Until, plainly};

/// Why a body ended early.
#[derive(Debug, thiserror::Error)]
pub(super) enum BodyError {
    /// It came too slowly, or not at all.
    #[error(transparent)]
    Overdue(#[from] Overdue),
    /// The connection broke.
    #[error("the answer broke off: {0}")]
    Broken(String),
    /// The body has more bytes than any such answer.
    #[error("the answer is longer than {0} bytes")]
    TooLong(usize),
}

/// The next bytes; `None` at the end.
pub(super) async fn next(body: &mut Body, until: &Until) -> Result<Option<Bytes>, BodyError> {
    loop {
        match until.next(body.frame()).await? {
            None => return Ok(None),
            Some(Err(error)) => return Err(BodyError::Broken(plainly::words(&error))),
            // Trailers hold no data of the body.
            Some(Ok(frame)) => {
                if let Ok(bytes) = frame.into_data() {
                    return Ok(Some(bytes));
                }
            }
        }
    }
}

/// All bytes, if they are not too many.
pub(super) async fn whole(mut body: Body, until: &Until, longest: usize) -> Result<Vec<u8>, BodyError> {
    let mut bytes = Vec::new();
    while let Some(part) = next(&mut body, until).await? {
        if bytes.len() + part.len() > longest {
            return Err(BodyError::TooLong(longest));
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes)
}

/// The first bytes, however many there are and however they end.
pub(super) async fn beginning(mut body: Body, until: &Until, longest: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Ok(Some(part)) = next(&mut body, until).await {
        bytes.extend_from_slice(&part);
        if bytes.len() >= longest {
            bytes.truncate(longest);
            break;
        }
    }
    bytes
}

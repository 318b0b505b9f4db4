//! What went wrong on the way to the API server, without the names of our libraries.

use std::error::Error;

/// What a person needs to know of an error and its causes, on one line.
pub(super) fn words(error: &(dyn Error + 'static)) -> String {
    super::error::chain(error)
}

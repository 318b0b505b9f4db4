//! What came back for one read, and when.

use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::snapshot::{Read, ReadError};

/// The answer to a read, with the API server's clock.
#[derive(Clone, Debug)]
pub(in crate::cluster) struct DatedRead<T> {
    /// The value, or the error in its place.
    pub read: Read<T>,
    /// The `Date` of the answer; absent where there was none.
    pub at: Option<Instant>,
}

impl<T> DatedRead<T> {
    /// An error that came from no answer.
    pub fn none(error: ReadError) -> Self {
        Self { read: Err(error), at: None }
    }

    /// Works on the value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> DatedRead<U> {
        DatedRead { read: self.read.map(f), at: self.at }
    }

    /// Works on the error.
    pub fn map_err(self, f: impl FnOnce(ReadError) -> ReadError) -> Self {
        Self { read: self.read.map_err(f), at: self.at }
    }
}

/// An HTTP date: `Sat, 21 Nov 2026 10:42:00 GMT`.
pub(super) fn http_date(text: &str) -> Option<Instant> {
    let stamp = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    Some(Instant::from_unix_nanoseconds(stamp.as_nanosecond()))
}

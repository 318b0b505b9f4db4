//! How far times reach: those of the API are cut off to the second, and a sync takes some.

use crate::model::Duration;

/// A whole second: the API's times are truncated to it.
pub(super) const SECOND: Duration = Duration::from_nanoseconds(1_000_000_000);

/// A sync writes the scale and its status within this time after it decided, even if the API is slow.
pub(super) const SYNC: Duration = Duration::from_seconds(10);

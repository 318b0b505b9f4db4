//! How often is looked.

use std::time::Duration;

/// So many looks are taken in a sync period.
pub const LOOKS: u32 = 5;
/// And no more in a second than this leaves room for.
pub const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
/// Of the time, looks take at most one part in so many.
pub const SHARE: u32 = 4;
/// So long is waited at most before something that failed is tried again.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// Until the first look has told the sync period.
pub const FIRST_PAUSE: Duration = Duration::from_secs(3);

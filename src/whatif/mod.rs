//! What would have to be different for another decision: found by deciding again, never by a formula of its own.

mod instants;
mod outlook;
mod thresholds;

pub use instants::{Cause, Change, next_change};
pub use outlook::Outlook;
pub use thresholds::{Threshold, Thresholds, thresholds};

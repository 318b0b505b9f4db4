//! What would have to be different for another decision: found by deciding again, never by a formula of its own.

mod change;
mod course;
mod expectation;
mod instants;
mod outlook;
mod sweep;
mod thresholds;

pub use change::{Change, ChangeError, Knob, UnknownFlag, change, change_spec};
pub use course::{Step, course};
pub use expectation::{Mismatch, mismatches};
pub use instants::{Cause, Next, next_change};
pub use outlook::Outlook;
pub use sweep::{Axis, AxisError, Point, sweep};
pub use thresholds::{Threshold, Thresholds, thresholds};

//! What the controller writes about a decision: status, conditions and events, word for word.
//!
//! These are the controller's sentences and no others; our own stand in `render`.

mod carry;
mod conditions;
mod current;
mod format_again;
mod report;
mod words;

pub use carry::{advance, carry};
pub use report::{Event, Report, report};
pub use words::{FailureWords, failure_words, metric_name};

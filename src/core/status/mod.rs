//! What the controller writes about a decision: status, conditions and events, word for word.
//!
//! These are only the controller's sentences; ours are in `render`.

mod carry;
mod conditions;
mod current;
mod format_again;
mod report;
mod words;

pub use carry::{advance, carry};
pub use report::{Event, Report, report};
pub use words::{FailureWords, api_error, failure_words, metric_name};

//! Spans of time in Go's notation.
mod parse;
mod print;
mod span;

pub use parse::DurationError;
pub use span::Duration;

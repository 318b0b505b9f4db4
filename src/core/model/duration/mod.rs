//! Spans of time in Go's notation.
//!
//! Written here: jiff reads and prints other notations, and a text that Go refuses is refused in Go's words.
mod parse;
mod print;
mod span;

pub use parse::DurationError;
pub use span::Duration;

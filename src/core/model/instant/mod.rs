//! Points in time, to the nanosecond.
mod calendar;
mod json;
mod parse;
mod point;
mod print;

pub use json::nanos;
pub use parse::InstantError;
pub use point::Instant;

//! Amounts of a resource or a metric, exactly as Kubernetes parses, rounds, compares and prints them.
//!
//! Written here: no library in Rust rounds, overflows, keeps a suffix and prints as `resource.Quantity` does.
//!
//! Invariants:
//! * every result equals that of `k8s.io/apimachinery/pkg/api/resource`, its overflows included;
//! * parsing, comparing and printing take time and memory linear in the length of the text, whatever it says;
//! * no float takes part in anything but [`Quantity::as_approximate_f64`].
mod add;
mod amount;
mod approximate;
mod decimal;
mod error;
mod json;
mod magnitude;
mod milli;
mod order;
mod parse;
mod print;
mod scan;
mod suffix;

pub use amount::{Format, Quantity};
pub use error::QuantityError;

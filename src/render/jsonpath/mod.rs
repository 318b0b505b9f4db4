//! `-o jsonpath`: kubectl's templates over the JSON of `-o json`.
//!
//! The template (text, `{…}`, `range` and `end`) is ours; a path in it is put into the words of RFC 9535 and left to a
//! library. `tests/screens/templates.rs` holds both against kubectl's own. Where that one stops (an index out of bounds, a
//! comparison with null, an empty list among several), this one finds what there is.

mod columns;
mod error;
mod path;
mod shown;
mod template;

pub use columns::Columns;
pub use error::TemplateError;
pub use template::Template;

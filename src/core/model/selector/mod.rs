//! Label selectors: their text, its errors, and what they match, as in `k8s.io/apimachinery/pkg/labels`.
//!
//! Written here: kube has selectors too, but an HPA's condition quotes what Go says of an invalid one, word for word, and
//! those words differ between versions.
mod error;
mod lexer;
mod matching;
mod parser;
mod requirement;
mod validate;

pub use error::{SelectorError, SelectorWords};
pub use matching::Selector;
pub use requirement::{Operator, Requirement};

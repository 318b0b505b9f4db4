//! A change of a stored object before it is written: the patch that makes it, who would take it back, and what it is bound
//! to. Writes nothing itself.

mod metadata;
mod owner;
mod patch;
mod requirement;
mod stored;

pub use metadata::Metadata;
pub use owner::{Owner, Sign, Tool, owners};
pub use patch::{lost, merge_patch, paths};
pub use requirement::{Requirement, RequirementError};
pub use stored::{Identity, otherwise};

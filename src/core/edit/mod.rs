//! A change of a stored object before it is written: the patch, who would revert it, and what it requires. Writes
//! nothing itself.

mod metadata;
mod owner;
mod patch;
mod requirement;
mod stored;

pub use metadata::Metadata;
pub use owner::{Owner, Sign, Tool, owners};
pub use patch::{joined, lost, merge_patch, merged, paths};
pub use requirement::{Requirement, RequirementError};
pub use stored::{Identity, otherwise};

//! The controller's vocabulary as types.
pub mod duration;
mod go_text;
pub mod group_version;
pub mod instant;
pub mod label_selector;
pub mod labels;
pub mod quantity;
pub mod selector;

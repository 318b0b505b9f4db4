//! The controller's vocabulary as types.
pub mod quantity;

//! The controller's vocabulary as types.

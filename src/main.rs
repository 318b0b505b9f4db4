//! The porch.
fn main() {}

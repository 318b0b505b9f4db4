//! The rules of lint: a bad and a good example of each, what the fixes do, and files of public repositories.

// The core reads no file and starts no thread; what judges it does.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod example;
mod examples;
mod many;
mod places;
mod public;
#[path = "../root.rs"]
mod root;

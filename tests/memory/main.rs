//! What is inferred of the controller's memory: its loop is run with the memory hidden, and every answer is judged.

// The core reads no file and starts no thread; what judges it does.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod bounds;
mod hostile;
mod played;
#[path = "../root.rs"]
mod root;
mod watch;

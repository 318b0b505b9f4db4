//! What is inferred of the controller's memory: its loop is run with the memory hidden, and every answer is judged.

mod bounds;
mod hostile;
mod played;
mod watch;

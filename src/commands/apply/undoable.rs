//! What is said where something may be stored, though nobody has said so clearly.

use thiserror::Error;

/// An error that ends with the command that takes a write back, on a line of its own. What it quotes of a server has none.
#[derive(Debug, Error)]
#[error("{}\nundo: {}", .what.replace('\n', "\n  | "), .undo.replace('\n', " "))]
pub struct Undoable {
    /// What is known of the write.
    pub what: String,
    /// The command.
    pub undo: String,
}

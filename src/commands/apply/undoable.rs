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

#[cfg(test)]
mod tests {
    use super::Undoable;

    #[test]
    fn what_a_server_says_is_no_line_of_ours() {
        let error = Undoable { what: "told: a\nundo: rm".into(), undo: "kubectl patch a".into() };
        assert_eq!(error.to_string(), "told: a\n  | undo: rm\nundo: kubectl patch a");
    }
}
